import { expect, test } from 'vitest'
import type { Message, Payload } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { applyRead, emptyState, type MessengerState } from './messenger-state.ts'
import { createReading } from './reading.ts'
import type { StateAccess } from './runtime-parts.ts'
import { NEW_THREAD } from './messages.ts'

const arrived = (message_id: number) =>
  ({ message_id, sender_id: 2, read_status: 0, type: 'text', message: '' }) as unknown as Message

test('what arrives while a reading waits for its answer is read after it', async () => {
  const asked: number[][] = []
  const answers: (() => void)[] = []
  const connection = {
    act: (_action: string, { message_ids }: { message_ids: number[] }) => {
      asked.push(message_ids)
      return new Promise((resolve) => answers.push(() => resolve({ vanish_at: null })))
    },
  }
  let messages = [arrived(1)]
  const getState = () => ({ own_id: 1, threads: new Map([[7, { messages }]]) })
  // After every change the page marks the visible messages, like an effect of the thread.
  const update = () => {
    const read = new Set(asked.flat())
    messages = messages.filter(({ message_id }) => !read.has(message_id))
    reading.markRead(7)
  }
  const reading = createReading(
    { connection, report: expect.unreachable } as unknown as AppServices,
    { getState, update } as unknown as StateAccess,
  )
  reading.markRead(7)
  messages = [...messages, arrived(2)]
  reading.markRead(7)
  expect(asked).toEqual([[1]])
  answers[0]!()
  await Promise.resolve()
  await Promise.resolve()
  expect(asked).toEqual([[1], [2]])
})

const FIRST = '2026-03-01T11:00:00Z'
const SECOND = '2026-03-01T11:10:00Z'
/** A locked picture, a text, and a message that was read before. */
const READ: Payload<'messenger_read_message'>[] = [
  { dialog_id: 7, message_ids: [1] },
  { dialog_id: 7, message_ids: [2], vanish_at: SECOND },
]

for (const first of ['answer', 'events'] as const)
  test(`the events of a reading give each message its own end, and the ${first} may come first`, async () => {
    const answered = Promise.withResolvers<{ vanish_at: string }>()
    const connection = { act: () => answered.promise }
    const known = { ...arrived(3), read_status: 1, vanish_at: FIRST } as Message
    let state: MessengerState = {
      ...emptyState(1, []),
      threads: new Map([
        [7, { ...NEW_THREAD, status: 'ready', messages: [arrived(1), arrived(2), known] }],
      ]),
    }
    const update = (change: (current: MessengerState) => MessengerState) => {
      state = change(state)
    }
    const messages = () => state.threads.get(7)!.messages
    const ends = () => messages().map(({ vanish_at }) => vanish_at)
    createReading(
      { connection, report: expect.unreachable } as unknown as AppServices,
      { getState: () => state, update } as unknown as StateAccess,
    ).markRead(7)
    const events = () => {
      for (const event of READ) update((current) => applyRead(current, event))
    }
    if (first === 'events') events()
    answered.resolve({ vanish_at: FIRST })
    await answered.promise
    await Promise.resolve()
    expect(messages().map(({ read_status }) => read_status)).toEqual([1, 1, 1])
    if (first === 'answer') {
      expect(ends()).toEqual([undefined, undefined, FIRST])
      events()
    }
    expect(ends()).toEqual([undefined, SECOND, FIRST])
  })
