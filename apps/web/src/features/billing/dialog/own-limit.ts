import type { RefusedError } from '@duet/client'
import { t } from '../../../shared/i18n.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'

/** Why the own limits refuse a purchase: a pause, until its end, or the minutes of the day. */
export function ownLimitSentence({ additional }: RefusedError): string {
  const until = additional['cool_off_until']
  return typeof until === 'string'
    ? t('billing.pause_until', { day: formatDay(until) })
    : t('billing.own_limit')
}
