import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoAnswerError, RefusedError, type UnsentMessage } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { createSender } from './send-unsent.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const one = (random_id: string): UnsentMessage => ({
  random_id,
  user_id: 1,
  dialog_id: 7,
  text: random_id,
  written_at: '2026-03-01T10:00:00Z',
})

/** A server that answers each attempt with the next outcome: an error to throw, or undefined for success. */
function senderWith(outcomes: (Error | undefined)[], messages: UnsentMessage[]) {
  const attempts: string[] = []
  const refused: string[] = []
  let queue = messages
  const act = async (_action: string, { random_id }: { random_id: string }) => {
    attempts.push(random_id)
    const error = outcomes.shift()
    if (error) throw error
    return {}
  }
  const drop = (message: UnsentMessage) => {
    queue = queue.filter(({ random_id }) => random_id !== message.random_id)
  }
  let userId = 1
  let whenReady = Promise.resolve()
  const connection = {
    act,
    ready: () => whenReady,
    getSnapshot: () => ({ auth: { user: { id: userId } } }),
  } as unknown as AppServices['connection']
  const start = createSender(
    { connection },
    {
      next: () => queue[0],
      stored: drop,
      refused(message) {
        refused.push(message.random_id)
        drop(message)
      },
    },
  )
  return {
    start,
    attempts,
    refused,
    add: (message: UnsentMessage) => queue.push(message),
    /** There is no connection until the test calls the returned function. */
    disconnect() {
      const { promise, resolve } = Promise.withResolvers<void>()
      whenReady = promise
      return resolve
    },
    logInAs(id: number) {
      userId = id
      queue = []
    },
  }
}

test('messages are sent in the order in which they were written, one at a time', async () => {
  const { start, attempts } = senderWith([], [one('a'), one('b'), one('c')])
  start()
  start()
  await vi.runAllTimersAsync()
  expect(attempts).toEqual(['a', 'b', 'c'])
})

test('without an answer the same message is sent again before the next one', async () => {
  const lost = new NoAnswerError('MESSAGE')
  const { start, attempts } = senderWith([lost, lost], [one('a'), one('b')])
  start()
  await vi.runAllTimersAsync()
  expect(attempts).toEqual(['a', 'a', 'a', 'b'])
})

test('a refused message does not hold the next one back, a draining server does', async () => {
  const { start, attempts, refused } = senderWith(
    [new RefusedError('MESSAGE', 'blocked'), new RefusedError('MESSAGE', 'draining')],
    [one('a'), one('b')],
  )
  start()
  await vi.runAllTimersAsync()
  expect(refused).toEqual(['a'])
  expect(attempts).toEqual(['a', 'b', 'b'])
})

test('a message that waited for the connection is not sent by the next user', async () => {
  const { start, attempts, disconnect, logInAs } = senderWith([], [one('a')])
  const connect = disconnect()
  start()
  await vi.advanceTimersByTimeAsync(1000)
  logInAs(2)
  connect()
  await vi.runAllTimersAsync()
  expect(attempts).toEqual([])
})

test('a message that is written after the queue was empty is sent', async () => {
  const { start, attempts, add } = senderWith([], [one('a')])
  start()
  await vi.runAllTimersAsync()
  add(one('b'))
  start()
  await vi.runAllTimersAsync()
  expect(attempts).toEqual(['a', 'b'])
})
