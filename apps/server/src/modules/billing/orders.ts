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
import { configuredGateway } from './configured-gateway.ts'
import type { OrderState } from './order-rules.ts'
import { findOrder, type OrderRow, overdueOrders, readOrders } from './queries.ts'
import { toNamed } from './receive-notice.ts'
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
const OVERDUE_AT_ONCE = 100

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

/** The order as it is now, after its provider was asked if it waits. */
export async function refreshOrder(app: App, order: OrderRow): Promise<OrderRow> {
  if (order.state !== 'sent') return order
  await askProvider(app, order)
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

/** Asks the provider what became of an order, and applies the answer as a notice. A provider without an answer changes nothing. */
async function askProvider(app: App, order: OrderRow): Promise<void> {
  const gateway = configuredGateway(app, order.method)
  if (!gateway?.ask) return
  const nowMs = app.clock.now().epochMilliseconds
  const asked = askedAt(app)
  if (nowMs - (asked.get(order.order_id) ?? 0) < ASK_AGAIN_MS) return
  const [oldest] = asked.keys()
  if (asked.size >= ASKED_MAX && oldest !== undefined) asked.delete(oldest)
  asked.set(order.order_id, nowMs)
  try {
    const notice = await gateway.ask(toNamed(order))
    if (notice) await app.transact((tx) => applyNotice(tx, order.order_id, notice))
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn(
      { err: error, method: order.method },
      'a provider did not say what became of an order',
    )
  }
}

/** Closes orders whose time at the provider is over. The provider is asked first: its notice may have been lost. */
export async function expireOrders(app: App): Promise<void> {
  for (;;) {
    const overdue = await overdueOrders(app.db, app.clock.now(), OVERDUE_AT_ONCE)
    for (const order of overdue) {
      await askProvider(app, order)
      await app.transact((tx) =>
        store.changeOrder(tx, order.order_id, { state: 'expired' }, ['created', 'sent']),
      )
    }
    if (overdue.length < OVERDUE_AT_ONCE) return
  }
}
