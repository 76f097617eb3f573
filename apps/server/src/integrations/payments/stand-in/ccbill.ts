import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import { isSameText } from '../../../lib/payments/same-text.ts'
import { ccbillDigest } from '../gateways/ccbill.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { readParameters } from '../provider-calls.ts'
import { text } from './answers.ts'
import type { PlayedPayment, PlayedPayments, PlayedStep, StandInProvider } from './provider.ts'

const CODES: Readonly<Record<string, string>> = { USD: '840', EUR: '978', GBP: '826' }
const EVENTS: Readonly<Record<PlayedStep['type'], string | undefined>> = {
  paid: 'NewSaleSuccess',
  failed: 'NewSaleFailure',
  refunded: 'Refund',
  charged_back: 'Chargeback',
  pending: undefined,
  partial: undefined,
  late: undefined,
}

/** FlexForms of CCBill, its webhooks, which are forms, and the questions of DataLink. */
export function playCcbill(access: ProviderAccess<'ccbill'>): StandInProvider {
  const { account, subaccount, form_id, salt } = access
  return {
    method: 'ccbill',
    handle({ path, query }, payments) {
      const given = readParameters(query)
      if (path === '/utils/subscriptionManagement.cgi')
        return text(200, dataLink(given ?? {}, access, payments))
      if (path !== `/wap-frontflex/flexforms/${form_id}` || !given) return undefined
      const { initialPrice = '', initialPeriod = '', currencyCode = '', reference = '' } = given
      const digest = ccbillDigest(initialPrice, initialPeriod, currencyCode, salt)
      if (!isSameText(given.formDigest, digest) || given.clientAccnum !== account)
        return text(400, 'The form digest is wrong')
      const currency = Object.keys(CODES).find((one) => CODES[one] === currencyCode) ?? ''
      const { page_url } = payments.open({
        reference,
        amount: toMinor(initialPrice, currency) ?? 0n,
        currency,
        description: 'Purchase',
        notify_url: payments.notify_url,
        success_url: payments.home_url,
        failure_url: payments.home_url,
        passed: {},
      })
      return { redirect: page_url }
    },
    notices(payment, step) {
      const eventType = EVENTS[step.type]
      if (eventType === undefined) return []
      const fields = {
        eventType,
        clientAccnum: account,
        clientSubacc: subaccount,
        subscriptionId: payment.id,
        transactionId: `${payment.id}-${step.type === 'paid' ? 1 : step.step}`,
        ...(eventType.startsWith('NewSale') ? sale(payment, step, salt) : back(payment, step)),
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

/** The fields of a sale, or a code. It counts at most one step of each kind. */
function dataLink(
  given: Readonly<Record<string, string>>,
  access: ProviderAccess<'ccbill'>,
  payments: PlayedPayments,
): string {
  const code = (number: number | string) => `<results>${number}</results>`
  if (payments.datalink_code !== undefined) return code(payments.datalink_code)
  const { username, password, clientAccnum, action, subscriptionId = '' } = given
  if (username !== access.datalink_username || password !== access.datalink_password)
    return code(-1)
  if (clientAccnum !== access.account) return code(-4)
  if (action !== 'viewSubscriptionStatus') return code(-6)
  const payment = payments.byId(subscriptionId)
  if (!payment || !['paid', 'refunded', 'charged_back'].includes(payment.state)) return code(-3)
  const fields = {
    subscriptionStatus: '2',
    recurringSubscription: '0',
    refundsIssued: payment.state === 'refunded' ? '1' : '0',
    voidsIssued: '0',
    chargebacksIssued: payment.state === 'charged_back' ? '1' : '0',
  }
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`)
  return `<?xml version='1.0'?><results>${elements.join('')}</results>`
}

function sale(payment: PlayedPayment, step: PlayedStep, salt: string): Record<string, string> {
  const { amount = payment.amount, currency = payment.currency } = step
  return {
    billedInitialPrice: toDecimal(amount, payment.currency),
    billedCurrencyCode: CODES[currency] ?? '000',
    'X-reference': step.reference ?? payment.reference,
    cardType: 'VISA',
    bin: '411111',
    last4: '1111',
    expDate: '1230',
    dynamicPricingValidationDigest: ccbillDigest(
      payment.id,
      step.type === 'paid' ? '1' : '0',
      salt,
    ),
  }
}

function back(payment: PlayedPayment, step: PlayedStep): Record<string, string> {
  const { amount = payment.amount, currency = payment.currency } = step
  return { amount: toDecimal(amount, payment.currency), currency, reason: 'stand-in' }
}
