import { array, assert, constantFrom, property } from 'fast-check'
import { equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { adapt, FIRST_QUALITY, stepAt, STEPS } from './adaptation.ts'
import type { Quality } from './adaptation.ts'
import { NO_READING } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'

type Second = Partial<Pick<LinkReading, 'available_bps' | 'round_trip_ms' | 'held_back_by'>> & {
  loss?: number
}

const GOOD: Second = { available_bps: 3_000_000, round_trip_ms: 40 }
const NARROW: Second = { available_bps: 100_000, round_trip_ms: 40 }
const LOSSY: Second = { ...GOOD, loss: 0.2 }
const SLOW: Second = { ...GOOD, round_trip_ms: 1500 }
const BUSY: Second = { ...GOOD, held_back_by: 'cpu' }

/** A hundred packets leave each second. `seconds` states how many of them arrive. */
function live(seconds: Second[], from: Quality = FIRST_QUALITY): Quality {
  let quality = from
  let before: LinkReading = NO_READING
  for (const { loss = 0, ...second } of seconds) {
    const now: LinkReading = {
      ...before,
      held_back_by: 'nothing',
      ...second,
      packets_sent: before.packets_sent + 100,
      packets_lost: before.packets_lost + loss * 100,
    }
    quality = adapt(quality, before, now)
    before = now
  }
  return quality
}

const times = (count: number, second: Second): Second[] =>
  Array.from({ length: count }, () => second)
const WARM = live(times(6, GOOD))

test('the low guess of a young connection is not taken for a weak network', () => {
  partialDeepStrictEqual(live(times(6, NARROW)), { step: 0, weak: false })
})

for (const [name, second] of [
  ['a narrow', NARROW],
  ['a lossy', LOSSY],
  ['a slow', SLOW],
] as const) {
  test(`${name} network takes from the picture, step by step, and is called weak`, () => {
    equal(live(times(2, second), WARM).step, 0)
    partialDeepStrictEqual(live(times(3, second), WARM), { step: 1, weak: false })
    partialDeepStrictEqual(live(times(6, second), WARM), { step: 2, weak: true })
  })
}

test('one bad second changes nothing', () => {
  equal(live([LOSSY, GOOD, LOSSY, LOSSY, GOOD, LOSSY], WARM).step, 0)
})

test('a tired processor sends less and is not called a weak connection', () => {
  partialDeepStrictEqual(live(times(9, BUSY), WARM), { step: 3, weak: false })
})

test('a network that recovers gives the picture back, slower than it took it', () => {
  const poor = live(times(6, NARROW), WARM)
  equal(live(times(4, GOOD), poor).step, 2)
  partialDeepStrictEqual(live(times(5, GOOD), poor), { step: 1, weak: false })
  equal(live(times(10, GOOD), poor).step, 0)
})

test('a step up that had to be taken back is tried again later each time', () => {
  const poor = live(times(6, NARROW), WARM)
  const tried = live([...times(5, GOOD), ...times(3, NARROW)], poor)
  equal(tried.step, 2)
  equal(live(times(9, GOOD), tried).step, 2)
  equal(live(times(10, GOOD), tried).step, 1)
})

test('whatever the network does there is a picture of at least ten frames a second', () => {
  assert(
    property(
      array(constantFrom(GOOD, NARROW, LOSSY, SLOW, BUSY), { maxLength: 200 }),
      (seconds) => {
        const { step } = live(seconds)
        ok(step < STEPS.length)
        ok(stepAt(step).max_fps >= 10)
      },
    ),
  )
})
