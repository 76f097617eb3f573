import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { api } from '../../shared/api.ts'
import { SessionProvider } from '../../shared/session.tsx'
import { DialogLine } from './dialog-line.tsx'
import './people-texts.ts'

const TEMPLATE =
  'Your message breaks the rules of the platform, so it was removed. You can appeal this decision.'
const LINE = {
  id: 40,
  sender_id: 13,
  kind: 'text',
  text: 'write me at anna@example.com',
  at: '2026-03-01T12:00:00.000Z',
  is_masked: true,
  is_removed: false,
} as const
const ANNA = { id: 13, nick: 'Anna', role: 'girl', locale: 'pt' } as const

let root: Root
let posted: [string, object][]

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  posted = []
  vi.spyOn(api, 'post').mockImplementation((async (
    path: string,
    given: { texts: string[]; locale: string },
  ) => {
    if (path !== 'v2/manager/translate') return posted.push([path, given])
    return { translations: given.texts.map((text) => `${given.locale}: ${text}`) }
  }) as never)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(translates: boolean): Promise<void> {
  const place = document.createElement('ol')
  document.body.replaceChildren(place)
  root = createRoot(place)
  const session = {
    staff: { id: 7, email: 'dana@duet.example', role: 'moderator', last_visit: null } as const,
    ends_at: '',
    fresh_until: '',
    server_time: '',
    translates,
    most: { penalty_coins: null, ban_days: null },
  }
  await act(async () =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <SessionProvider value={session}>
          <DialogLine line={LINE} sender={ANNA} onRemoved={() => undefined} />
        </SessionProvider>
      </QueryClientProvider>,
    ),
  )
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1)
    await act(() => new Promise((done) => setTimeout(done, 0)))
}

async function press(text: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLElement>('button, [role=option]')].find(
    ({ textContent }) => textContent === text,
  )
  if (!button) throw new Error(`There is no button ${text} in: ${document.body.textContent}`)
  await act(async () => button.click())
  await settle()
}

const words = () => document.querySelector('textarea')?.value
async function chooseRule(rule: string): Promise<void> {
  await act(async () => document.querySelector<HTMLElement>('[role=combobox]')!.click())
  await settle()
  await press(rule)
}

test('the author of a removed message reads the template in the own language, and staff read it back', async () => {
  await draw(true)
  await press('Remove')
  expect(words()).toBeUndefined()
  await chooseRule('Exchanging contacts')
  expect(words()).toBe(`pt: ${TEMPLATE}`)
  await vi.waitFor(() =>
    expect(document.querySelector('[role=status]')?.textContent).toContain(`en: pt: ${TEMPLATE}`),
  )
  await press('Remove this message')
  const sent = { id: 40, reason: 'contacts', comment: `pt: ${TEMPLATE}` }
  expect(posted).toEqual([['v2/manager/messages/{id}/remove', sent]])
})

test('another rule keeps the words that were written', async () => {
  await draw(false)
  await press('Remove')
  await chooseRule('Exchanging contacts')
  expect(words()).toBe(TEMPLATE)
  const field = document.querySelector('textarea')!
  await act(async () => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')!
    set!.call(field, 'No addresses here.')
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await chooseRule('Harassment')
  expect(words()).toBe('No addresses here.')
  await press('Remove this message')
  const sent = { id: 40, reason: 'harassment', comment: 'No addresses here.' }
  expect(posted).toEqual([['v2/manager/messages/{id}/remove', sent]])
})
