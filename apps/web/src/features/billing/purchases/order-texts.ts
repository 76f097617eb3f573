import type { Tone } from '@duet/ui'
import type { Order } from '@duet/protocol/contracts/billing.ts'
import { t } from '../../../shared/i18n.ts'

export const STATUS_TONES: Readonly<Record<Order['status'], Tone>> = {
  waiting: 'moon',
  checking: 'warn',
  paid: 'ok',
  failed: 'danger',
  expired: 'plain',
  refunded: 'plain',
  disputed: 'danger',
}

/** The content of a purchase: `345 minutes`, the bonus included. */
export function orderTitle({ pack, value, bonus }: Order): string {
  const count = value + bonus
  return t(pack === 'minutes' ? 'billing.order_minutes' : 'billing.order_messages', { count })
}
