import type { Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import type {
  Gateway,
  NamedOrder,
  NoticeVerdict,
  ProviderNotice,
  ProviderRequest,
} from '../../integrations/payments/gateway.ts'
import { GatewayUnavailable } from '../../lib/payments/gateway-unavailable.ts'
import { refuse } from '../../lib/refusal.ts'
import { type AppliedNotice, applyNotice } from './apply-notice.ts'
import { configuredGateway } from './configured-gateway.ts'
import { findNamedOrder, type OrderRow } from './queries.ts'
import * as store from './store.ts'

const GOING_BACK: ReadonlySet<string> = new Set(['refunded', 'charged_back'])
const BODY_BYTES_MAX = 64 * 1024
const STRAY_BYTES_MAX = 4 * 1024
const QUERY_CHARACTERS_MAX = 8 * 1024
const HEADERS_CHARACTERS_MAX = 8 * 1024

/** The verdict on a callback, with its reason. */
interface Outcome {
  readonly verdict: NoticeVerdict
  readonly why: string | null
  readonly order_id: number | null
  readonly refusal?: 'unknown_order' | 'wrong_amount' | 'over'
}

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
    const request: ProviderRequest = {
      method,
      query: (context.raw_query ?? '').slice(0, QUERY_CHARACTERS_MAX),
      body: (context.raw_body ?? Buffer.alloc(0)).subarray(0, BODY_BYTES_MAX),
      headers: context.headers ?? {},
      address: context.address,
    }
    const outcome = await judge(app, gateway, request)
    const { verdict, refusal } = outcome
    const answer = gateway.answer(verdict, request, refusal)
    return new RawResponse(answer)
  }
}

async function judge(app: App, gateway: Gateway, request: ProviderRequest): Promise<Outcome> {
  const reading = gateway.read(request)
  if (reading.type !== 'notice') {
    const verdict = reading.type === 'irrelevant' ? 'accepted' : 'unverified'
    return keep(app, gateway, request, { verdict, why: reading.why, order_id: null })
  }
  const order = await findNamedOrder(app.db, gateway.method, reading.notice)
  if (!order)
    return keep(app, gateway, request, {
      // The payment that is given back may not be reported yet: the provider sends the notice again.
      verdict: GOING_BACK.has(reading.notice.kind) ? 'unavailable' : 'refused',
      why: 'unknown_order',
      order_id: null,
      refusal: 'unknown_order',
    })
  try {
    const notice = await confirm(gateway, reading.notice, order)
    if (!notice)
      return await keep(app, gateway, request, {
        verdict: 'accepted',
        why: 'not confirmed by the provider',
        order_id: order.order_id,
      })
    return await applyAndKeep(app, gateway, { request, order, notice })
  } catch (error) {
    if (!(error instanceof GatewayUnavailable)) throw error
    app.log.warn({ err: error, method: gateway.method }, 'a notice was not confirmed')
    const why = 'the provider did not confirm it'
    return keep(app, gateway, request, { verdict: 'unavailable', why, order_id: order.order_id })
  }
}

/** The notice that counts. A question is answered by us alone. */
async function confirm(
  gateway: Gateway,
  notice: ProviderNotice,
  order: OrderRow,
): Promise<ProviderNotice | undefined> {
  if (!gateway.confirm || notice.kind === 'asked') return notice
  return gateway.confirm(notice, toNamed(order))
}

export function toNamed({ reference, payment_id, price, currency }: OrderRow): NamedOrder {
  return { reference, payment_id: payment_id ?? undefined, price, currency }
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
): Promise<Outcome> {
  return app.transact(async (tx) => {
    const { order_id } = of.order
    const applied = await applyNotice(tx, order_id, of.notice)
    const outcome = toOutcome(order_id, applied)
    await store.insertCallback(tx, newCallback(gateway, of.request, outcome))
    return outcome
  })
}

function toOutcome(order_id: number, { type, why }: AppliedNotice): Outcome {
  if (type === 'applied') return { verdict: 'accepted', why, order_id }
  return {
    verdict: 'refused',
    why,
    order_id,
    refusal: why === 'over' || why === 'spending_limit' ? 'over' : 'wrong_amount',
  }
}

async function keep(
  app: App,
  gateway: Gateway,
  request: ProviderRequest,
  outcome: Outcome,
): Promise<Outcome> {
  await app.transact((tx) => store.insertCallback(tx, newCallback(gateway, request, outcome)))
  return outcome
}

function newCallback(
  { method }: Gateway,
  request: ProviderRequest,
  { verdict, why, order_id }: Outcome,
) {
  const headers = JSON.stringify(request.headers)
  return {
    method,
    request_method: request.method,
    query: request.query,
    headers: headers.length > HEADERS_CHARACTERS_MAX ? '{}' : headers,
    // A stranger does not fill the disk.
    body: verdict === 'unverified' ? request.body.subarray(0, STRAY_BYTES_MAX) : request.body,
    address: request.address,
    verdict,
    why,
    order_id,
  }
}
