import { toDecimal, toMinor } from '../../../lib/payments/minor-units.ts'
import type { ProviderAccess } from '../payments-config.ts'
import { exactNumber, toExactObject } from '../provider-calls.ts'
import { json } from './answers.ts'
import type { PlayedPayment, PlayedPayments, StandInProvider, StandInRequest } from './provider.ts'

const STATUSES: Readonly<Record<PlayedPayment['state'], string>> = {
  open: 'INITIATED',
  pending: 'INITIATED',
  authorized: 'AUTHORIZED',
  paid: 'AUTHORIZED',
  partial: 'REDIRECTED',
  late: 'EXPIRED',
  failed: 'CANCELED_CUSTOMER',
  refunded: 'SUCCESS',
  charged_back: 'SUCCESS',
}

/** paysafecard: payments are read and captured over the API, and a notice proves nothing. */
export function playPaysafecard({ api_key }: ProviderAccess<'paysafecard'>): StandInProvider {
  const captured = new Set<string>()
  return {
    method: 'paysafecard',
    handle(request, payments) {
      const basic = `Basic ${Buffer.from(api_key).toString('base64')}`
      if (request.headers.authorization !== basic) return json(401, { number: 10008 })
      return answer(request, payments, captured)
    },
    notices(payment, { type }) {
      if (type !== 'paid') return []
      return [
        {
          method: 'POST',
          url: payment.notify_url,
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ mtid: payment.id, eventType: 'ASSIGN_CARDS' }).toString(),
        },
      ]
    },
  }
}

function answer(
  { method, path, body }: StandInRequest,
  payments: PlayedPayments,
  captured: Set<string>,
) {
  const match = /^\/v1\/payments(?:\/(\w+))?(\/capture)?$/.exec(path)
  if (!match) return undefined
  const [, id, isCapture] = match
  if (method === 'POST' && id === undefined) return begin(body, payments)
  const payment = id === undefined ? undefined : payments.byId(id)
  if (!payment) return json(404, { number: 2003 })
  if (isCapture) {
    if (payment.state !== 'paid' || captured.has(payment.id)) return json(400, { number: 2017 })
    captured.add(payment.id)
  }
  return json(200, show(payment, captured.has(payment.id)))
}

function begin(body: string, payments: PlayedPayments) {
  const given = toExactObject(body) as {
    amount: string
    currency: string
    redirect: { success_url: string; failure_url: string }
    notification_url: string
  }
  const { payment, page_url } = payments.open({
    reference: '',
    amount: toMinor(given.amount, given.currency) ?? 0n,
    currency: given.currency,
    description: 'Purchase',
    notify_url: given.notification_url,
    success_url: given.redirect.success_url,
    failure_url: given.redirect.failure_url,
    passed: {},
  })
  return json(201, { ...show(payment, false), redirect: { auth_url: page_url } })
}

function show({ id, state, amount, currency }: PlayedPayment, isCaptured: boolean) {
  return {
    object: 'PAYMENT',
    id,
    amount: exactNumber(toDecimal(amount, currency)),
    currency,
    status: isCaptured ? 'SUCCESS' : STATUSES[state],
  }
}
