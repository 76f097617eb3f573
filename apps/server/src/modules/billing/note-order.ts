import type { Tx } from '../../core/app.ts'
import { toDecimal } from '../../lib/payments/minor-units.ts'
import { addNotice } from '../notices/index.ts'
import type { OrderRow } from './queries.ts'

/** The line in the bell of the buyer: what was bought, or that a payment is checked or was given back. */
export async function noteOrder(
  tx: Tx,
  order: OrderRow,
  what?: 'checking' | 'back',
): Promise<void> {
  const { order_id, user_id, pack, value, bonus, price, currency } = order
  const facts = {
    pack,
    count: value + bonus,
    price: `${toDecimal(price, currency)} ${currency}`,
    order: order_id,
  }
  const key = ['order', order_id, what].filter((part) => part !== undefined).join(':')
  await addNotice(tx, {
    user_id,
    kind: 'payment',
    key,
    facts: what === undefined ? facts : { ...facts, what },
  })
}
