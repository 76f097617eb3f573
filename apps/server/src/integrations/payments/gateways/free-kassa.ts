import { createHash } from 'node:crypto'
import { toDecimal } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type { Gateway, NoticeReading, ProviderRequest } from '../gateway.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { readParameters } from '../provider-calls.ts'

const CURRENCIES = ['RUB', 'USD', 'EUR', 'UAH', 'KZT']

/** FreeKassa: a redirect with a signed amount, and a signed notice. The notice names no currency: the order’s was signed. */
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
