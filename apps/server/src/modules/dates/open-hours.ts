import type { OpenHours, QuietHours } from '@duet/protocol'
import { plusMs } from '../../lib/clock.ts'
import { quietWindow } from '../profile/index.ts'

/**
 * The open hours of a girl as spans of time. A window of her week is every instant whose clock in her zone shows a time
 * within it: an hour that summer time skips is never open, and an hour that occurs twice is open twice.
 */

export interface Week {
  readonly zone: string
  readonly hours: readonly OpenHours[]
}

/** Epoch milliseconds, the end excluded. */
export interface OpenSpan {
  readonly from_ms: number
  readonly until_ms: number
}

export function isZone(zone: string): boolean {
  // An offset is no place: it has no summer time, and no clock on a wall follows it.
  if (/^[+-]/.test(zone)) return false
  try {
    // Temporal also takes a whole time as a zone, which pages cannot format.
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The spans within `within` in which she is open, in order; spans that touch are one. */
export function openSpans({ zone, hours }: Week, within: OpenSpan): OpenSpan[] {
  const first = toDate(within.from_ms, zone)
  const spans: OpenSpan[] = []
  for (let day = first; ; day = day.add({ days: 1 })) {
    const pieces = piecesOfDay(day, zone)
    if (pieces[0]!.from_ms >= within.until_ms) break
    for (const window of hours)
      if (window.weekday === day.dayOfWeek) spans.push(...spansOfWindow(day, window, pieces))
  }
  return intersect(join(spans), within)
}

function toDate(ms: number, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate()
}

/** A part of a day with one offset to UTC. Most days have one part. */
interface PieceOfDay extends OpenSpan {
  readonly offset_ms: number
}

function piecesOfDay(day: Temporal.PlainDate, zone: string): PieceOfDay[] {
  const until = day.add({ days: 1 }).toZonedDateTime(zone)
  const pieces: PieceOfDay[] = []
  let at = day.toZonedDateTime(zone)
  while (Temporal.ZonedDateTime.compare(at, until) < 0) {
    const change = at.getTimeZoneTransition('next')
    const next = change && Temporal.ZonedDateTime.compare(change, until) < 0 ? change : until
    pieces.push({
      from_ms: at.epochMilliseconds,
      until_ms: next.epochMilliseconds,
      offset_ms: at.offsetNanoseconds / 1e6,
    })
    at = next
  }
  return pieces
}

const MINUTE_MS = 60_000

function spansOfWindow(
  day: Temporal.PlainDate,
  { from_minute, until_minute }: OpenHours,
  pieces: readonly PieceOfDay[],
): OpenSpan[] {
  const midnightMs = day.toZonedDateTime('UTC').epochMilliseconds
  return pieces.flatMap(({ offset_ms, ...piece }) =>
    intersect(
      [
        {
          from_ms: midnightMs + from_minute * MINUTE_MS - offset_ms,
          until_ms: midnightMs + until_minute * MINUTE_MS - offset_ms,
        },
      ],
      piece,
    ),
  )
}

function intersect(spans: readonly OpenSpan[], within: OpenSpan): OpenSpan[] {
  return spans
    .map(({ from_ms, until_ms }) => ({
      from_ms: Math.max(from_ms, within.from_ms),
      until_ms: Math.min(until_ms, within.until_ms),
    }))
    .filter(({ from_ms, until_ms }) => from_ms < until_ms)
}

function join(spans: readonly OpenSpan[]): OpenSpan[] {
  const joined: OpenSpan[] = []
  for (const span of spans.toSorted((one, other) => one.from_ms - other.from_ms)) {
    const last = joined.at(-1)
    if (last && span.from_ms <= last.until_ms)
      joined[joined.length - 1] = {
        from_ms: last.from_ms,
        until_ms: Math.max(last.until_ms, span.until_ms),
      }
    else joined.push(span)
  }
  return joined
}

/** The parts of the spans that others leave. */
export function withoutSpans(spans: readonly OpenSpan[], others: readonly OpenSpan[]): OpenSpan[] {
  let left = [...spans]
  for (const { from_ms, until_ms } of others)
    left = left.flatMap((span) => [
      ...intersect([span], { from_ms: -Infinity, until_ms: from_ms }),
      ...intersect([span], { from_ms: until_ms, until_ms: Infinity }),
    ])
  return left
}

/** Her quiet hours within a span, in which she takes no calls. */
export function quietSpans(quiet: QuietHours | null, within: OpenSpan): OpenSpan[] {
  const spans: OpenSpan[] = []
  let at = within.from_ms
  while (at < within.until_ms) {
    const next = quietWindow(quiet, Temporal.Instant.fromEpochMilliseconds(at))
    if (!next || next.from_ms >= within.until_ms) break
    spans.push(next)
    at = next.until_ms
  }
  return spans
}

/** Whether a date lies within her open hours as a whole. */
export function isOpenFor(
  week: Week,
  quiet: QuietHours | null,
  { at, minutes }: { readonly at: Temporal.Instant; readonly minutes: number },
): boolean {
  const date = {
    from_ms: at.epochMilliseconds,
    until_ms: plusMs(at, minutes * MINUTE_MS).epochMilliseconds,
  }
  const [open] = withoutSpans(openSpans(week, date), quietSpans(quiet, date))
  return open?.from_ms === date.from_ms && open.until_ms === date.until_ms
}

/** The windows of a week in order, where windows that touch are one. */
export function joinWindows(hours: readonly OpenHours[]): OpenHours[] {
  return [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) =>
    join(
      hours
        .filter((one) => one.weekday === weekday)
        .map(({ from_minute, until_minute }) => ({ from_ms: from_minute, until_ms: until_minute })),
    ).map(({ from_ms, until_ms }) => ({ weekday, from_minute: from_ms, until_minute: until_ms })),
  )
}
