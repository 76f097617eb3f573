import { expect, test } from 'vitest'
import type { Message } from '@duet/protocol'
import type { AppServices } from '../../../shared/app-services.tsx'
import { createReading } from './reading.ts'
import type { StateAccess } from './runtime-parts.ts'

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
  // The page marks what is in view after every change, as an effect of the thread does.
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
