import { parseTime } from '@duet/protocol/kernel/time.ts'
import { intlLocale } from '../i18n.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const
const DATE_FROM_DAYS = 7

/** The time since a moment, in the page's language. After a week a date. */
export function timeAgo(time: string, nowMs: number): string {
  const seconds = Math.max(0, (nowMs - parseTime(time)) / 1000)
  if (seconds >= DATE_FROM_DAYS * 86_400)
    return new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'medium' }).format(parseTime(time))
  return relativeTime(-seconds)
}

/** The time until a moment, in the page's language: "in 3h". */
export function timeUntil(time: string, nowMs: number): string {
  return relativeTime(Math.max(60, (parseTime(time) - nowMs) / 1000))
}

function relativeTime(seconds: number): string {
  const [unit, unitSeconds] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? [
    'minute',
    60,
  ]
  return new Intl.RelativeTimeFormat(intlLocale(), { numeric: 'auto', style: 'narrow' }).format(
    Math.trunc(seconds / unitSeconds),
    unit,
  )
}
