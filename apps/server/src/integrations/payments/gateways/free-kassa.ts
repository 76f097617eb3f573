import { createHash, createHmac } from 'node:crypto'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type {
  Gateway,
  NamedOrder,
  NoticeReading,
  ProviderNotice,
  ProviderRequest,
} from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { confirmPaid } from '../confirm-paid.ts'
import { exactNumber, fetchJson, readParameters } from '../provider-calls.ts'

const CURRENCIES = ['RUB', 'USD', 'EUR', 'UAH', 'KZT']
const API_URL = 'https://api.fk.life/v1'
const PAID = '1'

/**
 * FreeKassa: a redirect with a signed amount, and a signed notice. The notice names no currency: the order’s was signed. With
 * the key of the API an order is also asked, and a notice is confirmed.
 */
export function createFreeKassa(access: ProviderAccess<'fk'>): Gateway {
  const { merchant_id, secret_1, base_url } = access
  return {
    method: 'fk',
    currencies: new Set(CURRENCIES),
    async start({ price, currency, reference, locale, email }) {
      const amount = toDecimal(price, currency)
      const parameters = {
        m: merchant_id,
        oa: amount,
        o: reference,
        s: md5(merchant_id, amount, secret_1, currency, reference),
        currency,
        lang: locale === 'ru' ? 'ru' : 'en',
        ...(email !== undefined && { em: email }),
      }
      return { url: `${base_url}/?${new URLSearchParams(parameters).toString()}` }
    },
    read: (request) => readNotice(request, access),
    ...(access.api_key !== undefined && createQuestions(access, access.api_key)),
    answer: (verdict) => ({
      status: verdict === 'unavailable' ? 503 : verdict === 'unverified' ? 400 : 200,
      content_type: 'text/plain',
      body: verdict === 'accepted' ? 'YES' : verdict.toUpperCase(),
    }),
  }
}

/** MD5 over the parts with colons between. */
export function md5(...parts: readonly string[]): string {
  return createHash('md5').update(parts.join(':')).digest('hex')
}

/** HMAC over the values in the order of their names, with lines between. */
export function freeKassaSignature(key: string, fields: Readonly<Record<string, string>>): string {
  const values = Object.entries(fields).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return createHmac('sha256', key)
    .update(values.map(([, value]) => value).join('|'))
    .digest('hex')
}

function createQuestions(
  { merchant_id, api_url = API_URL }: ProviderAccess<'fk'>,
  key: string,
): Pick<Gateway, 'ask' | 'confirm'> {
  let nonce = 0
  const ask = async ({ reference }: NamedOrder, signal: AbortSignal | null = null) => {
    // The provider refuses a request whose number is not larger than the last one.
    nonce = Math.max(nonce + 1, Date.now())
    const fields = { shopId: merchant_id, nonce: String(nonce), paymentId: reference }
    const answer = await fetchJson(`${api_url}/orders`, {
      method: 'POST',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...fields,
        shopId: exactNumber(merchant_id),
        nonce,
        signature: freeKassaSignature(key, fields),
      }),
    })
    const orders = (Array.isArray(answer.orders) ? answer.orders : []) as Record<string, unknown>[]
    return toNotice(
      orders.find(
        ({ merchant_order_id, status }) => merchant_order_id === reference && status === PAID,
      ),
    )
  }
  return {
    ask: (order) => ask(order),
    confirm: (notice, order) => confirmPaid(notice, order, (signal) => ask(order, signal)),
  }
}

function toNotice(
  order: Readonly<Record<string, unknown>> | undefined,
): ProviderNotice | undefined {
  if (!order) return undefined
  const id = String(order.fk_order_id)
  const currency = String(order.currency)
  return {
    kind: 'paid',
    reference: String(order.merchant_order_id),
    payment_id: id,
    // As the notice of the same payment.
    step_id: `${id}:paid`,
    amount: toMinor(String(order.amount), currency),
    currency,
    instrument: undefined,
    is_test: false,
  }
}

function readNotice(
  { method, query, body }: ProviderRequest,
  { merchant_id, secret_2 }: ProviderAccess<'fk'>,
): NoticeReading {
  const given = readParameters(method === 'GET' ? query : body.toString('utf8'))
  if (!given) return { type: 'unverified', why: 'a parameter came twice' }
  const { MERCHANT_ID = '', AMOUNT = '', MERCHANT_ORDER_ID = '', SIGN, intid } = given
  const expected = md5(MERCHANT_ID, AMOUNT, secret_2, MERCHANT_ORDER_ID)
  if (!isSameText(SIGN?.toLowerCase(), expected))
    return { type: 'unverified', why: 'the signature does not match' }
  if (MERCHANT_ID !== merchant_id) return { type: 'unverified', why: 'another shop' }
  if (!intid) return { type: 'unverified', why: 'without a payment' }
  return {
    type: 'notice',
    notice: {
      kind: 'paid',
      reference: MERCHANT_ORDER_ID,
      payment_id: intid,
      step_id: `${intid}:paid`,
      amount: undefined,
      currency: undefined,
      ordered_decimal: AMOUNT,
      instrument: undefined,
      is_test: false,
    },
  }
}
