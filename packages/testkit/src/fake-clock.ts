import type { Clock } from '@duet/server/lib/clock.ts'

interface Timer {
  due_ms: number
  readonly order: number
  readonly period_ms: number | undefined
  readonly run: () => void
}

/** Long after the database's own clock, so that what it stamped is past; a Monday noon of the product's zone. */
const beginning = Temporal.Instant.from('2030-03-04T09:00:00Z')

/** Time that stands still until it is moved. */
export interface FakeClock extends Clock {
  /**
   * Moves to the next timer that is due by then and runs it. False if no timer is left: then the clock
   * shows that time.
   */
  step(until: Temporal.Instant): boolean
  readonly timers: number
  /**
   * Behaves as a machine that slept: the time is `until`, due timers run late, and a repeating
   * timer skips its missed runs.
   */
  sleep(until: Temporal.Instant): void
  /** A process that died keeps no timers. */
  forget(): void
}

export function createFakeClock(): FakeClock {
  let nowMs = beginning.epochMilliseconds
  let order = 0
  const timers = new Set<Timer>()

  function add(dueMs: number, periodMs: number | undefined, run: () => void): () => void {
    const timer = { due_ms: dueMs, order: (order += 1), period_ms: periodMs, run }
    timers.add(timer)
    return () => timers.delete(timer)
  }

  function next(): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) {
      if (
        !first ||
        timer.due_ms < first.due_ms ||
        (timer.due_ms === first.due_ms && timer.order < first.order)
      )
        first = timer
    }
    return first
  }

  return {
    now: () => Temporal.Instant.fromEpochMilliseconds(nowMs),
    at: (when, run) => add(Math.max(when.epochMilliseconds, nowMs), undefined, run),
    every: (periodMs, run) => add(nowMs + periodMs, periodMs, run),
    get timers() {
      return timers.size
    },
    forget: () => timers.clear(),
    sleep(until) {
      nowMs = Math.max(nowMs, until.epochMilliseconds)
      for (const timer of timers) {
        const { period_ms, due_ms } = timer
        if (period_ms === undefined || due_ms > until.epochMilliseconds) continue
        timer.due_ms += Math.ceil((until.epochMilliseconds - due_ms + 1) / period_ms) * period_ms
      }
    },
    step(until) {
      const timer = next()
      if (!timer || timer.due_ms > until.epochMilliseconds) {
        nowMs = Math.max(nowMs, until.epochMilliseconds)
        return false
      }
      nowMs = Math.max(nowMs, timer.due_ms)
      if (timer.period_ms === undefined) timers.delete(timer)
      else timer.due_ms += timer.period_ms
      timer.run()
      return true
    },
  }
}

/** `'10 s'`, `'3 min'`, `'24 h'`, `'500 ms'`, `'2 days'` or milliseconds. */
export function toMilliseconds(duration: string | number): number {
  if (typeof duration === 'number') return duration
  const match = /^(\d+(?:\.\d+)?) ?(ms|s|min|h|days?)$/.exec(duration)
  if (!match) throw new Error(`A duration is written as 10 s, not ${duration}`)
  const unit = { ms: 1, s: 1000, min: 60_000, h: 3_600_000, day: 86_400_000, days: 86_400_000 }[
    match[2]!
  ]!
  return Number(match[1]) * unit
}
