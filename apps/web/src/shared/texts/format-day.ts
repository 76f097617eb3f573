import { parseTime } from '@duet/protocol/kernel/time.ts'
import { intlLocale } from '../i18n.ts'

/** The day of a time, where the user is. */
export function formatDay(time: string, dateStyle: 'long' | 'medium' = 'long'): string {
  return new Date(parseTime(time)).toLocaleDateString(intlLocale(), { dateStyle })
}
