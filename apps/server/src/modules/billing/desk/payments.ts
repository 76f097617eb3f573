import type {
  Answer,
  Body,
  KeptCallback,
  PaymentCase,
  Query,
  QuarantinedOrder,
} from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { QueuedCase } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import type { Gateway, ProviderNotice } from '../../../integrations/payments/gateway.ts'
import { wireTime } from '../../../lib/clock.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import {
  endClaim,
  readClaims,
  readDeskPeople,
  requireFresh,
  requireNotOwn,
  requireOtherPerson,
} from '../../staff/index.ts'
import { applyNotice } from '../apply-notice.ts'
import { configuredGateway, toNamed } from '../methods/configured-gateway.ts'
import { creditOrder } from '../credit-order.ts'
import { findOrder, lockOrder, type OrderRow, readCallbacks } from '../queries.ts'
import { returnOrder } from '../return-order.ts'
import { buyerOfRefused, showCallback } from './callbacks.ts'
import { buyerOfWaiting, pageOfQuarantined, readSteps } from './desk-queries.ts'
import { readOrderActs } from './order-act-store.ts'
import { recordOrderAct } from './record-act.ts'

/** Each is masked before it is shown, which takes time. */
const CALLBACKS_SHOWN_MAX = 50

/** The users of a waiting case of the two queues of payments. */
export async function caseUsers(
  db: Db,
  { queue, id: item }: QueuedCase,
): Promise<readonly UserId[] | undefined> {
  const id = parseId(item)
  if (id === undefined) return undefined
  if (queue === 'payments') return buyerOfWaiting(db, id)
  return queue === 'callbacks' ? buyerOfRefused(db, id) : undefined
}

type Person = Awaited<ReturnType<typeof readDeskPeople>>

function showOrder(row: OrderRow, person: Person): Omit<QuarantinedOrder, 'claim'> {
  const { order_id, method, pack, value, bonus, price, currency } = row
  return {
    order_id,
    user: person(row.user_id),
    method,
    pack: pack as QuarantinedOrder['pack'],
    value,
    bonus,
    price: toDecimal(price, currency),
    currency,
    why: row.quarantined_why,
    at: wireTime(row.changed_at),
  }
}

/** GET v2/manager/payments: one more than the page tells whether there are others. */
export async function listPayments(
  app: App,
  _staff: Staff,
  { before, 'per-page': limit }: Query<'GET v2/manager/payments'>,
): Promise<Answer<'GET v2/manager/payments'>> {
  const rows = await pageOfQuarantined(app.db, { before, limit: limit + 1 })
  const shown = rows.slice(0, limit)
  const ids = shown.map(({ order_id }) => String(order_id))
  const person = await readDeskPeople(
    app.db,
    shown.map(({ user_id }) => user_id),
  )
  const claims = await readClaims(app.db, 'payments', ids, app.clock.now())
  const items = shown.map((row) => {
    const order = showOrder(row, person)
    return { ...order, claim: claims.get(String(row.order_id)) ?? null }
  })
  return { items, next: rows.length > limit }
}

/** GET v2/manager/payments/{id}. The look is recorded before anything is read. Refuses not_found, role_forbidden. */
export async function showPayment(
  app: App,
  staff: Staff,
  { id: order_id }: Query<'GET v2/manager/payments/{id}'>,
): Promise<Answer<'GET v2/manager/payments/{id}'>> {
  const { db } = app
  const order = (await findOrder(db, order_id)) ?? refuse('not_found')
  const { user_id, reference, payment_id, state } = order
  await requireNotOwn(db, staff, [user_id])
  await app.transact((tx) =>
    writeAudit(tx, { staff, act: 'order_view', user_id, facts: { order_id } }),
  )
  const person = await readDeskPeople(db, [user_id])
  const steps = await readSteps(db, order_id)
  const callbacks = await readCallbacks(db, order_id, CALLBACKS_SHOWN_MAX)
  const acts = await readOrderActs(db, order_id)
  const shown = { reference, payment_id, state, create_time: wireTime(order.created_at) }
  return {
    order: Object.assign(showOrder(order, person), shown),
    steps: steps.map(({ kind, at, amount, currency }) => ({
      kind,
      at: wireTime(at),
      amount: amount === null ? null : toDecimal(amount, currency ?? order.currency),
      currency,
    })),
    acts: acts.map(({ act, decided_by, reason, at }) => ({
      act: act as PaymentCase['acts'][number]['act'],
      decided_by,
      reason,
      at: wireTime(at),
    })),
    callbacks: callbacks.map((row): KeptCallback => showCallback({ ...row, user_id }, person)),
    asks: configuredGateway(app, order.method)?.ask !== undefined,
  }
}

