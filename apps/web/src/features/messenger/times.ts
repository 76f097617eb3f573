import { parseTime } from '@duet/protocol/kernel/time.ts'
import { intlLocale, t } from '../../shared/i18n.ts'
import { toCivilDay } from './thread/thread-items.ts'

const DAY_MS = 86_400_000

/** "21:08" */
export function formatClock(time: string): string {
  return new Intl.DateTimeFormat(intlLocale(), { timeStyle: 'short' }).format(parseTime(time))
}

/** The short form in a list: the time today, the weekday within a week, else the date. */
export function formatShortTime(time: string, nowMs: number): string {
  if (toCivilDay(time) === toCivilDay(new Date(nowMs).toISOString())) return formatClock(time)
  const isRecent = nowMs - parseTime(time) < 6 * DAY_MS
  const form: Intl.DateTimeFormatOptions = isRecent
    ? { weekday: 'short' }
    : { day: 'numeric', month: 'short' }
  return new Intl.DateTimeFormat(intlLocale(), form).format(parseTime(time))
}

/** The heading of a day: today, yesterday, else the date. */
export function formatDayName(time: string, nowMs: number): string {
  const day = toCivilDay(time)
  if (day === toCivilDay(new Date(nowMs).toISOString())) return t('messenger.today')
  if (day === toCivilDay(new Date(nowMs - DAY_MS).toISOString())) return t('messenger.yesterday')
  const isThisYear = new Date(parseTime(time)).getFullYear() === new Date(nowMs).getFullYear()
  return new Intl.DateTimeFormat(intlLocale(), {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(parseTime(time))
}
