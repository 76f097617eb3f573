import { hasText, intlLocale, t } from '../../shared/i18n.ts'

/** Why a decision was made. A reason that this page does not know yet is against the rules, too. */
export function reasonText(reason: string): string {
  const id = `sanction.reason.${reason}`
  return hasText(id) ? t(id) : t('sanction.reason.other')
}

/** A moment with its day, in the page's language. */
export function timeText(time: string): string {
  return new Intl.DateTimeFormat(intlLocale(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(time),
  )
}
