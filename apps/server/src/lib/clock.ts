/**
 * The only source of time. Product days are civil days of a fixed GMT+3 (`rules.md`: no daylight saving, no zone database).
 */
export interface Clock {
  now(): Temporal.Instant
  /** Runs once at that instant (at once when it is past). Answers how to cancel. */
  at(when: Temporal.Instant, run: () => void): () => void
  /** Runs again and again, the first time after one period. Answers how to cancel. */
  every(period_ms: number, run: () => void): () => void
}

/** setTimeout overflows above this and would fire at once. */
const longest_timer_ms = 2_000_000_000

export const systemClock: Clock = {
  now: () => Temporal.Now.instant(),
  at(when, run) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left_ms = when.epochMilliseconds - Date.now()
      timer =
        left_ms > longest_timer_ms
          ? setTimeout(arm, longest_timer_ms)
          : setTimeout(run, Math.max(0, left_ms))
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
  every(period_ms, run) {
    const timer = setInterval(run, period_ms)
    timer.unref()
    return () => clearInterval(timer)
  },
}

const product_zone = '+03:00'

/** The product's day (GMT+3) that an instant falls into. */
export function productDay(at: Temporal.Instant): Temporal.PlainDate {
  return at.toZonedDateTimeISO(product_zone).toPlainDate()
}

/** The first instant of a product day. */
export function startOfProductDay(day: Temporal.PlainDate): Temporal.Instant {
  return day.toZonedDateTime(product_zone).toInstant()
}

export function plusMs(at: Temporal.Instant, ms: number): Temporal.Instant {
  return at.add({ milliseconds: ms })
}

/** Whole milliseconds from one instant to a later one; negative when it is earlier. */
export function msBetween(from: Temporal.Instant, to: Temporal.Instant): number {
  return to.epochMilliseconds - from.epochMilliseconds
}

/** As the wire writes it: ISO 8601, UTC, `Z`, milliseconds. */
export function wireTime(at: Temporal.Instant): string {
  return at.toString({ fractionalSecondDigits: 3 })
}
