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
  PaymentWidget,
  ProviderNotice,
  ProviderRequest,
} from '../gateway.ts'
import { identifyCard } from '../identify-card.ts'
import { PROVIDERS, type ProviderAccess } from '../payments-config.ts'
import { exactNumber, fetchJson, readParameters, toExactObject } from '../provider-calls.ts'

const CURRENCIES = ['RUB', 'USD', 'EUR', 'GBP', 'KZT', 'UAH']
/** The operator enters the address of each notice with its name: `…/notify/cloudpayments?notice=pay`. */
const KINDS: Readonly<Record<string, PaymentNoticeKind>> = {
  check: 'asked',
  pay: 'paid',
  confirm: 'paid',
  fail: 'failed',
  cancel: 'failed',
  refund: 'refunded',
}
const WIDGET_URL = 'https://widget.cloudpayments.ru'
/** The widget loads from further names of the provider, which its documents do not list. */
const WIDGET_SOURCES = 'https://*.cloudpayments.ru'
/** The reasons with which a question is refused. */
const REFUSALS = { unknown_order: 10, wrong_amount: 12, over: 20 } as const

type Model = Readonly<Record<string, unknown>>

/**
 * CloudPayments: a widget on a page of ours or a page of an order at the provider, and notices with an HMAC. A payment is also
 * asked from the API.
 */
export function createCloudPayments(access: ProviderAccess<'cloudpayments'>): Gateway {
  const { public_id, api_secret, base_url } = access
  const credentials = Buffer.from(`${public_id}:${api_secret}`).toString('base64')
  const call = async (path: string, body: string, id?: string): Promise<Model | undefined> => {
    const answer = await fetchJson(`${base_url}${path}`, {
      method: 'POST',
      body,
      headers: {
        authorization: `Basic ${credentials}`,
        'content-type': 'application/json',
        ...(id !== undefined && { 'X-Request-ID': id }),
      },
    })
    return answer.Success === true ? (answer.Model as Model | undefined) : undefined
  }
  return {
    method: 'cloudpayments',
    currencies: new Set(CURRENCIES),
    public_key: public_id,
    ...createWidget(access),
    async start(order) {
      const model = await call('/orders/create', orderBody(order), order.reference)
      if (typeof model?.Url !== 'string')
        throw new GatewayUnavailable('CloudPayments made no page of the order')
      return { url: model.Url }
    },
    read: (request) => readNotice(request, api_secret),
    async confirm(notice, order) {
      if (notice.kind !== 'paid') return notice
      const body = JSON.stringify({ TransactionId: exactNumber(notice.payment_id ?? '0') })
      return toNotice(await call('/payments/get', body), order)
    },
    async ask(order) {
      const body = JSON.stringify({ InvoiceId: order.reference })
      return toNotice(await call('/v2/payments/find', body), order)
    },
    answer: (verdict, _request, refusal) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'application/json',
      body: JSON.stringify({
        code:
          verdict === 'refused' && refusal ? REFUSALS[refusal] : verdict === 'accepted' ? 0 : 13,
      }),
    }),
  }
}

/** An installation with another API has another widget, which a variable names. */
function createWidget({ public_id, base_url, widget_url }: ProviderAccess<'cloudpayments'>): {
  readonly widget?: PaymentWidget
} {
  const isUsual = base_url === PROVIDERS.cloudpayments.base_url
  const url = widget_url ?? (isUsual ? WIDGET_URL : undefined)
  if (url === undefined) return {}
  const { origin } = new URL(url)
  return {
    widget: {
      script: `${url}/bundles/cloudpayments.js`,
      sources: origin === WIDGET_URL ? [WIDGET_SOURCES] : [origin],
      open: (order) => {
        const language = order.locale === 'ru' ? 'ru-RU' : 'en-US'
        const fields = JSON.stringify({
          publicId: public_id,
          description: order.description,
          amount: exactNumber(toDecimal(order.price, order.currency)),
          currency: order.currency,
          invoiceId: order.reference,
          accountId: order.buyer_key,
          ...(order.email !== undefined && { email: order.email }),
          skin: 'modern',
        })
        return `new cp.CloudPayments({ language: '${language}' }).charge(${fields}, { onSuccess: done, onFail: done })`
      },
    },
  }
}

function orderBody(order: PayableOrder): string {
  return JSON.stringify({
    Amount: exactNumber(toDecimal(order.price, order.currency)),
    Currency: order.currency,
    Description: order.description,
    InvoiceId: order.reference,
    AccountId: order.buyer_key,
    ...(order.email !== undefined && { Email: order.email }),
    SuccessRedirectUrl: order.return_url,
    FailRedirectUrl: order.return_url,
  })
}

/** The provider signs the body as it is sent, and once more with its escapes decoded. */
export function cloudPaymentsSignature(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64')
}

/** The operator chooses at the provider how notices are sent: by POST, or by GET with the fields in the address. */
function sentText({ method, query, body }: ProviderRequest): string {
  return method === 'GET' ? query : body.toString('utf8')
}

function isSigned(request: ProviderRequest, secret: string): boolean {
  const { headers } = request
  const raw = sentText(request)
  const texts = [raw, decode(raw)]
  return ['content-hmac', 'x-content-hmac'].some((name) =>
    texts.some((text) => isSameText(headers[name], cloudPaymentsSignature(secret, text))),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function readNotice(request: ProviderRequest, secret: string): NoticeReading {
  if (!isSigned(request, secret)) return { type: 'unverified', why: 'the HMAC does not match' }
  const text = sentText(request)
  const given = (text.startsWith('{') ? toExactObject(text) : readParameters(text)) as
    | Readonly<Record<string, string>>
    | undefined
  if (!given) return { type: 'unverified', why: 'not readable' }
  const name = readParameters(request.query)?.notice ?? ''
  const kind = given.Status === 'Authorized' ? 'pending' : KINDS[name]
  if (kind === undefined) return { type: 'irrelevant', why: `the notice ${name}` }
  const { TransactionId = '', PaymentTransactionId, Amount, Currency, InvoiceId } = given
  if (!/^\d{1,20}$/.test(TransactionId)) return { type: 'unverified', why: 'without a payment' }
  return {
    type: 'notice',
    notice: {
      kind,
      reference: InvoiceId,
      payment_id: PaymentTransactionId ?? TransactionId,
      step_id: `${TransactionId}:${kind}`,
      amount: Amount !== undefined && Currency ? toMinor(Amount, Currency) : undefined,
      currency: Currency,
      // A notice of a refund names no currency: the amount is in that of the payment.
      ...(Currency === undefined && Amount !== undefined && { ordered_decimal: Amount }),
      instrument: describeCard(given),
      is_test: given.TestMode === '1',
    },
  }
}

function describeCard({ CardFirstSix, CardLastFour, CardExpDate }: Model): string | undefined {
  return identifyCard({ first: CardFirstSix, last: CardLastFour, date: CardExpDate })
}

/** A payment as the API tells it. Undefined while it is not completed. */
function toNotice(model: Model | undefined, order: NamedOrder): ProviderNotice | undefined {
  if (model?.Status !== 'Completed' || model.InvoiceId !== order.reference) return undefined
  const id = String(model.TransactionId)
  const currency = String(model.Currency)
  return {
    kind: 'paid',
    reference: order.reference,
    payment_id: id,
    step_id: `${id}:paid`,
    amount: toMinor(String(model.Amount), currency),
    currency,
    instrument: describeCard(model),
    is_test: model.TestMode === true,
  }
}
