import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { notifyManager, QueryClientProvider } from '@tanstack/react-query'
import {
  memoryStore,
  persistence,
  RefusedError,
  type ClientConnection,
  type Persistence,
} from '@duet/client'
import type { Dialog, Message } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { createQueryClient } from '../../../shared/queries.ts'
import type { createStore } from '../../../shared/observable-store.ts'
import type { MessengerState } from '../state/messenger-state.ts'
import { NEW_THREAD, withThread } from '../state/messages.ts'
import { messengerRuntime } from '../state/messenger-runtime.ts'
import { useMessengerState } from '../use-messenger.ts'
import { MessageRow } from './message-row.tsx'

const PERSON = { id: 2, nick: 'Kim' } as Dialog['interlocutor']
const NOW_MS = Date.parse('2026-11-21T20:00:00Z')
// Answers are shown in the same turn, not by a timer.
notifyManager.setScheduler((run) => run())
let root: Root
/** The answers to TRANSLATE, in their order. Undefined: the request fails. */
let isOffered: boolean
let translations: ({ translate_message: string; from?: string } | Error | undefined)[]
let asked: object[]
let vanish_after: number
let stored: Persistence

beforeEach(async () => {
  stored = persistence(memoryStore())
  translations = []
  isOffered = true
  asked = []
  vanish_after = 3600
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  await activate('en')
  await loadTexts('messenger', 'translation')
  vi.useFakeTimers({ now: NOW_MS })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The messages of a dialog, as a thread shows them. */
function Rows() {
  const messages = useMessengerState(({ threads }) => threads.get(7)?.messages) ?? []
  return messages.map((message) => (
    <MessageRow key={message.message_id} message={message} is_own={false} is_tail />
  ))
}

async function show(change: Partial<Message>, clockBehindMs = 0): Promise<void> {
  const snapshot = {
    phase: 'ready',
    auth: { user: { id: 1, role: 'men' } },
    clock_behind_ms: clockBehindMs,
  }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
    http: { get: async () => ({ vanish_after }) },
    system: async () => ({ features: { translation: { on: isOffered } } }),
    async act(action: string, fields: object) {
      asked.push({ action, ...fields })
      const answer = translations.shift()
      if (!answer) throw new Error('refused')
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: stored, report() {} }
  const message: Message = {
    message_id: 3,
    dialog_id: 7,
    sender_id: 2,
    type: 'text',
    message: 'The kiln is open',
    read_status: 1,
    create_time: '2026-11-21T19:58:00Z',
    ...change,
  }
  const { state: store } = messengerRuntime(services)
  const { update } = store as ReturnType<typeof createStore<MessengerState>>
  update((state) => ({
    ...state,
    threads: withThread(state.threads, 7, { ...NEW_THREAD, status: 'ready', messages: [message] }),
    dialogs: new Map([[7, { dialog_id: 7, interlocutor: PERSON } as Dialog]]),
  }))
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <QueryClientProvider client={createQueryClient()}>
          <Rows />
        </QueryClientProvider>
      </AppServicesProvider>,
    ),
  )
}

const text = () => document.body.textContent
const press = (label: string) =>
  act(async () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === label)!.click(),
  )
const pass = (durationMs: number) => act(async () => vi.advanceTimersByTimeAsync(durationMs))

test('a vanishing message counts its minutes, then its seconds, and stays until the server removes it', async () => {
  await show({ vanish_at: '2026-11-21T20:02:00Z' })
  expect(text()).toContain('Vanishes in 2 min')
  await pass(60_000)
  expect(text()).toContain('Vanishes in 60 s')
  await pass(59_000)
  expect(text()).toContain('Vanishes in 1 s')
  // The clock of the device may be ahead of the server.
  await pass(7_200_000)
  expect(text()).toContain('The kiln is open')
})

test('on a device whose clock is two hours ahead the countdown is that of the server', async () => {
  await show({ vanish_at: '2026-11-21T18:02:00Z' }, -7_200_000)
  expect(text()).toContain('Vanishes in 2 min')
})

test('a message without an end has no countdown', async () => {
  await show({})
  await pass(7_200_000)
  expect(text()).toContain('The kiln is open')
  expect(text()).not.toContain('Vanishes')
})

