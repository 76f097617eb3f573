/**
 * The only source of time. Product days are civil days of a fixed GMT+3: no daylight saving, no zone database.
 */
export interface Clock {
  now(): Temporal.Instant
  /** Runs once at that instant (at once when it is past). Returns how to cancel. */
  at(when: Temporal.Instant, run: () => void): () => void
  /** Runs repeatedly, the first time after one period. Returns how to cancel. */
  every(periodMs: number, run: () => void): () => void
}

/** setTimeout overflows above this and would fire at once. */
const TIMER_MAX_MS = 2_000_000_000

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  at(when, run) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const remainingMs = when.epochMilliseconds - Date.now()
      timer =
        remainingMs > TIMER_MAX_MS
          ? setTimeout(arm, TIMER_MAX_MS)
          : setTimeout(run, Math.max(0, remainingMs))
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
  every(periodMs, run) {
    const timer = setInterval(run, periodMs)
    timer.unref()
    return () => clearInterval(timer)
  },
}

const PRODUCT_ZONE = '+03:00'

/** The product's day (GMT+3) that an instant falls into. */
export function productDay(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(PRODUCT_ZONE).toPlainDate()
}

/** The first instant of a product day. */
export function startOfProductDay(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(PRODUCT_ZONE).toInstant()
}

export function plusMs(at: Temporal.Instant, ms: number): Temporal.Instant {
  return at.add({ milliseconds: ms })
}

/** Whole milliseconds from an instant to a later instant. Negative if the second instant is earlier. */
export function msBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return to.epochMilliseconds - from.epochMilliseconds
}

/** An instant on the wire: ISO 8601, UTC, `Z`, milliseconds. */
export function wireTime(at: Temporal.Instant): string {
  return at.toString({ fractionalSecondDigits: 3 })
}
