import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import { freeKassaSignature, md5 } from '../gateways/free-kassa.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, readParameters, toExactObject } from '../provider-calls.ts'
import { json, text } from './answers.ts'
import type { PlayedPayments, StandInProvider } from './provider.ts'

/** FreeKassa’s page, its notice and its list of orders. It reports payments only. */
export function playFreeKassa(access: ProviderAccess<'fk'>): StandInProvider {
  const { merchant_id, secret_1, secret_2 } = access
  return {
    method: 'fk',
    handle({ path, query, body }, payments) {
      if (path === '/v1/orders') return listOrders(access, body, payments)
      const { m = '', oa = '', o = '', currency = '', s } = readParameters(query) ?? {}
      if (m !== merchant_id || !isSameText(s, md5(m, oa, secret_1, currency, o)))
        return text(400, 'The signature is wrong')
      const { page_url } = payments.open({
        reference: o,
        amount: toMinor(oa, currency) ?? 0n,
        currency,
        description: 'Purchase',
        notify_url: payments.notify_url,
        success_url: payments.home_url,
        failure_url: payments.home_url,
        passed: {},
      })
      return { redirect: page_url }
    },
    notices(payment, { type, amount = payment.amount, reference = payment.reference }) {
      if (type !== 'paid') return []
      const paid = toDecimal(amount, payment.currency)
      const fields = {
        MERCHANT_ID: merchant_id,
        AMOUNT: paid,
        intid: payment.number,
        MERCHANT_ORDER_ID: reference,
        SIGN: md5(merchant_id, paid, secret_2, reference),
      }
      return [
        {
          method: 'POST',
          url: payment.notify_url,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        },
      ]
    },
  }
}

/** The orders with the asked name, as the API shows them. */
function listOrders(
  { merchant_id, api_key = '' }: ProviderAccess<'fk'>,
  body: string,
  payments: PlayedPayments,
) {
  const { signature, ...fields } = (toExactObject(body) ?? {}) as Record<string, string>
  if (!isSameText(signature, freeKassaSignature(api_key, fields)) || fields.shopId !== merchant_id)
    return json(401, { type: 'error', message: 'Invalid signature' })
  const payment = payments.byReference(fields.paymentId ?? '')
  const orders = payment
    ? [
        {
          merchant_order_id: payment.reference,
          fk_order_id: exactNumber(payment.number),
          amount: exactNumber(toDecimal(payment.amount, payment.currency)),
          currency: payment.currency,
          status: payment.state === 'paid' ? 1 : 0,
        },
      ]
    : []
  return json(200, { type: 'success', pages: 1, orders })
}
