import type { QuietHours } from '@duet/protocol'

/** The current or next quiet hours, in epoch milliseconds. Undefined if the time zone does not exist. */
export function quietWindow(
  quiet: QuietHours | null,
  now: Temporal.Instant,
): { from_ms: number; until_ms: number } | undefined {
  if (quiet === null) return undefined
  try {
    const today = now.toZonedDateTimeISO(quiet.zone).toPlainDate()
    const from = Temporal.PlainTime.from(quiet.from)
    const to = Temporal.PlainTime.from(quiet.to)
    const isOvernight = Temporal.PlainTime.compare(from, to) >= 0
    for (const days of [-1, 0, 1]) {
      const day = today.add({ days })
      const at = (date: Temporal.PlainDate, plainTime: Temporal.PlainTime) =>
        date.toZonedDateTime({ timeZone: quiet.zone, plainTime }).epochMilliseconds
      const untilMs = at(isOvernight ? day.add({ days: 1 }) : day, to)
      if (untilMs > now.epochMilliseconds) return { from_ms: at(day, from), until_ms: untilMs }
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
