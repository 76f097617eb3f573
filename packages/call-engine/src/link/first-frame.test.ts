import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { FakeEngineClock } from '../fakes/fake-clock.ts'
import { watchFirstFrame } from './first-frame.ts'
import { NO_READING } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'

/** A video element whose painting the test does by hand. */
class FakeScreen {
  #waiting = new Map<number, () => void>()
  #request = 0

  requestVideoFrameCallback(paint: () => void): number {
    this.#request += 1
    this.#waiting.set(this.#request, paint)
    return this.#request
  }

  cancelVideoFrameCallback(request: number): void {
    this.#waiting.delete(request)
  }

  paint(): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const each of waiting) each()
  }
}

function watching(screen: FakeScreen | object | null) {
  const clock = new FakeEngineClock()
  const seen = {
    frames: 0,
    decoded: 0,
    hasFrame: false,
    reading: NO_READING as LinkReading,
    isPainted: true,
  }
  const stop = watchFirstFrame({
    clock,
    page: { isPainted: () => seen.isPainted },
    onDecoded: () => (seen.decoded += 1),
    element: () => screen as unknown as HTMLVideoElement | null,
    hasFrame: () => seen.hasFrame,
    read: async () => seen.reading,
    onFrame: () => (seen.frames += 1),
  })
  return { clock, seen, stop }
}

const DECODED = {
  ...NO_READING,
  frames_decoded: 1,
  video_packets_received: 5,
  audio_packets_received: 5,
}
const VOICE_ONLY = { ...NO_READING, audio_packets_received: 5 }

test('the first painted frame is told at once, and once', async () => {
  const screen = new FakeScreen()
  const { clock, seen } = watching(screen)
  await clock.pass(0)
  seen.hasFrame = true
  screen.paint()
  equal(seen.frames, 1)
  screen.paint()
  await clock.pass(10_000)
  equal(seen.frames, 1)
})

test('a late frame of the former partner is not the first one of this', async () => {
  const screen = new FakeScreen()
  const { clock, seen } = watching(screen)
  await clock.pass(0)
  screen.paint()
  equal(seen.frames, 0)
  seen.hasFrame = true
  screen.paint()
  equal(seen.frames, 1)
})

test('a visible tab is never connected by a decoded frame that is not painted', async () => {
  const screen = new FakeScreen()
  const { clock, seen } = watching(screen)
  seen.reading = DECODED
  seen.hasFrame = true
  await clock.pass(10_000)
  equal(seen.frames, 0)
  screen.paint()
  equal(seen.frames, 1)
})

test('a decoded frame is reported once, before it is painted', async () => {
  const { clock, seen } = watching(new FakeScreen())
  await clock.pass(1_000)
  equal(seen.decoded, 0)
  seen.hasFrame = true
  await clock.pass(1_000)
  equal(seen.decoded, 1)
  equal(seen.frames, 0)
})

test('in a hidden tab, where nothing is painted, a decoded frame is enough', async () => {
  const { clock, seen } = watching(new FakeScreen())
  seen.isPainted = false
  await clock.pass(400)
  equal(seen.frames, 0)
  seen.reading = DECODED
  await clock.pass(250)
  equal(seen.frames, 1)
})

test('a tab that is hidden while a frame waits to be painted is connected', async () => {
  const { clock, seen } = watching(new FakeScreen())
  seen.reading = DECODED
  await clock.pass(1_000)
  equal(seen.frames, 0)
  seen.isPainted = false
  await clock.pass(250)
  equal(seen.frames, 1)
})

test('in a browser that does not report painting a decoded frame is enough', async () => {
  const { clock, seen } = watching({})
  seen.reading = DECODED
  await clock.pass(250)
  equal(seen.frames, 1)
})

test('without anything on screen the first decoded frame counts', async () => {
  const { clock, seen } = watching(null)
  await clock.pass(1000)
  equal(seen.frames, 0)
  seen.reading = DECODED
  await clock.pass(300)
  equal(seen.frames, 1)
})

test('a partner with the camera off is connected by voice after two seconds', async () => {
  const { clock, seen } = watching(new FakeScreen())
  seen.reading = VOICE_ONLY
  await clock.pass(1_900)
  equal(seen.frames, 0)
  await clock.pass(200)
  equal(seen.frames, 1)
})

test('a watch that was stopped tells nothing', async () => {
  const screen = new FakeScreen()
  const { clock, seen, stop } = watching(screen)
  await clock.pass(0)
  stop()
  seen.hasFrame = true
  seen.reading = DECODED
  screen.paint()
  await clock.pass(10_000)
  equal(seen.frames, 0)
})
