import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import { md5 } from '../gateways/free-kassa.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { readParameters } from '../provider-calls.ts'
import { text } from './answers.ts'
import type { StandInProvider } from './provider.ts'

/** FreeKassa’s page and its notice. It reports payments only. */
export function playFreeKassa(access: ProviderAccess<'fk'>): StandInProvider {
  const { merchant_id, secret_1, secret_2 } = access
  return {
    method: 'fk',
    handle({ query }, desk) {
      const { m = '', oa = '', o = '', currency = '', s } = readParameters(query) ?? {}
      if (m !== merchant_id || !isSameText(s, md5(m, oa, secret_1, currency, o)))
        return text(400, 'The signature is wrong')
      const { page_url } = desk.open({
        reference: o,
        amount: toMinor(oa, currency) ?? 0n,
        currency,
        description: 'Purchase',
        notify_url: desk.notify_url,
        success_url: desk.home_url,
        failure_url: desk.home_url,
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
        intid: payment.id,
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
