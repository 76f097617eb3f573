import { parseTime } from '@duet/protocol/kernel/time.ts'
import { intlLocale } from '../i18n.ts'

/** The day of a time, where the user is. */
export function formatDay(time: string): string {
  return new Date(parseTime(time)).toLocaleDateString(intlLocale(), { dateStyle: 'long' })
}
