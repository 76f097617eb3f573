import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import { productDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { creditOrder } from '../credit-order.ts'
import { refuseBeyondLimits } from '../limits.ts'
import { toOrder } from '../orders.ts'
import { findOrder, type OrderRow } from '../queries.ts'
import { newReference } from '../start-payment.ts'
import * as store from '../store.ts'
import { hashCode, readCode } from './code.ts'

/**
 * Redeems a prepaid code once. The same guy with the same code gets the same order. Refuses not_found for a code that does
 * not exist, is over, or was redeemed by another guy.
 */
export function redeemGiftCard(
  app: App,
  viewer: Member,
  { code: given }: Body<'POST gift-card/redeem'>,
  context: RequestContext,
): Promise<Answer<'POST gift-card/redeem'>> {
  const code = readCode(given) ?? refuse('not_found')
  const hash = hashCode(app, code)
  return app.transact(async (tx) => {
    const order = await redeem(tx, viewer, hash)
    const answer = toOrder(order)
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}

async function redeem(tx: Tx, { id }: Member, hash: Buffer): Promise<OrderRow> {
  // Two redemptions of one code follow each other.
  const card = await tx
    .selectFrom('gift_cards')
    .selectAll()
    .where('code_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
  if (!card) return refuse('not_found')
  if (card.order_id !== null) {
    const former = await findOrder(tx, card.order_id)
    return former?.user_id === id ? former : refuse('not_found')
  }
  const isOver =
    card.valid_until !== null &&
    Temporal.PlainDate.compare(productDay(tx.now), card.valid_until) > 0
  if (isOver) refuse('not_found')
  await store.lockBuyer(tx, id)
  await refuseBeyondLimits(tx, id, card.price_usd)
  const order = await store.insertOrder(tx, {
    user_id: id,
    reference: newReference(),
    place: 'billing',
    method: 'giftcard',
    package_id: null,
    pack: 'minutes',
    value: card.minutes,
    bonus: 0,
    price: card.price_usd,
    currency: 'USD',
    price_usd: card.price_usd,
    expires_at: tx.now,
  })
  if (!(await store.redeemCard(tx, hash, order.order_id))) refuse('not_found')
  await creditOrder(tx, order, { payment_id: undefined, instrument: undefined })
  return (await findOrder(tx, order.order_id))!
}
