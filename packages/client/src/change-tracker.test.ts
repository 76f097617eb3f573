import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { changeTracker, type Change } from './change-tracker.ts'

function log(length: number): Change[] {
  return Array.from({ length }, (_, index) => ({
    change_id: index + 1,
    event: 'event',
    payload: index + 1,
  }))
}

test('every change is applied once and in order, whatever the line loses, repeats or delays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 80 }),
      fc.integer({ min: 1, max: 7 }),
      async (length, pushes, page_size) => {
        const all = log(length)
        const applied: unknown[] = []
        const tracker = changeTracker({
          fetchSince: async (since) => {
            const rest = all.filter((change) => change.change_id > since)
            return {
              changes: rest.slice(0, page_size),
              next: rest.length > page_size,
              reset: false,
            }
          },
          apply: (_, payload) => applied.push(payload),
          reset: () => {},
        })
        for (const push of pushes) if (push <= length) tracker.heard(push, 'event', push)
        await tracker.resume(length)
        await tracker.catchUp()
        deepEqual(
          applied,
          all.map((change) => change.payload),
        )
      },
    ),
  )
})

test('a client that was away too long is told to fetch anew', async () => {
  let resets = 0
  const tracker = changeTracker({
    fetchSince: async () => ({ changes: [], next: false, reset: true }),
    apply: () => {},
    reset: () => (resets += 1),
  })
  await tracker.resume(9)
  equal(resets, 1)
})

test('a server that lost what we had is believed: what comes next is applied', async () => {
  const applied: number[] = []
  let resets = 0
  const tracker = changeTracker({
    fetchSince: async () => ({ changes: [], next: false, reset: false }),
    apply: (_, payload) => applied.push(payload as number),
    reset: () => (resets += 1),
  })
  tracker.begin(9)
  await tracker.resume(4)
  tracker.heard(5, 'news', 5)
  deepEqual([applied, resets, tracker.last], [[5], 1, 5])
})

test('too old to catch up: the newest change says from where to go on', async () => {
  let resets = 0
  const applied: number[] = []
  const tracker = changeTracker({
    fetchSince: async () => ({
      changes: [{ change_id: 70, event: 'news', payload: 70 }],
      next: false,
      reset: true,
    }),
    apply: (_, payload) => applied.push(payload as number),
    reset: () => (resets += 1),
  })
  tracker.begin(3)
  await tracker.resume(70)
  tracker.heard(71, 'news', 71)
  deepEqual([applied, resets], [[71], 1])
})