test.each([
  [{ type: 'hologram' as Message['type'], message: 'raw' }, "This message can't be shown here"],
  [{ type: 'image' as const, message: '', removed: true }, 'This photo was removed'],
  [{ removed: true, message: '' }, 'This message was removed'],
])('what cannot be shown says why: %o', async (change, words) => {
  await show(change)
  expect(text()).toContain(words)
  expect(text()).not.toContain('raw')
})

test('the ring of a vanishing message is a part of the time that the installation gives', async () => {
  vanish_after = 600
  await show({ vanish_at: '2026-11-21T20:05:00Z' })
  const [, shown] = document.querySelectorAll('circle')
  const [visible, whole] = ['stroke-dashoffset', 'stroke-dasharray'].map((name) =>
    Number.parseFloat(shown!.getAttribute(name) ?? ''),
  )
  expect(visible! / whole!).toBeCloseTo(0.5)
})

const isTranslated = { user_id: 1, dialog_id: 7 }

test('a dialog that is read translated shows the translation, and the original at a press', async () => {
  stored.set('translated_dialogs', [isTranslated])
  translations = [{ translate_message: 'O forno está aberto', from: 'pt' }]
  await show({})
  expect(asked).toEqual([{ action: 'TRANSLATE', message_id: 3, locale: 'en' }])
  expect(text()).toContain('O forno está aberto')
  expect(text()).toContain('From Portuguese')
  expect(text()).not.toContain('The kiln is open')
  await press('Show original')
  expect(text()).toContain('The kiln is open')
  expect(text()).not.toContain('O forno')
  await press('Show translation')
  expect(text()).toContain('O forno está aberto')
  expect(asked).toHaveLength(1)
})

test('a text that is not translated stays as it is, and is tried again at a press', async () => {
  stored.set('translated_dialogs', [isTranslated])
  translations = [undefined, { translate_message: 'O forno está aberto' }]
  await show({})
  expect(text()).toContain('The kiln is open')
  expect(text()).toContain('Not translated')
  await press('Try again')
  expect(text()).toContain('O forno está aberto')
  expect(text()).toContain('Translated')
})

test('a text whose reader has to wait is translated after that, without a press', async () => {
  stored.set('translated_dialogs', [isTranslated])
  const wait = { additional: { retry_after: 20 } }
  translations = [
    new RefusedError('TRANSLATE', 'too_many', wait),
    { translate_message: 'O forno está aberto' },
  ]
  await show({})
  expect(text()).toContain('The kiln is open')
  expect(text()).not.toContain('Not translated')
  await pass(19_000)
  expect(asked).toHaveLength(1)
  await pass(1_000)
  expect(asked).toHaveLength(2)
  expect(text()).toContain('O forno está aberto')
})

test.each([
  ['of a dialog that is not read translated', [], {}],
  ['of another user of this browser', [{ user_id: 9, dialog_id: 7 }], {}],
  ['that is removed', [isTranslated], { removed: true, message: '' }],
  ['that is a like', [isTranslated], { type: 'like' as const, message: '' }],
])('no translation is asked for a message %s', async (_, dialogs, change) => {
  stored.set('translated_dialogs', dialogs)
  await show(change)
  expect(asked).toEqual([])
})

test.each([
  ['the same words', { translate_message: 'The kiln is open ' }],
  ['a text of the language of the page', { translate_message: 'The kiln’s open', from: 'en' }],
])('a translation that is %s shows nothing', async (_, answer) => {
  stored.set('translated_dialogs', [isTranslated])
  translations = [answer]
  await show({})
  expect(text()).toContain('The kiln is open')
  expect(text()).not.toContain('Show')
})

test('nothing is asked for where the operator switched translation off', async () => {
  stored.set('translated_dialogs', [isTranslated])
  isOffered = false
  await show({})
  expect(asked).toEqual([])
})

test('a text of the other is reported with its message, and a removed one is not', async () => {
  const open = vi.spyOn(dialogs, 'open').mockImplementation(() => {})
  await show({})
  const button = document.querySelector<HTMLElement>('[aria-label="Report this message"]')!
  await act(async () => button.click())
  expect(open).toHaveBeenCalledWith('complaint', { person: PERSON, message_id: 3 })
  act(() => root.unmount())
  await show({ removed: true, message: '' } as Partial<Message>)
  expect(document.querySelector('[aria-label="Report this message"]')).toBeNull()
})
