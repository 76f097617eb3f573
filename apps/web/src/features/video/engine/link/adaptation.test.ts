import { array, assert, constantFrom, property } from 'fast-check'
import { expect, test } from 'vitest'
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

/** A hundred packets a second leave; `seconds` say what became of them. */
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
  expect(live(times(6, NARROW))).toMatchObject({ step: 0, weak: false })
})

test.each([
  ['a narrow', NARROW],
  ['a lossy', LOSSY],
  ['a slow', SLOW],
])('%s network takes from the picture, step by step, and is called weak', (_name, second) => {
  expect(live(times(2, second), WARM).step).toBe(0)
  expect(live(times(3, second), WARM)).toMatchObject({ step: 1, weak: false })
  expect(live(times(6, second), WARM)).toMatchObject({ step: 2, weak: true })
})

test('one bad second changes nothing', () => {
  expect(live([LOSSY, GOOD, LOSSY, LOSSY, GOOD, LOSSY], WARM).step).toBe(0)
})

test('a tired processor sends less and is not called a weak connection', () => {
  expect(live(times(9, BUSY), WARM)).toMatchObject({ step: 3, weak: false })
})

test('a network that recovers gives the picture back, slower than it took it', () => {
  const poor = live(times(6, NARROW), WARM)
  expect(live(times(4, GOOD), poor).step).toBe(2)
  expect(live(times(5, GOOD), poor)).toMatchObject({ step: 1, weak: false })
  expect(live(times(10, GOOD), poor).step).toBe(0)
})

test('a step up that had to be taken back is tried again later each time', () => {
  const poor = live(times(6, NARROW), WARM)
  const tried = live([...times(5, GOOD), ...times(3, NARROW)], poor)
  expect(tried.step).toBe(2)
  expect(live(times(9, GOOD), tried).step).toBe(2)
  expect(live(times(10, GOOD), tried).step).toBe(1)
})

test('whatever the network does there is a picture of at least ten frames a second', () => {
  assert(
    property(
      array(constantFrom(GOOD, NARROW, LOSSY, SLOW, BUSY), { maxLength: 200 }),
      (seconds) => {
        const { step } = live(seconds)
        expect(step).toBeLessThan(STEPS.length)
        expect(stepAt(step).max_fps).toBeGreaterThanOrEqual(10)
      },
    ),
  )
})
