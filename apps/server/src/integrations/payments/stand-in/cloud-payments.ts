import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { cloudPaymentsSignature } from '../gateways/cloud-payments.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, readParameters, toExactObject } from '../provider-calls.ts'
import { html, json } from './answers.ts'
import type {
  PlayedPayment,
  PlayedStep,
  PlayedPayments,
  StandInProvider,
  StandInRequest,
} from './provider.ts'

const NOTICES: Readonly<Record<string, string>> = {
  paid: 'pay',
  failed: 'fail',
  refunded: 'refund',
}

/** The widget: a frame over the page of the shop, whose form is the page of the stand-in. */
const WIDGET = `
const { origin } = new URL(document.currentScript.src)
globalThis.cp = { CloudPayments: class {
  charge(options, { onSuccess, onFail }) {
    const frame = document.createElement('iframe')
    frame.title = 'Payment'
    frame.style = 'position:fixed;inset:0;width:100%;height:100%;border:0'
    frame.src = origin + '/cloudpayments/widget?' + new URLSearchParams(options)
    addEventListener('message', (event) => {
      if (event.origin !== origin) return
      frame.remove()
      if (event.data === 'paid') onSuccess(options)
      else onFail('declined', options)
    })
    document.body.append(frame)
  }
} }`

/** CloudPayments: its widget, its API of orders and payments, and its signed notices. */
export function playCloudPayments(access: ProviderAccess<'cloudpayments'>): StandInProvider {
  const { public_id, api_secret } = access
  const basic = `Basic ${Buffer.from(`${public_id}:${api_secret}`).toString('base64')}`
  return {
    method: 'cloudpayments',
    handle(request, payments) {
      const { path, body, headers } = request
      const widget = request.method === 'GET' && answerWidget(request, public_id, payments)
      if (widget) return widget
      if (headers.authorization !== basic) return json(401, { Success: false })
      const given = (toExactObject(body) ?? {}) as Record<string, string>
      if (path === '/orders/create')
        return json(200, { Success: true, Model: { Url: openOrder(given, payments) } })
      const payment =
        path === '/payments/get'
          ? payments.byNumber(given.TransactionId ?? '')
          : payments.byReference(given.InvoiceId ?? '')
      return json(200, payment ? { Success: true, Model: show(payment) } : { Success: false })
    },
    notices(payment, step) {
      const name = NOTICES[step.type]
      if (name === undefined) return []
      const body = new URLSearchParams(noticeFields(payment, step)).toString()
      return [
        {
          method: 'POST',
          url: `${payment.notify_url}?notice=${name}`,
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            'content-hmac': cloudPaymentsSignature(api_secret, body),
          },
          body,
        },
      ]
    },
  }
}

function answerWidget({ path, query }: StandInRequest, publicId: string, payments: PlayedPayments) {
  if (path === '/bundles/cloudpayments.js')
    return { status: 200, content_type: 'text/javascript', body: WIDGET }
  if (path === '/widget/paid' || path === '/widget/failed')
    return html(`<script>parent.postMessage('${path.slice('/widget/'.length)}', '*')</script>`)
  const given = readParameters(query)
  if (path !== '/widget' || given?.publicId !== publicId) return undefined
  const { amount = '', currency = '', invoiceId = '', description = '' } = given
  const { page_url } = payments.open({
    reference: invoiceId,
    amount: toMinor(amount, currency) ?? 0n,
    currency,
    description,
    notify_url: payments.notify_url,
    success_url: '/cloudpayments/widget/paid',
    failure_url: '/cloudpayments/widget/failed',
    passed: {},
  })
  return { redirect: page_url }
}

function openOrder(given: Readonly<Record<string, string>>, payments: PlayedPayments): string {
  const { Amount = '', Currency = '', InvoiceId = '', Description = '' } = given
  const { SuccessRedirectUrl = '', FailRedirectUrl = '' } = given
  const { page_url } = payments.open({
    reference: InvoiceId,
    amount: toMinor(Amount, Currency) ?? 0n,
    currency: Currency,
    description: Description,
    notify_url: payments.notify_url,
    success_url: SuccessRedirectUrl,
    failure_url: FailRedirectUrl,
    passed: {},
  })
  return page_url
}

function noticeFields(payment: PlayedPayment, step: PlayedStep): Record<string, string> {
  const { type, amount = payment.amount, currency = payment.currency } = step
  const common = {
    Amount: toDecimal(amount, payment.currency),
    InvoiceId: step.reference ?? payment.reference,
  }
  if (type === 'refunded')
    return {
      ...common,
      TransactionId: `${payment.number}${step.step}`,
      PaymentTransactionId: payment.number,
    }
  return {
    ...common,
    TransactionId: payment.number,
    Currency: currency,
    Status: type === 'paid' ? 'Completed' : 'Declined',
    TestMode: '0',
    CardFirstSix: '411111',
    CardLastFour: '1111',
    CardExpDate: '12/30',
  }
}

/** As the API tells it: the truth, whatever a notice said. */
function show({ number, reference, amount, currency, state }: PlayedPayment) {
  return {
    TransactionId: exactNumber(number),
    InvoiceId: reference,
    Amount: exactNumber(toDecimal(amount, currency)),
    Currency: currency,
    Status: state === 'open' || state === 'failed' ? 'Declined' : 'Completed',
    TestMode: false,
  }
}
