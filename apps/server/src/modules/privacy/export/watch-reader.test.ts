import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { watchReader } from './watch-reader.ts'

const PART_BYTES = 64 * 1024

/** Offers parts to a reader who takes each after this time; returns how many the reader got. */
function partsTaken(everySeconds: number, pauseSeconds = 0): number {
  let nowMs = 0
  const reader = watchReader({ now: () => Temporal.Instant.fromEpochMilliseconds(nowMs) })
  for (let parts = 0; parts < 100; parts += 1) {
    nowMs += pauseSeconds * 1000
    reader.onOffer(PART_BYTES, true)
    nowMs += everySeconds * 1000
    if (reader.isTooSlow()) return parts
    reader.onOffer(PART_BYTES, false)
  }
  return 100
}

test('a reader who takes a part every 29 seconds loses the place after a minute', () => {
  equal(partsTaken(29), 2)
})

test('a reader who takes nothing for half a minute loses the place', () => {
  equal(partsTaken(31), 0)
})

test('a reader of a slow line keeps the place, also while the server is slow', () => {
  equal(partsTaken(3), 100)
  equal(partsTaken(1, 60), 100)
})
