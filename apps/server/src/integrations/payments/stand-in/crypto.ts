import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { btcPaySignature } from '../gateways/btcpay.ts'
import { nowPaymentsSignature } from '../gateways/nowpayments.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, toExactObject } from '../provider-calls.ts'
import { json } from './answers.ts'
import type { PlayedPayment, PlayedStep, PlayedPayments, StandInProvider } from './provider.ts'

const STATUSES: Readonly<Record<PlayedStep['type'], string>> = {
  pending: 'confirming',
  paid: 'finished',
  partial: 'partially_paid',
  late: '',
  failed: 'failed',
  refunded: 'refunded',
  charged_back: '',
}

const TOKEN = 'token of the stand-in'

/** Invoices, notices and the list of payments of NOWPayments. */
export function playNowPayments(access: ProviderAccess<'nowpayments'>): StandInProvider {
  return {
    method: 'crypto',
    handle({ path, query, body, headers }, payments) {
      if (path === '/v1/auth') return signIn(access, body)
      if (headers['x-api-key'] !== access.api_key) return json(403, { code: 'INVALID_API_KEY' })
      if (path === '/v1/payment/') {
        if (headers.authorization !== `Bearer ${TOKEN}`) return json(401, { code: 'AUTH_REQUIRED' })
        const payment = payments.byNumber(new URLSearchParams(query).get('invoiceId') ?? '')
        return json(200, { data: payment ? listPayments(payment) : [], page: 0, pagesCount: 1 })
      }
      const [, number] = /^\/v1\/payment\/(\d+)$/.exec(path) ?? []
      if (number !== undefined) return findPayment(payments.byNumber(number))
      return path === '/v1/invoice' ? openInvoice(body, payments) : undefined
    },
    notices(payment, step) {
      const status = STATUSES[step.type]
      if (status === '') return []
      const body = JSON.stringify(showPayment(payment, { ...step, status }))
      const signature = nowPaymentsSignature(access.ipn_secret, JSON.parse(body))
      const headers = { 'content-type': 'application/json', 'x-nowpayments-sig': signature }
      return [{ method: 'POST', url: payment.notify_url, headers, body }]
    },
  }
}

function signIn({ email, password }: ProviderAccess<'nowpayments'>, body: string) {
  const given = toExactObject(body)
  const isRight = given?.email === email && given?.password === password
  return isRight ? json(200, { token: TOKEN }) : json(403, { code: 'INVALID_AUTH' })
}

function openInvoice(body: string, payments: PlayedPayments) {
  const given = (toExactObject(body) ?? {}) as Record<string, string>
  const currency = (given.price_currency ?? '').toUpperCase()
  const { payment, page_url } = payments.open({
    reference: given.order_id ?? '',
    amount: toMinor(given.price_amount ?? '', currency) ?? 0n,
    currency,
    description: given.order_description ?? '',
    notify_url: given.ipn_callback_url ?? '',
    success_url: given.success_url ?? '',
    failure_url: given.cancel_url ?? '',
    passed: {},
  })
  return json(200, { id: payment.number, invoice_url: page_url })
}

function findPayment(payment: PlayedPayment | undefined) {
  const [found] = payment ? listPayments(payment) : []
  return found ? json(200, found) : json(404, { code: 'PAYMENT_NOT_FOUND' })
}

/** An invoice has no payment before the buyer has chosen a currency of the chain. */
function listPayments(payment: PlayedPayment): object[] {
  if (payment.state === 'open') return []
  const status = STATUSES[payment.state as PlayedStep['type']] ?? ''
  return [showPayment(payment, { status: status === '' ? 'waiting' : status })]
}

function showPayment(
  payment: PlayedPayment,
  { status, ...step }: Partial<PlayedStep> & { readonly status: string },
): object {
  const { amount = payment.amount, currency = payment.currency } = step
  return {
    payment_id: exactNumber(payment.number),
    payment_status: status,
    price_amount: exactNumber(toDecimal(amount, payment.currency).replace(/\.?0+$/, '')),
    price_currency: currency.toLowerCase(),
    order_id: step.reference ?? payment.reference,
    pay_currency: 'usdttrc20',
    fee: { currency: 'usdttrc20', depositFee: 0 },
  }
}

const EVENTS: Readonly<Record<PlayedStep['type'], string | undefined>> = {
  pending: 'InvoiceProcessing',
  paid: 'InvoiceSettled',
  partial: 'InvoiceExpired',
  late: 'InvoicePaymentSettled',
  failed: 'InvoiceInvalid',
  refunded: undefined,
  charged_back: undefined,
}

const INVOICE_STATUSES: Partial<Record<PlayedPayment['state'], string>> = {
  pending: 'Processing',
  paid: 'Settled',
  partial: 'Expired',
  late: 'Expired',
  failed: 'Invalid',
}
const ADDITIONAL: Partial<Record<PlayedPayment['state'], string>> = {
  partial: 'PaidPartial',
  late: 'PaidLate',
}

/** Invoices and webhooks of a BTCPay Server. */
export function playBtcPay(access: ProviderAccess<'btcpay'>): StandInProvider {
  const root = `/api/v1/stores/${access.store_id}/invoices`
  return {
    method: 'crypto',
    handle({ path, body, headers }, payments) {
      if (headers.authorization !== `token ${access.api_key}`) return json(401, {})
      if (path === root) {
        const given = JSON.parse(body) as {
          amount: string
          currency: string
          metadata: { orderId: string }
          checkout: { redirectURL: string }
        }
        const { payment, page_url } = payments.open({
          reference: given.metadata.orderId,
          amount: toMinor(given.amount, given.currency) ?? 0n,
          currency: given.currency,
          description: 'Purchase',
          notify_url: payments.notify_url,
          success_url: given.checkout.redirectURL,
          failure_url: given.checkout.redirectURL,
          passed: {},
        })
        return json(200, { ...showInvoice(payment), checkoutLink: page_url })
      }
      const payment = payments.byId(path.slice(root.length + 1))
      return payment ? json(200, showInvoice(payment)) : json(404, {})
    },
    notices(payment, step) {
      const type = EVENTS[step.type]
      if (type === undefined) return []
      const body = JSON.stringify({
        deliveryId: `D${step.step}`,
        type,
        invoiceId: payment.id,
        storeId: access.store_id,
        ...(step.type === 'partial' && { partiallyPaid: true }),
        metadata: { orderId: step.reference ?? payment.reference },
      })
      const signature = btcPaySignature(access.webhook_secret, body)
      const headers = { 'content-type': 'application/json', 'btcpay-sig': signature }
      return [{ method: 'POST', url: payment.notify_url, headers, body }]
    },
  }
}

function showInvoice({ id, state, amount, currency, reference }: PlayedPayment) {
  return {
    id,
    status: INVOICE_STATUSES[state] ?? 'New',
    additionalStatus: ADDITIONAL[state] ?? 'None',
    amount: toDecimal(amount, currency),
    currency,
    metadata: { orderId: reference },
  }
}
