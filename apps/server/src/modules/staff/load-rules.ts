const PAUSE_MINUTES = 10
const MINUTE_MS = 60_000

/** A decision of a member of staff. `is_severe`: about a child, violence or nudity. */
export interface CountedDecision {
  readonly at: Temporal.Instant
  readonly is_severe: boolean
}

export interface LoadLimits {
  readonly severe_hour_max: number
  readonly severe_shift_max: number
  readonly break_minutes: number
}

/**
 * Counts the decisions of a shift, which come from the newest on. Ten minutes without a decision are a break. A limit of
 * 0 is none.
 */
export function countLoad(
  decisions: readonly CountedDecision[],
  now: Temporal.Instant,
  { severe_hour_max, severe_shift_max, break_minutes }: LoadLimits,
) {
  const severe = decisions.filter(({ is_severe }) => is_severe)
  const minutesAgo = (at: Temporal.Instant) =>
    (now.epochMilliseconds - at.epochMilliseconds) / MINUTE_MS
  const severe_hour = severe.filter(({ at }) => minutesAgo(at) < 60).length
  const severe_shift = severe.length
  const isReached = (count: number, max: number) => max > 0 && count >= max
  let latest = 0
  for (const { at } of decisions) {
    if (minutesAgo(at) - latest >= PAUSE_MINUTES) break
    latest = minutesAgo(at)
  }
  const deciding_minutes = Math.floor(latest)
  return {
    severe_hour,
    severe_shift,
    is_limited:
      isReached(severe_hour, severe_hour_max) || isReached(severe_shift, severe_shift_max),
    deciding_minutes,
    is_break_due: isReached(deciding_minutes, break_minutes),
  }
}
