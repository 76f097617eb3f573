import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** An audio context that starts suspended, as in Firefox and Safari. */
class SuspendedContext {
  static started = 0
  static resumed = Promise.withResolvers<void>()
  state = 'suspended'
  currentTime = 0
  resume() {
    return SuspendedContext.resumed.promise
  }
  createGain() {
    return node()
  }
  createOscillator() {
    return { ...node(), start: () => (SuspendedContext.started += 1), stop() {} }
  }
}

function node() {
  const param = { value: 0, setValueAtTime() {}, linearRampToValueAtTime() {} }
  const gain = { ...param, exponentialRampToValueAtTime() {} }
  return { gain, frequency: param, type: '', connect: (next: unknown) => next }
}

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
  SuspendedContext.started = 0
  SuspendedContext.resumed = Promise.withResolvers()
  vi.stubGlobal('AudioContext', SuspendedContext)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the first sound of a page is played once its audio has resumed', async () => {
  const { playSound } = await import('./sound.ts')
  playSound('found')
  expect(SuspendedContext.started).toBe(0)
  SuspendedContext.resumed.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(SuspendedContext.started).toBe(3)
})

test('a sound whose audio resumes much later is not played', async () => {
  const { playSound } = await import('./sound.ts')
  playSound('found')
  await vi.advanceTimersByTimeAsync(5_000)
  SuspendedContext.resumed.resolve()
  await vi.advanceTimersByTimeAsync(0)
  expect(SuspendedContext.started).toBe(0)
})
