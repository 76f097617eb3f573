import type { RefusedError } from '@duet/client'
import { t } from '../../../shared/i18n.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { formatPrice } from '../money-format.ts'

/** Why the own limits refuse a purchase: a pause, until its end, or the money of the day. */
export function ownLimitSentence({ additional }: RefusedError): string {
  const { cool_off_until: until, left } = additional
  if (typeof until === 'string') return t('billing.pause_until', { day: formatDay(until) })
  const price = formatPrice(typeof left === 'string' ? left : '0', 'USD')
  return t('billing.own_limit', { price })
}
