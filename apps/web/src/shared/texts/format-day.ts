import { parseTime } from '@duet/protocol/kernel/time.ts'
import { intlLocale } from '../i18n.ts'

const PRODUCT_ZONE_MS = 3 * 3_600_000

/** The last day of a period that ends with the first moment after it, in the zone of the product. */
export function formatLastDay(end: string): string {
  // Not every browser takes an offset as a zone.
  const last = new Date(new Date(end).getTime() - 1 + PRODUCT_ZONE_MS)
  return new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'long', timeZone: 'UTC' }).format(last)
}

/** The day of a time, where the user is. */
export function formatDay(time: string, dateStyle: 'long' | 'medium' = 'long'): string {
  return new Date(parseTime(time)).toLocaleDateString(intlLocale(), { dateStyle })
}
