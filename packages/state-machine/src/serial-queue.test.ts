import { deepEqual, equal, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { createSerialQueue } from './serial-queue.ts'

test('runs the work of one key in order, one at a time, and does not delay another key', async () => {
  const queue = createSerialQueue<string>()
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  const seen: string[] = []
  const first = queue.runExclusive('a', async () => {
    await isReleased
    seen.push('first of a')
  })
  const second = queue.runExclusive('a', async () => void seen.push('second of a'))
  await queue.runExclusive('b', async () => void seen.push('only of b'))
  release()
  await Promise.all([first, second])
  deepEqual(seen, ['only of b', 'first of a', 'second of a'])
})

test('work that fails rejects its own promise, and the next work runs', async () => {
  const queue = createSerialQueue<number>()
  await rejects(
    queue.runExclusive(1, () => Promise.reject(new Error('no'))),
    /no/,
  )
  equal(await queue.runExclusive(1, async () => 'next'), 'next')
})

test('drain also waits for work that is queued while it waits, and leaves no key', async () => {
  const queue = createSerialQueue<number>()
  let isDone = false
  void queue.runExclusive(1, async () => {
    void queue.runExclusive(1, async () => void (isDone = true))
  })
  await queue.drain()
  equal(isDone, true)
  equal(queue.size, 0)
})
