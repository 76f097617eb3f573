import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import type { Change } from '@duet/protocol'
import { createChangeTracker } from './change-tracker.ts'

function log(length: number): Change[] {
  return Array.from({ length }, (_, index) => ({
    change_id: index + 1,
    event: 'event',
    payload: { number: index + 1 },
  }))
}

test('every change is applied once and in order, whatever the connection loses, repeats or delays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 80 }),
      fc.integer({ min: 1, max: 7 }),
      async (length, pushes, pageSize) => {
        const all = log(length)
        const applied: unknown[] = []
        const tracker = createChangeTracker({
          fetchSince: async (since) => {
            const rest = all.filter((change) => change.change_id > since)
            return {
              changes: rest.slice(0, pageSize),
              next: rest.length > pageSize,
              reset: false,
            }
          },
          apply: (_, payload) => applied.push(payload),
          reset: () => {},
        })
        for (const push of pushes)
          if (push <= length) tracker.receive(push, 'event', { number: push })
        await tracker.resume(length)
        await tracker.catchUp()
        deepEqual(
          applied,
          all.map((change) => change.payload),
        )
      },
    ),
    { seed: testSeed() },
  )
})

test('a client that was away too long fetches everything again', async () => {
  let resets = 0
  const tracker = createChangeTracker({
    fetchSince: async () => ({ changes: [], next: false, reset: true }),
    apply: () => {},
    reset: () => (resets += 1),
  })
  await tracker.resume(9)
  equal(resets, 1)
})

test('after a server lost changes, its numbers hold and later changes are applied', async () => {
  const applied: number[] = []
  let resets = 0
  const tracker = createChangeTracker({
    fetchSince: async () => ({ changes: [], next: false, reset: false }),
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => (resets += 1),
  })
  tracker.begin(9)
  await tracker.resume(4)
  tracker.receive(5, 'news', { number: 5 })
  deepEqual([applied, resets, tracker.last], [[5], 1, 5])
})

test('after a reset the newest change is where the client goes on', async () => {
  let resets = 0
  const applied: number[] = []
  const tracker = createChangeTracker({
    fetchSince: async () => ({
      changes: [{ change_id: 70, event: 'news', payload: { number: 70 } }],
      next: false,
      reset: true,
    }),
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => (resets += 1),
  })
  tracker.begin(3)
  await tracker.resume(70)
  tracker.receive(71, 'news', { number: 71 })
  deepEqual([applied, resets], [[71], 1])
})

function getChange(change_id: number): Change {
  return { change_id, event: 'news', payload: { number: change_id } }
}

test('a change that is announced while a page without it is fetched is fetched too', async () => {
  const applied: number[] = []
  const committed = [getChange(2), getChange(3)]
  const pages: (() => void)[] = []
  const tracker = createChangeTracker({
    fetchSince: (since) => {
      const page = committed.filter(({ change_id }) => change_id > since)
      return new Promise((resolve) =>
        pages.push(() => resolve({ changes: page, next: false, reset: false })),
      )
    },
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => {},
  })
  tracker.begin(1)
  const caughtUp = tracker.resume(3)
  committed.push(getChange(4))
  tracker.receive(4, 'news', { number: 4 })
  pages.shift()!()
  await new Promise(setImmediate)
  pages.shift()?.()
  await caughtUp
  deepEqual(applied, [2, 3, 4])
})

test('a fetch that fails is repeated until it succeeds', async () => {
  const applied: number[] = []
  const waiting: (() => void)[] = []
  let failures = 2
  const tracker = createChangeTracker({
    fetchSince: async () => {
      failures -= 1
      if (failures >= 0) throw new Error('no answer')
      return { changes: [getChange(1), getChange(2)], next: false, reset: false }
    },
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => {},
    later: (work) => waiting.push(work),
  })
  tracker.receive(2, 'news', { number: 2 })
  while (applied.length === 0) {
    await new Promise(setImmediate)
    const retry = waiting.shift()
    if (!retry) break
    retry()
    await new Promise(setImmediate)
  }
  deepEqual(applied, [1, 2])
})

test('a page of the former log is not applied to the log of another user', async () => {
  const applied: number[] = []
  let answer: () => void = () => {}
  const tracker = createChangeTracker({
    fetchSince: () =>
      new Promise((resolve) => {
        answer = () => resolve({ changes: [getChange(6)], next: false, reset: false })
      }),
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => {},
  })
  tracker.begin(5)
  const caughtUp = tracker.resume(6)
  tracker.begin(2)
  answer()
  await caughtUp
  tracker.receive(3, 'news', { number: 3 })
  deepEqual(applied, [3])
})

test('after a reset without changes the client is not reset again by the next change', async () => {
  let resets = 0
  const applied: number[] = []
  const tracker = createChangeTracker({
    fetchSince: async () => ({ changes: [], next: false, reset: true }),
    apply: (_, payload) => applied.push((payload as { number: number }).number),
    reset: () => (resets += 1),
  })
  await tracker.resume(9)
  tracker.receive(10, 'news', { number: 10 })
  deepEqual([resets, applied], [1, [10]])
})
