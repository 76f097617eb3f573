import type { QuietHours } from '@duet/protocol'

/** The present or next quiet hours; nobody is quiet in a zone that there is not. */
export function quietWindow(
  quiet: QuietHours | null,
  now: Temporal.Instant,
): { from_ms: number; until_ms: number } | undefined {
  if (quiet === null) return undefined
  try {
    const today = now.toZonedDateTimeISO(quiet.zone).toPlainDate()
    const from = Temporal.PlainTime.from(quiet.from)
    const to = Temporal.PlainTime.from(quiet.to)
    const overnight = Temporal.PlainTime.compare(from, to) >= 0
    for (const days of [-1, 0, 1]) {
      const day = today.add({ days })
      const at = (date: Temporal.PlainDate, plainTime: Temporal.PlainTime) =>
        date.toZonedDateTime({ timeZone: quiet.zone, plainTime }).epochMilliseconds
      const until_ms = at(overnight ? day.add({ days: 1 }) : day, to)
      if (until_ms > now.epochMilliseconds) return { from_ms: at(day, from), until_ms }
    }
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
