import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchDroppedFrames } from './dropped-frames.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Plays second after second. Each second has its decoded and dropped frames. */
function play(...seconds: [total: number, dropped: number][]): number {
  const counted = { totalVideoFrames: 0, droppedVideoFrames: 0 }
  let calls = 0
  const stop = watchDroppedFrames(
    { getVideoPlaybackQuality: () => ({ ...counted }) as VideoPlaybackQuality },
    () => (calls += 1),
  )
  for (const [total, dropped] of seconds) {
    counted.totalVideoFrames += total
    counted.droppedVideoFrames += dropped
    vi.advanceTimersByTime(1_000)
  }
  stop()
  return calls
}

test('a quarter of the frames dropped for three seconds is reported once', () => {
  expect(play([30, 10], [30, 10])).toBe(0)
  expect(play([30, 10], [30, 10], [30, 10], [30, 10])).toBe(1)
})

test('a short dip and a picture with few frames are not reported', () => {
  expect(play([30, 10], [30, 10], [30, 0], [30, 10])).toBe(0)
  expect(play([5, 5], [5, 5], [5, 5], [5, 5])).toBe(0)
})
