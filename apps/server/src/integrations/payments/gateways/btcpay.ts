import { createHmac } from 'node:crypto'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type {
  Gateway,
  NamedOrder,
  NoticeReading,
  PayableOrder,
  PaymentNoticeKind,
  ProviderNotice,
  ProviderRequest,
} from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { fetchJson, toExactObject } from '../provider-calls.ts'

const CURRENCIES = ['USD', 'EUR', 'GBP']
const CHECKOUT_MINUTES = 60
const ID = /^[\w-]{1,60}$/
const KINDS: Readonly<Record<string, PaymentNoticeKind>> = {
  InvoiceReceivedPayment: 'pending',
  InvoicePaymentSettled: 'pending',
  InvoiceProcessing: 'pending',
  InvoiceSettled: 'paid',
  InvoiceExpired: 'failed',
  InvoiceInvalid: 'failed',
}
/** The webhook that reports this status of an invoice. */
const EVENT_OF_STATUS: Readonly<Record<string, string>> = {
  Processing: 'InvoiceProcessing',
  Settled: 'InvoiceSettled',
  Expired: 'InvoiceExpired',
  Invalid: 'InvoiceInvalid',
}
/** Money came in: too little, or after the end of the invoice. */
const NOT_AS_ORDERED: ReadonlySet<unknown> = new Set(['PaidPartial', 'PaidLate'])

/** A BTCPay Server of the operator: an invoice is read from it before a webhook counts. */
export function createBtcPay(access: ProviderAccess<'btcpay'>): Gateway {
  const { store_id, api_key, webhook_secret, base_url } = access
  const call = (path: string, init: RequestInit = {}) =>
    fetchJson(`${base_url}/api/v1/stores/${encodeURIComponent(store_id)}/invoices${path}`, {
      ...init,
      headers: { authorization: `token ${api_key}`, 'content-type': 'application/json' },
    })
  const confirm = async (
    { payment_id = '' }: { payment_id?: string | undefined },
    order: NamedOrder,
  ) => (ID.test(payment_id) ? toNotice(await call(`/${payment_id}`), order) : undefined)
  return {
    method: 'crypto',
    currencies: new Set(CURRENCIES),
    async start(order) {
      const answer = await call('', { method: 'POST', body: invoiceBody(order) })
      const { id, checkoutLink } = answer
      if (typeof id !== 'string' || typeof checkoutLink !== 'string')
        throw new GatewayUnavailable('BTCPay made no invoice')
      return { url: checkoutLink, payment_id: id }
    },
    read: (request) => readNotice(request, webhook_secret),
    confirm,
    ask: (order) => confirm(order, order),
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict.toUpperCase(),
    }),
  }
}

function invoiceBody(order: PayableOrder): string {
  return JSON.stringify({
    amount: toDecimal(order.price, order.currency),
    currency: order.currency,
    metadata: { orderId: order.reference },
    checkout: {
      redirectURL: order.return_url,
      redirectAutomatically: true,
      expirationMinutes: CHECKOUT_MINUTES,
    },
  })
}

export function btcPaySignature(secret: string, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

function readNotice({ body, headers }: ProviderRequest, secret: string): NoticeReading {
  if (!isSameText(headers['btcpay-sig'], btcPaySignature(secret, body)))
    return { type: 'unverified', why: 'the signature does not match' }
  const given = toExactObject(body.toString('utf8'))
  const { type, invoiceId, metadata, partiallyPaid } = given ?? {}
  const kind = partiallyPaid === true ? 'partial' : KINDS[String(type)]
  if (kind === undefined) return { type: 'irrelevant', why: `the event ${String(type)}` }
  if (typeof invoiceId !== 'string') return { type: 'unverified', why: 'without an invoice' }
  const { orderId } = (metadata ?? {}) as { orderId?: unknown }
  return {
    type: 'notice',
    notice: {
      kind,
      reference: typeof orderId === 'string' ? orderId : undefined,
      payment_id: invoiceId,
      step_id: `${invoiceId}:${String(type)}`,
      amount: undefined,
      currency: undefined,
      instrument: undefined,
      is_test: false,
    },
  }
}

/** An invoice as the server tells it. An invoice that staff marked as settled is one that they decided about. */
function toNotice(
  { id, status, additionalStatus, amount, currency, metadata }: Record<string, unknown>,
  { reference }: NamedOrder,
): ProviderNotice | undefined {
  const { orderId } = (metadata ?? {}) as { orderId?: unknown }
  const event = EVENT_OF_STATUS[String(status)]
  if (event === undefined || orderId !== reference) return undefined
  const named = String(currency)
  const isPartial = KINDS[event] === 'failed' && NOT_AS_ORDERED.has(additionalStatus)
  return {
    kind: isPartial ? 'partial' : KINDS[event]!,
    reference,
    payment_id: String(id),
    step_id: [String(id), event, ...(isPartial ? [additionalStatus] : [])].join(':'),
    amount: toMinor(String(amount), named),
    currency: named,
    instrument: undefined,
    is_test: false,
  }
}
