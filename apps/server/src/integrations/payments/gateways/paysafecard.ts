import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import type {
  Gateway,
  NamedOrder,
  NoticeReading,
  PayableOrder,
  ProviderNotice,
  ProviderRequest,
} from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, fetchJson, readParameters, toExactObject } from '../provider-calls.ts'

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'PLN', 'SEK', 'NOK', 'DKK', 'CAD', 'AUD']
const MIN_AGE = 18
const ID = /^[\w.-]{1,80}$/
/** The payment was captured before. */
const INVALID_STATE = '2017'

/** paysafecard: nothing is signed, so every notice is only a reason to ask and to capture. */
export function createPaysafecard(access: ProviderAccess<'paysafecard'>): Gateway {
  const { api_key, base_url } = access
  const headers = {
    authorization: `Basic ${Buffer.from(api_key).toString('base64')}`,
    'content-type': 'application/json',
  }
  const call = (path: string, reference: string, init: RequestInit = {}) => {
    // The name under which the support of the provider finds a request.
    const named = { ...headers, 'correlation-id': reference }
    return fetchJson(`${base_url}/v1/payments${path}`, { ...init, headers: named }, [400, 404, 409])
  }
  /** Takes an authorized payment, then tells the state. */
  const settle = async (order: NamedOrder): Promise<ProviderNotice | undefined> => {
    const { payment_id = '', reference } = order
    if (!ID.test(payment_id)) return undefined
    const state = await call(`/${payment_id}`, reference)
    if (state.status !== 'AUTHORIZED') return toNotice(state, order)
    const capture = { method: 'POST', body: '{}' }
    const captured = await call(`/${payment_id}/capture`, reference, capture)
    const isRepeated = String(captured.number ?? captured.code) === INVALID_STATE
    return toNotice(isRepeated ? await call(`/${payment_id}`, reference) : captured, order)
  }
  return {
    method: 'paysafecard',
    currencies: new Set(CURRENCIES),
    async start(order) {
      const answer = await call('', order.reference, { method: 'POST', body: paymentBody(order) })
      const { id, redirect } = answer as { id?: unknown; redirect?: { auth_url?: unknown } }
      if (typeof id !== 'string' || typeof redirect?.auth_url !== 'string')
        throw new GatewayUnavailable('paysafecard began no payment')
      return { url: redirect.auth_url, payment_id: id }
    },
    read: readNotice,
    proves_nothing: true,
    confirm: (_notice, order) => settle(order),
    ask: settle,
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict.toUpperCase(),
    }),
  }
}

function paymentBody(order: PayableOrder): string {
  return JSON.stringify({
    type: 'PAYSAFECARD',
    amount: exactNumber(toDecimal(order.price, order.currency)),
    currency: order.currency,
    redirect: { success_url: order.return_url, failure_url: order.return_url },
    notification_url: order.notify_url,
    customer: { id: order.buyer_key, min_age: MIN_AGE },
  })
}

/** The notice names a payment and proves nothing. */
function readNotice({ body }: ProviderRequest): NoticeReading {
  const text = body.toString('utf8')
  const isJson = text.trimStart().startsWith('{')
  const given = isJson
    ? ((toExactObject(text)?.data as Record<string, unknown> | undefined) ?? {})
    : (readParameters(text) ?? {})
  const id = given.mtid ?? given.id
  if (typeof id !== 'string' || !ID.test(id)) return { type: 'unverified', why: 'no payment' }
  return {
    type: 'notice',
    notice: {
      kind: 'pending',
      reference: undefined,
      payment_id: id,
      step_id: `${id}:notice`,
      amount: undefined,
      currency: undefined,
      instrument: undefined,
      is_test: false,
    },
  }
}

function toNotice(
  { id, status, amount, currency }: Record<string, unknown>,
  { payment_id, reference }: NamedOrder,
): ProviderNotice | undefined {
  if (id !== payment_id || typeof status !== 'string') return undefined
  const kind =
    status === 'SUCCESS' ? 'paid' : /^(CANCELED|EXPIRED)/.test(status) ? 'failed' : undefined
  if (kind === undefined) return undefined
  const isPriced = typeof amount === 'string' && typeof currency === 'string'
  return {
    kind,
    reference,
    payment_id,
    step_id: `${payment_id}:${status}`,
    amount: isPriced ? toMinor(amount, currency) : undefined,
    currency: isPriced ? currency : undefined,
    instrument: undefined,
    is_test: false,
  }
}
