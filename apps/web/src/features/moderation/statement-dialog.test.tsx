import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import {
  memoryStore,
  NoAnswerError,
  persistence,
  RefusedError,
  type ClientConnection,
} from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { StatementDialog } from './statement-dialog.tsx'
import { followUnread } from './unread-statement.ts'

// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())

const WARNING = {
  id: 7,
  kind: 'warning',
  at: '2026-11-27T10:00:00.000Z',
  reason: 'contacts',
  comment: 'No numbers in messages.',
  evidence: [],
  texts: [],
  automatic: false,
  can_appeal: true,
}
/** The role of the reader, whose rules are shown. */
let own: object
let root: Root
let posted: string[]
let downloaded: object[]
/** The error of the next download. */
let trouble: Error | undefined

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  await activate('en')
  await loadTexts('moderation', 'rules')
  own = { auth: { user: { id: 7, role: 'guy' } } }
  posted = []
  downloaded = []
  trouble = undefined
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  dialogs.closeAll()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function show(statement: object, next: number | null): Promise<void> {
  const connection = {
    subscribe: () => () => {},
    getSnapshot: () => own,
    http: {
      get: async () => statement,
      download: async (_path: string, of: object) => {
        downloaded.push(of)
        if (trouble) throw trouble
        return new Blob()
      },
      post: async (path: string) => {
        posted.push(path)
        return { next }
      },
    },
  } as unknown as ClientConnection
  const services = {
    connection,
    persistence: persistence(memoryStore()),
    report() {},
  } as unknown as AppServices
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={createQueryClient()}>
        <AppServicesProvider services={services}>
          <StatementDialog input={{ id: 7 }} open close={() => {}} />
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  await act(() => vi.advanceTimersByTimeAsync(10))
}

const opened = () => dialogs.getSnapshot().map(({ name, input }) => [name, input])
const button = (name: RegExp) =>
  [...document.querySelectorAll('button')].find((each) => name.test(each.textContent))!

test('a warning is confirmed after it could be read, and the next one follows', async () => {
  await show(WARNING, 8)
  expect(document.body.textContent).toContain('You were warned')
  expect(document.body.textContent).toContain('No numbers in messages.')
  expect(button(/^Appeal$/)).toBeDefined()
  await act(() => vi.advanceTimersByTimeAsync(4000))
  await act(async () => button(/I have read it/).click())
  expect(posted).toEqual(['statements/{id}/read'])
  expect(opened()).toEqual([['statement', { id: 8 }]])
})

test('the rule that was broken is there in its own words', async () => {
  await show({ ...WARNING, rule: 'contacts' }, null)
  expect(document.body.textContent).toContain('The rule: No contacts.')
  expect(document.body.textContent).toContain('Numbers, addresses and links are hidden.')
})

test('a woman reads the rule of women, and a man none that is for women only', async () => {
  await show({ ...WARNING, rule: 'absence', reason: 'absence' }, null)
  expect(document.body.textContent).not.toContain('The rule:')
  act(() => root.unmount())
  own = { auth: { user: { id: 7, role: 'girl' } } }
  await show({ ...WARNING, rule: 'absence', reason: 'absence' }, null)
  expect(document.body.textContent).toContain('The rule: Stay in the picture.')
})

test('a decision without a rule names none', async () => {
  await show({ ...WARNING, reason: 'other' }, null)
  expect(document.body.textContent).not.toContain('The rule:')
})

test('a removed picture has its own title, and nothing follows the last statement', async () => {
  await show({ ...WARNING, kind: 'photo', reason: 'screenshot', comment: '' }, null)
  expect(document.body.textContent).toContain('Your photo was removed')
  await act(() => vi.advanceTimersByTimeAsync(4000))
  await act(async () => button(/I have read it/).click())
  expect(opened()).toEqual([])
})

test('the own texts, the place and a picture after a press show what the decision rests on', async () => {
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL() {} }),
  )
  const text = { text: 'call me at 555', place: 'messenger', at: '2026-11-27T09:00:00.000Z' }
  const grounds = { place: 'public_call', texts: [text], evidence: ['camera'] }
  await show({ ...WARNING, ...grounds }, null)
  expect(document.querySelector('blockquote')?.textContent).toBe('call me at 555')
  expect(document.body.textContent).toContain('In a public chat')
  expect(document.body.textContent).toContain('In the messenger, Nov 27, 2026')
  expect(document.querySelector('img')).toBeNull()
  await act(async () => button(/^Show your camera/).click())
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(document.querySelector('img')?.alt).toBe('your camera in this chat')
  expect(downloaded).toEqual([{ id: 7, kind: 'camera' }])
})

test('a picture that did not arrive can be asked for again, and only a missing one is called gone', async () => {
  const call = 'GET statements/{id}/evidence/{kind}'
  await show({ ...WARNING, evidence: ['camera'] }, null)
  trouble = new NoAnswerError(call)
  await act(async () => button(/^Show your camera/).click())
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(document.body.textContent).toContain('The picture did not arrive.')
  trouble = new RefusedError(call, 'not_found')
  await act(async () => button(/^Try again/).click())
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(document.body.textContent).toContain('This picture is no longer kept.')
})

test('an unread statement opens once at a visit, and not above a call', () => {
  root = createRoot(document.body.appendChild(document.createElement('div')))
  let hear: (snapshot: object) => void = () => {}
  const connection = { on: (_event: string, listener: typeof hear) => (hear = listener) }
  followUnread({ connection } as never)
  hear({ auth: { unread_statement_id: 7, active_session: {} } })
  expect(opened()).toEqual([])
  hear({ auth: { unread_statement_id: 7 } })
  expect(opened()).toEqual([['statement', { id: 7 }]])
  dialogs.closeAll()
  hear({ auth: { unread_statement_id: 7 } })
  expect(opened()).toEqual([])
})
