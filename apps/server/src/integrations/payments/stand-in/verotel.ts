import { text } from './answers.ts'
import type { VerotelAccess } from '../gateways/verotel.ts'
import { verotelSignature } from '../gateways/verotel.ts'
import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { readParameters } from '../provider-calls.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import type { PlayedPayment, PlayedPayments, StandInProvider } from './provider.ts'

const EVENTS: Readonly<Record<string, string>> = {
  paid: 'initial',
  refunded: 'credit',
  charged_back: 'chargeback',
}

/** Verotel’s payment page, its status query and its postbacks. */
export function playVerotel({ shop_id, signature_key }: VerotelAccess): StandInProvider {
  return {
    method: 'verotel',
    handle({ path, query }, payments) {
      const given = readParameters(query)
      if (!given || !isSameText(given.signature, verotelSignature(signature_key, given)))
        return text(400, 'Error: invalid signature')
      if (given.shopID !== shop_id) return text(400, 'Error: unknown shop')
      if (path === '/startorder') return { redirect: open(given, payments) }
      return path === '/salestatus' ? text(200, status(payments, given.referenceID)) : undefined
    },
    notices(payment, { type, step, amount = payment.amount, currency, reference }) {
      const event = EVENTS[type]
      // A declined card has no postback: the browser returns, and the order expires.
      if (event === undefined) return []
      const parameters: Record<string, string> = {
        shopID: shop_id,
        type: 'purchase',
        event,
        saleID: payment.id,
        ...(event === 'initial'
          ? { transactionID: transactionId(payment) }
          : { parentID: transactionId(payment), transactionID: `${payment.id}-${step}` }),
        referenceID: reference ?? payment.reference,
        priceAmount: toDecimal(amount, payment.currency),
        priceCurrency: currency ?? payment.currency,
        paymentMethod: 'CC',
        CCBrand: 'VISA',
        truncatedPAN: 'xxxxxxxxxxxx1111',
        ...payment.passed,
      }
      const signed = { ...parameters, signature: verotelSignature(signature_key, parameters) }
      const url = `${payment.notify_url}?${new URLSearchParams(signed).toString()}`
      return [{ method: 'GET', url, headers: {} }]
    },
  }
}

function transactionId({ id }: PlayedPayment): string {
  return `${id}-t`
}

function open(given: Readonly<Record<string, string>>, payments: PlayedPayments): string {
  const currency = given.priceCurrency ?? ''
  const { page_url } = payments.open({
    reference: given.referenceID ?? '',
    amount: toMinor(given.priceAmount ?? '', currency) ?? 0n,
    currency,
    description: given.description ?? '',
    notify_url: payments.notify_url,
    success_url: given.successURL ?? '',
    failure_url: given.declineURL ?? '',
    passed: given.custom1 ? { custom1: given.custom1 } : {},
  })
  return page_url
}

function status(payments: PlayedPayments, reference = ''): string {
  const payment = payments.byReference(reference)
  if (payment?.state !== 'paid') return 'response: NOTFOUND\n'
  return [
    'response: FOUND',
    'saleResult: APPROVED',
    `saleID: ${payment.id}`,
    `transactionID: ${transactionId(payment)}`,
    `referenceID: ${reference}`,
    `priceAmount: ${toDecimal(payment.amount, payment.currency)}`,
    `priceCurrency: ${payment.currency}`,
    '',
  ].join('\n')
}
