import type { Tx } from '../../core/app.ts'
import { wireTime } from '../../lib/clock.ts'
import { unitsOf } from '../../lib/money.ts'
import { givePremium } from '../identity/index.ts'
import { notifyShownBalance, payDebt, shownBalances, transfer } from '../ledger/index.ts'
import { setting } from '../settings/index.ts'
import type { OrderRow } from './queries.ts'
import { noteOrder } from './note-order.ts'
import { returnUnits } from './return-order.ts'
import * as store from './store.ts'

/** How the provider names what paid. */
export interface Payment {
  readonly payment_id: string | undefined
  readonly instrument: string | undefined
}

export const ASSET_OF_PACK = { minutes: 'diamond', messages: 'message' } as const

/** The asset and the units of a purchase: `value` was paid for, `bonus` comes on top. */
export function creditedUnits({ pack, value, bonus }: OrderRow) {
  const asset = ASSET_OF_PACK[pack as 'minutes' | 'messages']
  const unit = unitsOf[asset]
  return { asset, value: BigInt(value) * unit, bonus: BigInt(bonus) * unit }
}

/**
 * Credits a paid order in the transaction that found it paid: its state, the units, the bonus, a debt, Premium, the facts for
 * other modules, and the notices. The row is locked and not paid.
 */
export async function creditOrder(tx: Tx, order: OrderRow, payment: Payment): Promise<void> {
  const { order_id, user_id } = order
  await pay(tx, order)
  const premium_until = await givePremium(tx, user_id, setting(tx.app, 'premium_days'))
  const premium_from = premium_until.subtract({ hours: 24 * setting(tx.app, 'premium_days') })
  const paid: OrderRow = {
    ...order,
    state: 'paid',
    paid_at: tx.now,
    payment_id: payment.payment_id ?? order.payment_id,
    instrument: payment.instrument ?? null,
    premium_from,
    premium_until,
  }
  const { state, paid_at, payment_id, instrument } = paid
  const change = { state, paid_at, payment_id, instrument, premium_from, premium_until }
  await store.changeOrder(tx, order_id, change)
  await tx.publish('purchase_paid', {
    order_id,
    user_id,
    pack: order.pack as 'minutes' | 'messages',
    value: order.value,
    price_usd: order.price_usd,
    method: order.method,
    instrument,
  })
  // A part of the price was given back before the payment was reported.
  if (order.returned > 0n) await returnUnits(tx, paid, 'refunded')
  const { balance, balance_messages } = await shownBalances(tx.app, tx, user_id)
  await tx.notify(user_id, 'pay_success', {
    balance,
    balance_messages,
    order_id,
    premium_until: wireTime(premium_until),
  })
  await notifyShownBalance(tx, user_id)
  await noteOrder(tx, order)
}

async function pay(tx: Tx, order: OrderRow): Promise<void> {
  const { order_id, user_id } = order
  const { asset, value, bonus } = creditedUnits(order)
  const to = { user_id }
  const base = { what: 'purchase', cause: { kind: 'order', id: order_id }, asset, to }
  const bought = {
    ...base,
    key: `order:${order_id}:value`,
    from: { house: 'sales' as const },
    amount: value,
  }
  const given = {
    ...base,
    key: `order:${order_id}:bonus`,
    from: { house: 'promotion' as const },
    amount: bonus,
  }
  await transfer(tx, bonus > 0n ? [bought, given] : bought)
  await payDebt(tx, {
    user_id,
    asset,
    amount: value + bonus,
    key: `order:${order_id}:debt`,
    what: 'debt',
    cause: base.cause,
  })
}
