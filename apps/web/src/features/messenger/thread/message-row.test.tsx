import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import type { Message } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import type { createStore } from '../../../shared/observable-store.ts'
import type { MessengerState } from '../state/messenger-state.ts'
import { NEW_THREAD, withThread } from '../state/thread.ts'
import { messengerRuntime } from '../state/messenger-runtime.ts'
import { useMessengerState } from '../use-messenger.ts'
import { MessageRow } from './message-row.tsx'

const NOW_MS = Date.parse('2026-11-21T20:00:00Z')
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  await activate('en')
  await loadTexts('messenger')
  vi.useFakeTimers({ now: NOW_MS })
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The messages of one dialog, as a thread shows them. */
function Rows() {
  const messages = useMessengerState(({ threads }) => threads.get(7)?.messages) ?? []
  return messages.map((message) => (
    <MessageRow key={message.message_id} message={message} is_own={false} is_tail />
  ))
}

async function show(change: Partial<Message>): Promise<void> {
  const snapshot = { phase: 'ready', auth: { user: { id: 1, role: 'men' } } }
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on: () => () => {},
  } as unknown as ClientConnection
  const services: AppServices = { connection, persistence: persistence(memoryStore()), report() {} }
  const message: Message = {
    ...{ message_id: 3, dialog_id: 7, sender_id: 2, type: 'text', message: 'The kiln is open' },
    ...{ read_status: 1, create_time: '2026-11-21T19:58:00Z' },
    ...change,
  }
  const { state: store } = messengerRuntime(services)
  const { update } = store as ReturnType<typeof createStore<MessengerState>>
  update((state) => ({
    ...state,
    threads: withThread(state.threads, 7, { ...NEW_THREAD, status: 'ready', messages: [message] }),
  }))
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <Rows />
      </AppServicesProvider>,
    ),
  )
}

const text = () => document.body.textContent
const pass = (durationMs: number) => act(async () => vi.advanceTimersByTimeAsync(durationMs))

test('a vanishing message counts its minutes, then its seconds, and leaves the screen at the end', async () => {
  await show({ vanish_at: '2026-11-21T20:02:00Z' })
  expect(text()).toContain('Vanishes in 2 min')
  await pass(60_000)
  expect(text()).toContain('Vanishes in 60 s')
  await pass(59_000)
  expect(text()).toContain('Vanishes in 1 s')
  await pass(1_000)
  expect(text()).toBe('')
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
