import { expect, test } from 'vitest'
import type { Message } from '@duet/protocol'
import { threadItems } from './thread-items.ts'

const OWN = 1
const NOTHING_WAITS = { unsent: [], uploads: [] }

function message(message_id: number, create_time: string, change: Partial<Message> = {}): Message {
  return {
    message_id,
    dialog_id: 7,
    sender_id: 2,
    type: 'text',
    message: 'text',
    read_status: 1,
    create_time,
    ...change,
  }
}

const kinds = (items: ReturnType<typeof threadItems>) => items.map(({ kind }) => kind)

test('each day has a heading, and the divider stands above the first unread message', () => {
  const items = threadItems(
    {
      messages: [
        message(1, '2026-03-01T10:00:00'),
        message(2, '2026-03-01T11:00:00'),
        message(3, '2026-03-02T09:00:00'),
      ],
      first_unread: 3,
    },
    NOTHING_WAITS,
    OWN,
  )
  expect(kinds(items)).toEqual(['day', 'message', 'message', 'day', 'new', 'message'])
})

test('a group ends with another writer and with a pause of two minutes', () => {
  const items = threadItems(
    {
      messages: [
        message(1, '2026-03-01T10:00:00'),
        message(2, '2026-03-01T10:01:00'),
        message(3, '2026-03-01T10:02:00', { sender_id: OWN }),
        message(4, '2026-03-01T10:04:00', { sender_id: OWN }),
        message(5, '2026-03-01T10:05:59', { sender_id: OWN }),
      ],
      first_unread: undefined,
    },
    NOTHING_WAITS,
    OWN,
  )
  const tails = items.flatMap((item) => (item.kind === 'message' ? [item.is_tail] : []))
  expect(tails).toEqual([false, true, true, false, true])
})

test('a message keeps its key from the writing to the stored message', () => {
  const unsent = {
    random_id: 'r1',
    user_id: OWN,
    dialog_id: 7,
    text: 'Hello',
    written_at: '2026-03-01T10:00:00',
  }
  const before = threadItems(
    { messages: [], first_unread: undefined },
    { unsent: [unsent], uploads: [] },
    OWN,
  )
  const stored = message(1, '2026-03-01T10:00:00', { sender_id: OWN, random_id: 'r1' })
  const after = threadItems({ messages: [stored], first_unread: undefined }, NOTHING_WAITS, OWN)
  expect(after.at(-1)!.key).toBe(before.at(-1)!.key)
})

test('what waits stands in the order in which it will be sent, and a failed photo at the end', () => {
  const unsent = (random_id: string, at: string) => ({
    random_id,
    user_id: OWN,
    dialog_id: 7,
    text: random_id,
    written_at: at,
  })
  const upload = (key: string, at: string, error?: string) => ({
    key,
    dialog_id: 7,
    file: new File([], key),
    src: 'blob:photo',
    written_at: at,
    progress: 0,
    ...(error !== undefined && { error }),
  })
  const waiting = {
    unsent: [
      unsent('first', '2026-03-01T10:00:00.000Z'),
      unsent('third', '2026-03-01T10:00:02.000Z'),
    ],
    uploads: [
      upload('failed', '2026-03-01T09:00:00.000Z', 'lost'),
      upload('second', '2026-03-01T10:00:01.000Z'),
    ],
  }
  const items = threadItems({ messages: [], first_unread: undefined }, waiting, OWN)
  expect(items.map(({ key }) => key)).toEqual(['first', 'second', 'third', 'failed'])
})
