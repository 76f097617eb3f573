import { type Clock, systemClock } from '@duet/server/lib/clock.ts'

/** The machine's clock with a lead, so that a server in front of a real browser can be days later at once. */
export interface ShiftedClock extends Clock {
  /** Runs everything that becomes due by it. */
  leap(by: Temporal.DurationLike): void
}

interface Timer {
  readonly when: Temporal.Instant
  readonly run: () => void
  cancel: () => void
}

export function createShiftedClock(): ShiftedClock {
  let lead = Temporal.Duration.from({ hours: 0 })
  const timers = new Set<Timer>()

  function arm(timer: Timer): void {
    timer.cancel = systemClock.at(timer.when.subtract(lead), () => {
      timers.delete(timer)
      timer.run()
    })
  }

  return {
    now: () => systemClock.now().add(lead),
    at(when, run) {
      const timer: Timer = { when, run, cancel: () => {} }
      timers.add(timer)
      arm(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
    every: (periodMs, run) => systemClock.every(periodMs, run),
    leap(by) {
      lead = lead.add(by)
      for (const timer of [...timers]) {
        timer.cancel()
        arm(timer)
      }
    },
  }
}
