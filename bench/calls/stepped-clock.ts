import type { Clock } from '@duet/server/lib/clock.ts'

interface Timer {
  due_ms: number
  readonly period_ms: number | undefined
  readonly run: () => void
}

/** Long after the clock of the database, so that everything it stamped is past. */
const BEGINNING = Temporal.Instant.from('2030-03-04T09:00:00Z')

/** Time that moves in steps. Timers of a step run together, as in a busy server. */
export class SteppedClock implements Clock {
  #nowMs = BEGINNING.epochMilliseconds
  readonly #timers = new Set<Timer>()

  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(this.#nowMs)
  }

  at(when: Temporal.Instant, run: () => void): () => void {
    return this.#add({ due_ms: when.epochMilliseconds, period_ms: undefined, run })
  }

  every(periodMs: number, run: () => void): () => void {
    return this.#add({ due_ms: this.#nowMs + periodMs, period_ms: periodMs, run })
  }

  /** Moves the time, then runs the due timers in the order of their times. */
  step(ms: number): void {
    this.#nowMs += ms
    const due = [...this.#timers].filter(({ due_ms }) => due_ms <= this.#nowMs)
    for (const timer of due.sort((one, other) => one.due_ms - other.due_ms)) {
      if (timer.period_ms === undefined) this.#timers.delete(timer)
      else timer.due_ms = this.#nowMs + timer.period_ms
      timer.run()
    }
  }

  /** A process that was killed keeps no timers. */
  forget(): void {
    this.#timers.clear()
  }

  #add(timer: Timer): () => void {
    this.#timers.add(timer)
    return () => this.#timers.delete(timer)
  }
}
