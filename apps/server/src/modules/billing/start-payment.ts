import { createHmac, randomBytes } from 'node:crypto'
import type { Answer, Body, Query } from '@duet/protocol'
import type { PaymentStart, PayMethod, PayPlace } from '@duet/protocol/contracts/billing.ts'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import type { Gateway, PayableOrder, StartedPayment } from '../../integrations/payments/gateway.ts'
import { GatewayUnavailable } from '../../lib/payments/gateway-unavailable.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { refuse } from '../../lib/refusal.ts'
import { userById } from '../identity/index.ts'
import { setting } from '../settings/index.ts'
import { refuseBeyondLimits } from './limits.ts'
import { BOOK_CURRENCY, findGateway, saleBonus } from './price-list.ts'
import { orderPath } from './pages/return-page.ts'
import { countBegun, type OrderRow, type PricedPackage, readPackages } from './queries.ts'
import * as store from './store.ts'

interface Wish {
  readonly package_id: number
  readonly method: PayMethod
  readonly place: PayPlace
  readonly currency?: string | undefined
}

const HOUR_MS = 3_600_000
const REFERENCE_BYTES = 5

/**
 * Writes an order and opens it at the provider. The price is that of the price list. Refuses not_found, spending_limit,
 * method_unavailable, role_forbidden, too_many.
 */
export async function startPayment(
  app: App,
  viewer: Member,
  wish: Wish,
  context: RequestContext,
): Promise<PaymentStart> {
  if (viewer.role !== 'guy') refuse('role_forbidden')
  // Our own codes are redeemed, not paid for.
  const method = wish.method === 'giftcard' ? 'verotel' : wish.method
  const gateway = findGateway(app, method) ?? refuse('method_unavailable')
  const order = await app.transact((tx) => writeOrder(tx, viewer, { ...wish, method }, gateway))
  const origin = context.origin ?? app.config.origins[0]!
  const started = await openAtProvider(app, viewer, order, { gateway, origin })
  return app.transact(async (tx) => {
    await store.changeOrder(
      tx,
      order.order_id,
      { state: 'sent', payment_id: started.payment_id ?? null },
      ['created'],
    )
    const answer = { order_id: order.order_id, url: started.url }
    await context.storeAnswer?.(tx, answer)
    return answer
  })
}

/** `payment/spay`, `payment/pays` and `payment/cloudpayments`: the method is that of a setting, or named by the path. */
export function startBy(methodOf: (app: App) => string) {
  return (
    app: App,
    viewer: Member,
    { packet }: Query<'POST payment/spay'>,
    context: RequestContext,
  ): Promise<Answer<'POST payment/spay'>> => {
    const wish = {
      package_id: packet,
      method: methodOf(app) as PayMethod,
      place: 'billing',
    } as const
    return startPayment(app, viewer, wish, context)
  }
}

export function startChosen(
  app: App,
  viewer: Member,
  wish: Body<'POST payment/start'>,
  context: RequestContext,
): Promise<Answer<'POST payment/start'>> {
  return startPayment(app, viewer, wish, context)
}

async function writeOrder(
  tx: Tx,
  viewer: Member,
  { package_id, method, place, currency = BOOK_CURRENCY }: Wish,
  gateway: Gateway,
): Promise<OrderRow> {
  if (!gateway.currencies.has(currency)) refuse('method_unavailable')
  await store.lockBuyer(tx, viewer.id)
  await refuseManyOrders(tx, viewer)
  const packages = await readPackages(tx, currency)
  const chosen = packages.find((one) => one.package_id === package_id) ?? refuse('not_found')
  await refuseBeyondLimits(tx, viewer.id, chosen.price_usd)
  return store.insertOrder(tx, {
    ...packageColumns(chosen),
    user_id: viewer.id,
    reference: newReference(),
    place,
    method,
    bonus: saleBonus(tx.app, packages, tx.now).get(package_id) ?? 0,
    expires_at: tx.now.add({ minutes: setting(tx.app, 'order_minutes') }),
  })
}

function packageColumns({ package_id, pack, value, price, currency, price_usd }: PricedPackage) {
  return { package_id, pack, value, price, currency, price_usd }
}

/** A user who tries stolen cards begins many orders. */
async function refuseManyOrders(tx: Tx, { id }: Member): Promise<void> {
  const most = setting(tx.app, 'orders_an_hour')
  const since = tx.now.subtract({ hours: 1 })
  const { count, first } = await countBegun(tx, id, since, most)
  if (count < most || !first) return
  const freeInMs = first.epochMilliseconds + HOUR_MS - tx.now.epochMilliseconds
  refuse('too_many', { retry_after: Math.max(1, Math.ceil(freeInMs / 1000)) })
}

/** A name for the provider that a stranger cannot guess. */
export function newReference(): string {
  return `D${Date.now().toString(36)}-${randomBytes(REFERENCE_BYTES).toString('hex')}`.toUpperCase()
}

async function openAtProvider(
  app: App,
  viewer: Member,
  order: OrderRow,
  { gateway, origin }: { readonly gateway: Gateway; readonly origin: string },
): Promise<StartedPayment> {
  const page = { url: `${origin}${orderPath(app, 'widget', order.order_id)}` }
  if (gateway.widget) return page
  try {
    const given = await payable(app, order, { origin, locale: viewer.locale })
    const started = await gateway.start(given)
    return started.fields ? page : started
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, method: gateway.method }, 'a provider of payments is unavailable')
    await app.transact((tx) =>
      store.changeOrder(tx, order.order_id, { state: 'failed' }, ['created']),
    )
    return refuse('method_unavailable')
  }
}

/** The order as its provider learns of it, for a browser at this origin. */
export async function payable(
  app: App,
  order: OrderRow,
  { origin, locale }: { readonly origin: string; readonly locale: string },
): Promise<PayableOrder> {
  const user = await userById(app.db, order.user_id)
  const { reference, price, currency, value, bonus, pack, expires_at } = order
  const hasEmail = user?.email && user.email_confirmed_at !== null
  return {
    reference,
    buyer_key: buyerKey(app, order.user_id),
    price,
    currency,
    description: `${value + bonus} ${pack}`,
    locale,
    email: hasEmail ? (user.email ?? undefined) : undefined,
    return_url: `${origin}${orderPath(app, 'return', order.order_id)}`,
    notify_url: `${app.config.origins[0]}/api/payment/notify/${order.method}`,
    expires_at,
  }
}

/** A pseudonym: no provider learns the ids of our users. */
function buyerKey({ config }: App, user_id: number): string {
  const key = keyFor(config, 'buyers at providers of payments')
  return createHmac('sha256', key).update(String(user_id)).digest('hex').slice(0, 32)
}
