import { intlLocale } from '../../shared/i18n.ts'

/** The open spans of a girl, as the server answers them. */
interface OpenSpan {
  readonly from: string
  readonly until: string
}

/** Dates begin at half hours. */
export const STEP_MS = 30 * 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** A page of times formats hundreds, and a browser takes long to make a format. */
function formatWith(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = locale + JSON.stringify(options)
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat(locale, options)
  formats.set(name, format)
  return format
}

export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** The beginnings at which a date of this length fits into the open spans: the half hours of the clock in her zone. */
export function startsWithin(
  spans: readonly OpenSpan[],
  {
    minutes,
    nowMs,
    zone,
  }: { readonly minutes: number; readonly nowMs: number; readonly zone: string },
): number[] {
  return spans.flatMap(({ from, until }) => {
    const shiftMs = shiftOfHour(Date.parse(from), zone)
    const earliestMs = Math.max(Date.parse(from), nowMs) + shiftMs
    const fromMs = Math.ceil(earliestMs / STEP_MS) * STEP_MS - shiftMs
    const lastMs = Date.parse(until) - minutes * 60_000
    const starts: number[] = []
    for (let at = fromMs; at <= lastMs; at += STEP_MS) starts.push(at)
    return starts
  })
}

/** How far the minute hand in a zone is ahead of that of UTC: half an hour in India, 45 minutes in Nepal. */
function shiftOfHour(ms: number, zone: string): number {
  const minute = formatWith('en', { minute: 'numeric', timeZone: zone }).format(ms)
  return Number(minute) * 60_000 - (ms % 3_600_000) + (ms % 60_000)
}

/** A calendar day in a zone as a sortable text: `2027-03-28`. */
export function toDay(ms: number, zone: string): string {
  return formatWith('en-CA', { timeZone: zone, dateStyle: 'short' }).format(ms)
}

/** The minute of the day on the clock of a zone. */
export function toMinute(ms: number, zone: string): number {
  const format = formatWith('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  const [hour, minute] = format.format(ms).split(':').map(Number)
  return hour! * 60 + minute!
}

/** The day this number of days after a day like `2027-03-28`. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** From the first to the last day, as `28 Mar – 3 Apr`. */
export function formatDays(first: string, last: string): string {
  const [from, until] = [first, last].map((day) => Date.parse(`${day}T12:00:00Z`))
  return formatWith(intlLocale(), { day: 'numeric', month: 'short', timeZone: 'UTC' }).formatRange(
    from!,
    until!,
  )
}

/** The name of a day like `2027-03-28`. */
export function formatDayName(day: string, style: 'short' | 'long' = 'short'): string {
  return formatWith(intlLocale(), {
    weekday: style,
    day: 'numeric',
    month: style,
    timeZone: 'UTC',
  }).format(Date.parse(`${day}T12:00:00Z`))
}

/** The parts of a day like `2027-03-28` in a narrow column. */
export function formatWeekdayAndDate(day: string): {
  weekday: string
  letter: string
  date: string
} {
  const ms = Date.parse(`${day}T12:00:00Z`)
  const format = (options: Intl.DateTimeFormatOptions) =>
    formatWith(intlLocale(), Object.assign({ timeZone: 'UTC' }, options)).format(ms)
  return {
    weekday: format({ weekday: 'short' }),
    letter: format({ weekday: 'narrow' }),
    date: format({ day: 'numeric' }),
  }
}

export function formatClock(ms: number, zone: string): string {
  return formatWith(intlLocale(), { timeStyle: 'short', timeZone: zone }).format(ms)
}

/** Day and time in a zone, in one line. */
export function formatMoment(ms: number, zone: string): string {
  return formatWith(intlLocale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).format(ms)
}

/** `2d 3h`, `3h 20m`, `9:05` in the last hour. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const unit = (value: number, name: 'day' | 'hour' | 'minute') =>
    new Intl.NumberFormat(intlLocale(), {
      style: 'unit',
      unit: name,
      unitDisplay: 'narrow',
    }).format(value)
  const days = Math.floor(seconds / 86_400)
  const hours = Math.floor((seconds % 86_400) / 3600)
  if (days > 0) return `${unit(days, 'day')} ${unit(hours, 'hour')}`
  return `${unit(hours, 'hour')} ${unit(Math.floor((seconds % 3600) / 60), 'minute')}`
}

/** The name of a weekday: 1 is Monday. */
export function formatWeekday(weekday: number, style: 'short' | 'long' = 'short'): string {
  // 1 January 2024 was a Monday.
  return formatWith(intlLocale(), { weekday: style, timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, weekday, 12),
  )
}

/** An hour of the day on a clock: 24 is the end of the day. */
export function formatHour(hour: number): string {
  return formatWith(intlLocale(), { timeStyle: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, 1, hour),
  )
}
