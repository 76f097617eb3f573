import type { Tx } from '../../core/app.ts'
import { msBetween } from '../../lib/clock.ts'
import { unitsOf } from '../../lib/money.ts'
import { shortenPremium } from '../identity/index.ts'
import { notifyBalance, takeBack } from '../ledger/index.ts'
import { noteOrder } from './note-order.ts'
import { unitsTakenBack } from './order-rules.ts'
import type { OrderRow } from './queries.ts'
import * as store from './store.ts'

/**
 * Records that `returned` of the price was given back by now, and takes back what the purchase gave. The row is locked. An
 * order that is not paid yet gave nothing.
 */
export async function returnOrder(
  tx: Tx,
  order: OrderRow,
  {
    returned,
    state,
    kind,
  }: {
    readonly returned: bigint
    readonly state: 'refunded' | 'charged_back' | undefined
    readonly kind: 'refunded' | 'charged_back'
  },
): Promise<void> {
  await store.changeOrder(tx, order.order_id, { returned, ...(state && { state }) })
  // A card of the operator may have had no price.
  if (state === 'refunded' && order.price > 0n) await noteOrder(tx, order, 'back')
  if (order.paid_at === null) return
  await returnUnits(tx, { ...order, returned }, kind)
}

/** Takes back the units for the part of the price that was given back, and Premium if all of it was. */
export async function returnUnits(
  tx: Tx,
  order: OrderRow,
  kind: 'refunded' | 'charged_back',
): Promise<void> {
  const { order_id, user_id, price, returned } = order
  const asset = order.pack === 'minutes' ? 'diamond' : 'message'
  const all = BigInt(order.value + order.bonus) * unitsOf[asset]
  const returned_units = unitsTakenBack(all, { price, returned })
  const amount = returned_units - order.returned_units
  if (amount > 0n)
    await takeBack(tx, {
      user_id,
      asset,
      amount,
      key: `order:${order_id}:back:${returned}`,
      what: kind === 'refunded' ? 'refund' : 'chargeback',
      cause: { kind: 'order', id: order_id },
    })
  await store.changeOrder(tx, order_id, { returned_units })
  const isWhole = returned >= price
  if (isWhole && kind !== undefined) await endPremium(tx, order)
  await tx.publish('purchase_returned', {
    order_id,
    user_id,
    kind,
    price_usd: order.price_usd,
    returned_usd: isWhole ? order.price_usd : (order.price_usd * returned) / price,
  })
  if (amount > 0n) await notifyBalance(tx, user_id, 'refund')
}

/** Ends the part of Premium that this purchase gave and that is not over; later purchases follow without a gap. */
async function endPremium(tx: Tx, order: OrderRow): Promise<void> {
  const { order_id, user_id, premium_from, premium_until } = order
  if (!premium_from || !premium_until) return
  const from = Temporal.Instant.compare(premium_from, tx.now) > 0 ? premium_from : tx.now
  const ms = msBetween(from, premium_until)
  // A second return of the same order finds nothing to end.
  await store.changeOrder(tx, order_id, { premium_from: null, premium_until: null })
  if (ms <= 0) return
  await shortenPremium(tx, user_id, ms)
  await store.movePremium(tx, { user_id, premium_until }, ms)
}
