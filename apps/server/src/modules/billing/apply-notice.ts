import { createHmac } from 'node:crypto'
import type { Tx } from '../../core/app.ts'
import type { ProviderNotice } from '../../integrations/payments/gateway.ts'
import { toMinor } from '../../lib/payments/minor-units.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { assert } from '../../lib/assert.ts'
import { creditOrder } from './credit-order.ts'
import { isBeyondLimits } from './limits.ts'
import { decideNotice, type OrderDecision } from './order-rules.ts'
import { noteOrder } from './note-order.ts'
import { lockOrder, type OrderRow } from './queries.ts'
import { returnOrder } from './return-order.ts'
import * as store from './store.ts'
import { settlePaid, settleReturned } from './unconfirmed.ts'

/** The effect of a notice; `refused`: it is not as ordered, and staff look at it. */
export interface AppliedNotice {
  readonly type: 'applied' | 'refused'
  readonly why: string
}

/**
 * Applies a verified notice to its order, once for each step of the payment. The order is locked, so that notices of one
 * order follow each other.
 */
export async function applyNotice(
  tx: Tx,
  order_id: number,
  given: ProviderNotice,
): Promise<AppliedNotice> {
  const order = await lockOrder(tx, order_id)
  assert(order, 'an order is never deleted')
  const notice = inOrderedCurrency(given, order)
  const isNew = notice.kind === 'asked' || notice.kind === 'paid'
  const decision = decideNotice(order, notice, {
    takes_tests: !tx.app.config.production,
    beyond_limits: isNew && order.paid_at === null && (await isBeyondLimits(tx, order)),
  })
  // A question is asked again and again, and answered by the present state.
  if (notice.kind !== 'asked') {
    const { kind, step_id, amount = null, currency = null } = notice
    const step = { method: order.method, step_id, kind, order_id, amount, currency }
    // A test payment does not use up the step of a real one.
    const counts = decision.type !== 'refuse' || decision.why !== 'test_payment'
    if (counts && !(await store.insertStep(tx, step)))
      return decision.type === 'return' && notice.is_unnamed
        ? { type: 'refused', why: SAME_REFUND }
        : { type: 'applied', why: 'repeated' }
  }
  const applied = await perform(tx, order, notice, decision)
  await settleEnded(tx, order, { decision, notice })
  return applied
}

/** The reason of a refund that is a repetition, or a second one of the same amount. */
export const SAME_REFUND = 'same_refund'
/** The same payment that was too small, or beyond the limits of the buyer, is complete now. */
const COMPLETED = ['partial_payment', 'spending_limit']

/**
 * The order needs no member of staff any more. A payment of another amount or currency still waits if a
 * second payment was credited: its money has to be given back.
 */
async function settleEnded(
  tx: Tx,
  order: OrderRow,
  { decision, notice }: { readonly decision: OrderDecision; readonly notice: ProviderNotice },
): Promise<void> {
  const { order_id, method: by } = order
  if (decision.type === 'credit') {
    const why = 'the payment was completed'
    await store.settleCallbacks(tx, { order_id, refused_for: COMPLETED }, { by, why })
    await settlePaid(tx, order)
  } else if (decision.type === 'return') {
    const isWhole = decision.state !== undefined
    await settleReturned(tx, order, { notice, is_whole: isWhole })
    if (isWhole && order.state === 'quarantined')
      await store.settleCallbacks(tx, { order_id }, { by, why: 'the payment was given back' })
  }
}

function inOrderedCurrency(notice: ProviderNotice, { currency }: OrderRow): ProviderNotice {
  const { ordered_decimal } = notice
  if (ordered_decimal === undefined) return notice
  return { ...notice, currency, amount: toMinor(ordered_decimal, currency) }
}

async function perform(
  tx: Tx,
  order: OrderRow,
  notice: ProviderNotice,
  decision: OrderDecision,
): Promise<AppliedNotice> {
  const { order_id } = order
  switch (decision.type) {
    case 'credit':
      await creditOrder(tx, order, {
        payment_id: notice.payment_id,
        instrument: notice.instrument && hashInstrument(tx, order.method, notice.instrument),
      })
      return { type: 'applied', why: 'credited' }
    case 'return': {
      const { returned, state } = decision
      const kind = notice.kind === 'charged_back' ? 'charged_back' : 'refunded'
      await returnOrder(tx, order, { returned, state, kind })
      return { type: 'applied', why: kind }
    }
    case 'change':
      await store.changeOrder(tx, order_id, { state: decision.state })
      return { type: 'applied', why: decision.state }
    case 'quarantine':
      await store.changeOrder(tx, order_id, {
        state: 'quarantined',
        quarantined_why: decision.why,
      })
      await noteOrder(tx, order, 'checking')
      tx.app.log.warn({ order_id, why: decision.why }, 'a payment waits for a decision of staff')
      return { type: 'refused', why: decision.why }
    case 'nothing':
      return { type: 'applied', why: decision.why }
    case 'refuse':
      return { type: 'refused', why: decision.why }
  }
}

/** The same card has the same hash, which says nothing about the card. */
function hashInstrument({ app }: Tx, method: string, instrument: string): string {
  const key = keyFor(app.config, 'instruments of payment')
  return createHmac('sha256', key).update(`${method}:${instrument}`).digest('hex')
}
