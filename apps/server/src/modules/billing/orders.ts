import type { Answer, Query } from '@duet/protocol'
import type { Order, PayMethod, PayPlace } from '@duet/protocol/contracts/billing.ts'
import type { App } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'
import type { Member } from '../../core/viewer.ts'
import { GatewayUnavailable } from '../../lib/payments/gateway-unavailable.ts'
import { toDecimal } from '../../lib/payments/minor-units.ts'
import { wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { applyNotice } from './apply-notice.ts'
import { configuredGateway, toNamed } from './methods/configured-gateway.ts'
import type { OrderState } from './order-rules.ts'
import { findOrder, type OrderRow, readOrders } from './queries.ts'
import * as store from './store.ts'

const STATUS: Readonly<Record<OrderState, Order['status']>> = {
  created: 'waiting',
  sent: 'waiting',
  paid: 'paid',
  failed: 'failed',
  expired: 'expired',
  refunded: 'refunded',
  charged_back: 'disputed',
  quarantined: 'checking',
}
/** A page that waits asks every few seconds; the provider is asked less often. */
const ASK_AGAIN_MS = 10_000
const ASKED_MAX = 10_000
const DUE_AT_ONCE = 100

/** An order as its buyer sees it. */
export function toOrder(row: OrderRow): Order {
  const { order_id, value, bonus, currency, state } = row
  return {
    order_id,
    place: row.place as PayPlace,
    method: row.method as PayMethod,
    package_id: row.package_id,
    pack: row.pack as Order['pack'],
    value,
    bonus,
    price: toDecimal(row.price, currency),
    currency,
    status: STATUS[state],
    create_time: wireTime(row.created_at),
    paid_time: row.paid_at && wireTime(row.paid_at),
    returned: toDecimal(row.returned, currency),
  }
}

export async function ordersPage(
  app: App,
  { id }: Member,
  request: Query<'GET orders'>,
): Promise<Answer<'GET orders'>> {
  const { offset, limit } = offsetAndLimit(request)
  const page = paginate(request, await readOrders(app.db, id, { offset, limit }), null)
  return { ...page, items: page.items.map(toOrder) }
}

/** The buyer's order. An order that waits is asked from its provider. */
export async function getOrder(
  app: App,
  viewer: Member,
  { id }: Query<'GET orders/{id}'>,
): Promise<Answer<'GET orders/{id}'>> {
  return toOrder(await refreshOrder(app, await ownOrder(app, viewer, id)))
}

/** The order as it is now, after its provider was asked if a payment may still be found there. */
export async function refreshOrder(app: App, order: OrderRow): Promise<OrderRow> {
  const { state, ask_at } = order
  if (state !== 'sent' && ((state !== 'failed' && state !== 'expired') || ask_at === null))
    return order
  if (mayAsk(app, order)) await askProvider(app, order)
  return (await findOrder(app.db, order.order_id)) ?? order
}

export async function ownOrder(app: App, viewer: Member, id: number): Promise<OrderRow> {
  const order = await findOrder(app.db, id)
  return order?.user_id === viewer.id ? order : refuse('not_found')
}

const askedAt = perApp(
  'billing: when a provider was asked',
  'the last questions about orders; without them a provider is asked once more',
  () => new Map<number, number>(),
)

/** At most one question about an order in ten seconds. */
export function mayAsk(app: App, { order_id }: OrderRow): boolean {
  const nowMs = app.clock.now().epochMilliseconds
  const asked = askedAt(app)
  if (nowMs - (asked.get(order_id) ?? 0) < ASK_AGAIN_MS) return false
  const [oldest] = asked.keys()
  if (asked.size >= ASKED_MAX && oldest !== undefined) asked.delete(oldest)
  asked.set(order_id, nowMs)
  return true
}

/**
 * Asks the provider what became of an order, and applies the answer as a notice. `open`: the payment waits for its
 * confirmation, or the provider does not answer.
 */
async function askProvider(app: App, order: OrderRow): Promise<'open' | 'answered'> {
  const gateway = configuredGateway(app, order.method)
  if (!gateway?.ask) return 'answered'
  try {
    const notice = await gateway.ask(toNamed(order))
    if (notice) await app.transact((tx) => applyNotice(tx, order.order_id, notice))
    return notice?.kind === 'pending' ? 'open' : 'answered'
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn(
      { err: error, method: order.method },
      'a provider did not say what became of an order',
    )
    return 'open'
  }
}

/**
 * Asks about orders whose time at the provider is over, and closes them: the notice of a payment may have been lost. An
 * order that is still open stays until the last question. A closed order is asked about again.
 */
export async function expireOrders(app: App): Promise<void> {
  for (;;) {
    const due = await app.transact((tx) => store.takeDueQuestions(tx, DUE_AT_ONCE))
    for (const order of due) {
      const found = await askProvider(app, order)
      if (found === 'open' && order.ask_at !== null) continue
      await app.transact((tx) =>
        store.changeOrder(tx, order.order_id, { state: 'expired' }, ['created', 'sent']),
      )
    }
    if (due.length < DUE_AT_ONCE) return
  }
}
