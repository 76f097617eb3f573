import type { Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
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
import { type AppliedNotice, applyNotice, SAME_REFUND } from './apply-notice.ts'
import { configuredGateway, toNamed } from './methods/configured-gateway.ts'
import { findNamedOrder, hasStep, type OrderRow } from './queries.ts'
import { isReturn } from './order-rules.ts'
import { keepUnconfirmed, NOT_ASKABLE, NOT_CONFIRMED } from './unconfirmed.ts'
import { type CallbackOutcome, cutRequest, keepCallback } from './keep-callback.ts'
import { mayAsk } from './orders.ts'

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
      verdict: isReturn(reading.notice.kind) ? 'unavailable' : 'refused',
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
  const of = { request, order, notice: reading.notice }
  try {
    const notice = await confirm(app, gateway, of)
    if (notice) return await applyAndKeep(app, gateway, { ...of, notice })
    return await keepUnconfirmed(app, gateway, { ...of, why: NOT_CONFIRMED, needs_staff: false })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, method: gateway.method }, 'a notice was not confirmed')
    const { needs_staff } = error
    return keepUnconfirmed(app, gateway, { ...of, why: NOT_ASKABLE, needs_staff })
  }
}

/** The notice that counts. A question is answered by us alone, and so is a payment of an order that is paid or given back. */
async function confirm(
  app: App,
  gateway: Gateway,
  { notice, order }: { readonly notice: ProviderNotice; readonly order: OrderRow },
): Promise<ProviderNotice | undefined> {
  const { kind, step_id } = notice
  if (!gateway.confirm || kind === 'asked') return notice
  if (kind === 'paid' && (order.paid_at !== null || isReturn(order.state))) return notice
  // A step that counted is not asked about again.
  if (isReturn(kind) && (await hasStep(app.db, gateway.method, step_id))) return notice
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
