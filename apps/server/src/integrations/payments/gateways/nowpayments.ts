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
import { confirmPaid } from '../confirm-paid.ts'
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

/** An invoice and a payment may have the same number. */
const INVOICE = /^invoice-(\d{1,30})$/
/** The newest payments of an invoice that are read: the buyer may begin again in another currency. */
const PAYMENTS_MAX = 50
/** The payment that counts, if an invoice has several. */
const FIRST_KINDS: readonly PaymentNoticeKind[] = ['paid', 'refunded', 'partial', 'pending']

/** Hosted invoices of NOWPayments: the buyer pays in a currency of the chain, the price stays as it was ordered. */
export function createNowPayments(access: ProviderAccess<'nowpayments'>): Gateway {
  const { api_key, ipn_secret, base_url } = access
  const key = { 'x-api-key': api_key }
  return {
    method: 'crypto',
    currencies: new Set(CURRENCIES),
    async start(order) {
      const answer = await fetchJson(`${base_url}/v1/invoice`, {
        method: 'POST',
        body: invoiceBody(order),
        headers: { ...key, 'content-type': 'application/json' },
      })
      const { id, invoice_url: url } = answer
      if (typeof url !== 'string') throw new GatewayUnavailable('NOWPayments made no invoice')
      const payment_id = `invoice-${String(id)}`
      return INVOICE.test(payment_id) ? { url, payment_id } : { url }
    },
    ask: (order) => askAboutInvoice(access, order),
    confirm: (notice, order) =>
      confirmPaid(notice, order, async (signal) => {
        const url = `${base_url}/v1/payment/${encodeURIComponent(notice.payment_id ?? '')}`
        const reading = toReading(await fetchJson(url, { headers: key, signal }, [400, 404]))
        const isNamed = reading.type === 'notice' && reading.notice.reference === order.reference
        return isNamed ? reading.notice : undefined
      }),
    read: (request) => readNotice(request, ipn_secret),
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict.toUpperCase(),
    }),
  }
}

/**
 * The payments of an invoice. The account may have to sign in for their list: without its mail address and password the
 * key is tried alone, and a refusal is an answer that cannot be had, not one about the order.
 */
async function askAboutInvoice(
  access: ProviderAccess<'nowpayments'>,
  { payment_id, reference }: NamedOrder,
): Promise<ProviderNotice | undefined> {
  const { api_key, base_url } = access
  const [, invoice] = INVOICE.exec(payment_id ?? '') ?? []
  if (invoice === undefined) return undefined
  const token = await signIn(access)
  const query = `limit=${PAYMENTS_MAX}&page=0&sortBy=created_at&orderBy=desc&invoiceId=${invoice}`
  const headers = new Headers({ 'x-api-key': api_key })
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`)
  const url = `${base_url}/v1/payment/?${query}`
  const answer = await fetchJson(url, { headers })
  const payments = (Array.isArray(answer.data) ? answer.data : []) as Record<string, unknown>[]
  const notices = payments.flatMap((payment) => {
    const reading = toReading(payment)
    // A filter that the provider does not know would give the payments of all buyers.
    return reading.type === 'notice' && reading.notice.reference === reference ? reading.notice : []
  })
  const byKind = (kind: PaymentNoticeKind) => notices.find((notice) => notice.kind === kind)
  return FIRST_KINDS.map(byKind).find((notice) => notice !== undefined) ?? notices[0]
}

async function signIn(access: ProviderAccess<'nowpayments'>): Promise<string | undefined> {
  const { base_url, email, password } = access
  if (email === undefined || password === undefined) return undefined
  const { token } = await fetchJson(`${base_url}/v1/auth`, {
    method: 'POST',
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json' },
  })
  if (typeof token !== 'string') throw new GatewayUnavailable('NOWPayments gave no token')
  return token
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
  return toReading(exact)
}

/** A payment as a notice and the list of payments tell it, with its numbers as texts. */
function toReading(payment: Readonly<Record<string, unknown>>): NoticeReading {
  const { payment_id, payment_status, order_id, price_amount, price_currency } = payment
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
