import { intlLocale } from '../../../shared/i18n.ts'

/** The day and time of a visit, in the language and the time zone of the device. */
export function visitTime(time: string): string {
  return new Intl.DateTimeFormat(intlLocale(), {
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(time))
}