/** POST v2/manager/payments/{id}/ask. Refuses not_found, role_forbidden, claimed, decided, method_unavailable, second_factor. */
export async function askAboutPayment(
  app: App,
  staff: Staff,
  { id: order_id }: Query<'POST v2/manager/payments/{id}/ask'>,
): Promise<Answer<'POST v2/manager/payments/{id}/ask'>> {
  requireFresh(app, staff)
  const order = (await findOrder(app.db, order_id)) ?? refuse('not_found')
  if (order.state !== 'quarantined') refuse('decided')
  const { user_id } = order
  await app.transact((tx) => requireOtherPerson(tx, staff, [user_id]))
  const notice = await askGateway(configuredGateway(app, order.method), order)
  const said = notice ? showSaid(notice) : null
  await app.transact(async (tx) => {
    const facts = { order_id, said: said?.kind ?? null }
    if (notice) await applyNotice(tx, order_id, notice)
    const isOver = (await findOrder(tx, order_id))?.state !== 'quarantined'
    if (isOver) await endClaim(tx, staff, 'payments', String(order_id))
    await writeAudit(tx, { staff, act: 'order_ask', user_id, facts })
  })
  return { said, state: (await findOrder(app.db, order_id))!.state }
}

async function askGateway(
  gateway: Gateway | undefined,
  order: OrderRow,
): Promise<ProviderNotice | undefined> {
  if (!gateway?.ask) return refuse('method_unavailable')
  try {
    return await gateway.ask(toNamed(order))
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    return refuse('method_unavailable')
  }
}

function showSaid({ kind, amount, currency }: ProviderNotice) {
  const isKnown = amount !== undefined && currency !== undefined
  return {
    kind,
    amount: isKnown ? toDecimal(amount, currency) : null,
    currency: currency ?? null,
  }
}

/**
 * POST v2/manager/payments/{id}/decide: the money, the end of the case and its record are one transaction. Refuses
 * not_found, role_forbidden, claimed, decided, bulk_stopped, second_factor.
 */
export async function decidePayment(
  app: App,
  staff: Staff,
  {
    id: order_id,
    decision,
    reason,
  }: Query<'POST v2/manager/payments/{id}/decide'> & Body<'POST v2/manager/payments/{id}/decide'>,
): Promise<Answer<'POST v2/manager/payments/{id}/decide'>> {
  requireFresh(app, staff)
  await app.transact(async (tx) => {
    const order = (await lockOrder(tx, order_id)) ?? refuse('not_found')
    await requireOtherPerson(tx, staff, [order.user_id])
    await endClaim(tx, staff, 'payments', String(order_id))
    if (order.state !== 'quarantined') refuse('decided')
    await checkBulk(tx, staff, 'money')
    if (decision === 'credit')
      await creditOrder(tx, order, { payment_id: undefined, instrument: undefined })
    else
      await returnOrder(tx, order, { returned: order.price, state: 'refunded', kind: 'refunded' })
    const by = { actor: staff, by: staff.email, place: 'office', reason } as const
    await recordOrderAct(tx, order, { ...by, act: `order_${decision}` })
  })
  return {}
}
