import { createHmac } from 'node:crypto'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type {
  Gateway,
  NoticeReading,
  PayableOrder,
  PaymentNoticeKind,
  ProviderRequest,
} from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, fetchJson, toExactObject } from '../provider-calls.ts'

const CURRENCIES = ['USD', 'EUR', 'GBP']
const KINDS: Readonly<Record<string, PaymentNoticeKind>> = {
  waiting: 'pending',
  confirming: 'pending',
  confirmed: 'pending',
  sending: 'pending',
  partially_paid: 'partial',
  finished: 'paid',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
  refunded: 'refunded',
}

/** Hosted invoices of NOWPayments: the buyer pays in a currency of the chain, the price stays as it was ordered. */
export function createNowPayments(access: ProviderAccess<'nowpayments'>): Gateway {
  const { api_key, ipn_secret, base_url } = access
  return {
    method: 'crypto',
    currencies: new Set(CURRENCIES),
    async start(order) {
      const answer = await fetchJson(`${base_url}/v1/invoice`, {
        method: 'POST',
        body: invoiceBody(order),
        headers: { 'x-api-key': api_key, 'content-type': 'application/json' },
      })
      if (typeof answer.invoice_url !== 'string')
        throw new GatewayUnavailable('NOWPayments made no invoice')
      return { url: answer.invoice_url }
    },
    read: (request) => readNotice(request, ipn_secret),
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict.toUpperCase(),
    }),
  }
}

function invoiceBody(order: PayableOrder): string {
  return JSON.stringify({
    price_amount: exactNumber(toDecimal(order.price, order.currency)),
    price_currency: order.currency.toLowerCase(),
    order_id: order.reference,
    order_description: order.description,
    ipn_callback_url: order.notify_url,
    success_url: order.return_url,
    cancel_url: order.return_url,
  })
}

/** HMAC over the notice with its keys sorted at every level. */
export function nowPaymentsSignature(secret: string, notice: unknown): string {
  return createHmac('sha512', secret)
    .update(JSON.stringify(sorted(notice)))
    .digest('hex')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, one]) => [key, sorted(one)]))
}

function readNotice({ body, headers }: ProviderRequest, secret: string): NoticeReading {
  const text = body.toString('utf8')
  const exact = toExactObject(text)
  if (!exact) return { type: 'unverified', why: 'not readable' }
  if (!isSameText(headers['x-nowpayments-sig'], nowPaymentsSignature(secret, JSON.parse(text))))
    return { type: 'unverified', why: 'the signature does not match' }
  const { payment_id, payment_status, order_id, price_amount, price_currency } = exact
  const kind = KINDS[String(payment_status)]
  if (kind === undefined) return { type: 'irrelevant', why: `the status ${String(payment_status)}` }
  if (typeof payment_id !== 'string' || typeof order_id !== 'string')
    return { type: 'unverified', why: 'without a payment' }
  const currency = String(price_currency).toUpperCase()
  return {
    type: 'notice',
    notice: {
      kind,
      reference: order_id,
      payment_id,
      step_id: `${payment_id}:${String(payment_status)}`,
      amount: toMinor(String(price_amount), currency),
      currency,
      instrument: undefined,
      is_test: false,
    },
  }
}
