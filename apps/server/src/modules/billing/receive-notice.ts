import type { Query } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import type {
  Gateway,
  ProviderNotice,
  ProviderRequest,
} from '../../integrations/payments/gateway.ts'
import { GatewayUnavailable } from '../../lib/payments/gateway-unavailable.ts'
import { refuse } from '../../lib/refusal.ts'
import {
  type AppliedNotice,
  applyNotice,
  NOT_ASKABLE,
  NOT_CONFIRMED,
  SAME_REFUND,
} from './apply-notice.ts'
import { configuredGateway, toNamed } from './methods/configured-gateway.ts'
import { findNamedOrder, lockOrder, type OrderRow, waitsSince } from './queries.ts'
import { type CallbackOutcome, cutRequest, keepCallback } from './keep-callback.ts'
import { mayAsk } from './orders.ts'

/** The kinds of a notice about money that goes back, and the states of an order whose money went back. */
const RETURNED: ReadonlySet<string> = new Set(['refunded', 'charged_back'])

/**
 * A provider's callback: it is verified over its raw bytes, confirmed at the provider where a notice alone proves nothing,
 * applied once, and kept as it arrived with its verdict. It is answered in the provider's own format.
 */
export function receiveNotice(method: 'GET' | 'POST') {
  return async (
    app: App,
    _viewer: Viewer,
    { method: name }: Query<'POST payment/notify/{method}'>,
    context: RequestContext,
  ): Promise<RawResponse> => {
    const gateway = configuredGateway(app, name) ?? refuse('method_unavailable')
    const request = cutRequest({
      method,
      query: context.raw_query ?? '',
      body: context.raw_body ?? Buffer.alloc(0),
      headers: context.headers ?? {},
      address: context.address,
    })
    const outcome = await judge(app, gateway, request)
    const { verdict, answered = verdict, refusal } = outcome
    const answer = gateway.answer(answered, request, refusal)
    return new RawResponse(answer)
  }
}

async function judge(
  app: App,
  gateway: Gateway,
  request: ProviderRequest,
): Promise<CallbackOutcome> {
  const reading = gateway.read(request)
  if (reading.type !== 'notice') {
    const verdict = reading.type === 'irrelevant' ? 'accepted' : 'unverified'
    return keep(app, gateway, request, { verdict, why: reading.why, order_id: null })
  }
  const order = await findNamedOrder(app.db, gateway.method, reading.notice)
  if (!order)
    return keep(app, gateway, request, {
      // The payment that is given back may not be reported yet: the provider sends the notice again.
      verdict: RETURNED.has(reading.notice.kind) ? 'unavailable' : 'refused',
      why: 'unknown_order',
      order_id: null,
      refusal: 'unknown_order',
    })
  // A notice that proves nothing is a reason to ask, as often as every other.
  if (gateway.proves_nothing && !mayAsk(app, order))
    return keep(app, gateway, request, {
      verdict: 'unavailable',
      why: 'asked a moment ago',
      order_id: order.order_id,
    })
  try {
    const notice = await confirm(gateway, reading.notice, order)
    if (!notice)
      return await keepUnconfirmed(app, gateway, { request, order, reading }, NOT_CONFIRMED)
    return await applyAndKeep(app, gateway, { request, order, notice })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, method: gateway.method }, 'a notice was not confirmed')
    if (error.needs_staff)
      return keepUnconfirmed(app, gateway, { request, order, reading }, NOT_ASKABLE)
    const why = 'the provider did not confirm it'
    return keep(app, gateway, request, { verdict: 'unavailable', why, order_id: order.order_id })
  }
}

/** The API of a provider may learn of a payment after its notice was sent. */
const EARLY_MS = 10 * 60_000

/**
 * A signed step that its provider does not know of is a forgery, or early. Staff see it until the order is credited or its
 * money went back, and the provider is let send it again at first. The order is locked, because a question of the buyer may
 * credit it in this moment.
 */
function keepUnconfirmed(
  app: App,
  gateway: Gateway,
  of: {
    readonly request: ProviderRequest
    readonly order: OrderRow
    readonly reading: { readonly notice: ProviderNotice }
  },
  why: typeof NOT_CONFIRMED | typeof NOT_ASKABLE,
): Promise<CallbackOutcome> {
  return app.transact(async (tx) => {
    const { order_id } = of.order
    const { kind } = of.reading.notice
    const order = await lockOrder(tx, order_id)
    const isOpen = RETURNED.has(kind) || (kind === 'paid' && order?.paid_at === null)
    const outcome: CallbackOutcome =
      isOpen && !gateway.proves_nothing
        ? { ...(await judgeUnconfirmed(tx, gateway, order_id, why)), why, order_id }
        : { verdict: 'accepted', why: 'not confirmed by the provider', order_id }
    await keepCallback(tx, gateway, of.request, outcome)
    return outcome
  })
}

/** The first notice is the case that staff see; the provider's repetitions of it are none. */
async function judgeUnconfirmed(
  tx: Tx,
  gateway: Gateway,
  order_id: number,
  why: typeof NOT_CONFIRMED | typeof NOT_ASKABLE,
): Promise<Pick<CallbackOutcome, 'verdict' | 'answered'>> {
  const first = await waitsSince(tx, order_id, why)
  const sinceMs = first ? tx.now.epochMilliseconds - first.epochMilliseconds : 0
  // A provider that cannot be asked has said nothing yet.
  const isEarly = why === NOT_ASKABLE || sinceMs < EARLY_MS
  const verdict = first && isEarly ? 'unavailable' : 'refused'
  if (gateway.refunds_unaccepted) return { verdict, answered: 'accepted' }
  return isEarly ? { verdict, answered: 'unavailable' } : { verdict }
}

/** The notice that counts. A question is answered by us alone, and so is a payment of an order that is paid or given back. */
async function confirm(
  gateway: Gateway,
  notice: ProviderNotice,
  order: OrderRow,
): Promise<ProviderNotice | undefined> {
  const isOver = order.paid_at !== null || RETURNED.has(order.state)
  if (!gateway.confirm || notice.kind === 'asked' || (notice.kind === 'paid' && isOver))
    return notice
  return gateway.confirm(notice, toNamed(order))
}

/** The effect of a notice and the kept callback are one transaction: the answer leaves after both. */
function applyAndKeep(
  app: App,
  gateway: Gateway,
  of: {
    readonly request: ProviderRequest
    readonly order: OrderRow
    readonly notice: ProviderNotice
  },
): Promise<CallbackOutcome> {
  return app.transact(async (tx) => {
    const { order_id } = of.order
    const applied = await applyNotice(tx, order_id, of.notice)
    const outcome = toOutcome(order_id, applied)
    await keepCallback(tx, gateway, of.request, outcome)
    return outcome
  })
}

function toOutcome(order_id: number, { type, why }: AppliedNotice): CallbackOutcome {
  const kept = { why, order_id, has_effect: why !== 'repeated' }
  if (type === 'applied') return { ...kept, verdict: 'accepted' }
  // The provider has nothing to repeat: staff compare its account with the order.
  if (why === SAME_REFUND) return { ...kept, verdict: 'refused', answered: 'accepted' }
  const isOver = why === 'over' || why === 'spending_limit'
  return { ...kept, verdict: 'refused', refusal: isOver ? 'over' : 'wrong_amount' }
}

async function keep(
  app: App,
  gateway: Gateway,
  request: ProviderRequest,
  outcome: CallbackOutcome,
): Promise<CallbackOutcome> {
  await app.transact((tx) => keepCallback(tx, gateway, request, outcome))
  return outcome
}
