import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { wireTime } from '../../../lib/clock.ts'
import type { OrderRow } from '../queries.ts'

/** An order as the operator reads it. */
export function showOrder(order: OrderRow) {
  const { price, returned, currency, created_at, paid_at, premium_from, premium_until, ...rest } =
    order
  return {
    ...rest,
    price: `${toDecimal(price, currency)} ${currency}`,
    price_usd: toDecimal(order.price_usd, 'USD'),
    returned: toDecimal(returned, currency),
    returned_units: order.returned_units.toString(),
    created_at: wireTime(created_at),
    paid_at: paid_at && wireTime(paid_at),
    premium: premium_from && premium_until && [wireTime(premium_from), wireTime(premium_until)],
  }
}
