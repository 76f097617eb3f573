import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { createWakeTimers } from './wake-timers.ts'

const noon = Temporal.Instant.from('2030-01-01T12:00:00Z')

/** Timers that a test fires by hand. */
function manualClock() {
  const pending = new Map<number, () => void>()
  return {
    pending,
    at(when: Temporal.Instant, run: () => void) {
      pending.set(when.epochMilliseconds, run)
      return () => void pending.delete(when.epochMilliseconds)
    },
  }
}

test('a new instant replaces the wake-up of its key and null removes it', () => {
  const clock = manualClock()
  const woken: string[] = []
  const timers = createWakeTimers<string>(clock, (key) => woken.push(key))
  timers.set('a', noon)
  timers.set('a', noon.add({ seconds: 1 }))
  timers.set('b', noon.add({ seconds: 2 }))
  timers.set('b', null)
  deepEqual([...clock.pending.keys()], [noon.epochMilliseconds + 1000])
  clock.pending.get(noon.epochMilliseconds + 1000)!()
  deepEqual(woken, ['a'])
})

test('a wake-up that has fired can be set for the same instant again', () => {
  const clock = manualClock()
  const woken: string[] = []
  const timers = createWakeTimers<string>(clock, (key) => woken.push(key))
  timers.set('a', noon)
  clock.pending.get(noon.epochMilliseconds)!()
  timers.set('a', noon)
  clock.pending.get(noon.epochMilliseconds)!()
  deepEqual(woken, ['a', 'a'])
})
