import { z } from 'zod'
import { endpoint, event } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  Amount,
  Count,
  Currency,
  Id,
  nothing,
  PositiveAmount,
  QueryId,
  Time,
  Url,
} from '../kernel/primitives.ts'
import { endpoints as deskEndpoints } from './payments-desk.ts'

export const payMethods = [
  'verotel',
  'ccbill',
  'paysafecard',
  'giftcard',
  'prime',
  'contact',
  'fk',
  'dafinci',
  'expay',
  'evypay',
  'payselect',
  'crypto',
  'cloudpayments',
  'sandbox',
] as const
export const PayMethod = z.enum(payMethods)
export type PayMethod = z.output<typeof PayMethod>
export const PayPlace = z.enum(['billing', 'not_balance', 'gift', 'composer', 'premium'])
export type PayPlace = z.output<typeof PayPlace>
const Pack = z.enum(['minutes', 'messages'])

/** `value` and `bonus` in minutes or messages, `price` in `currency`. */
export const Package = z.object({
  package_id: Id,
  pack: Pack,
  value: Count,
  bonus: Count,
  price: Amount,
  currency: Currency,
  methods: z.array(PayMethod),
  sale_until: Time.optional(),
})
export type Package = z.output<typeof Package>

export const Order = z.object({
  order_id: Id,
  place: PayPlace,
  method: PayMethod,
  /** Null: a gift card. */
  package_id: Id.nullable(),
  pack: Pack,
  value: Count,
  bonus: Count,
  price: Amount,
  currency: Currency,
  /**
   * `waiting`: the provider has not reported a payment yet · `checking`: a payment came in that is not as ordered, and
   * staff decide · `disputed`: the bank took the payment back.
   */
  status: z.enum(['waiting', 'checking', 'paid', 'failed', 'expired', 'refunded', 'disputed']),
  create_time: Time,
  paid_time: Time.nullable(),
  /** The part of the price that was given back. */
  returned: Amount,
})
export type Order = z.output<typeof Order>

/** Where the browser goes to pay. A provider that takes a form gets it from a page of the server. */
export const PaymentStart = z.object({ order_id: Id, url: Url })
export type PaymentStart = z.output<typeof PaymentStart>

/** In USD: the prices of all that is bought a day, minutes, messages and gift cards. */
export const SpendingLimits = z.object({
  /** Null: no limit. */
  daily_usd: Amount.nullable(),
  spent_today: Amount,
  cool_off_until: Time.nullable(),
  /** A raised limit waits a day; a lowered one applies at once. */
  next: z.object({ daily_usd: Amount.nullable(), from: Time }).optional(),
})
export type SpendingLimits = z.output<typeof SpendingLimits>

const startRefusals = [
  'not_found',
  'spending_limit',
  'method_unavailable',
  'key_reused',
  'role_forbidden',
] as const

function payBy<Path extends string>(path: Path, summary: string) {
  return endpoint('POST', path, {
    summary,
    who: 'member',
    rate: '20/min',
    idempotent: true,
    query: z.object({ packet: QueryId }),
    data: PaymentStart,
    refuses: startRefusals,
  })
}

const notice = {
  summary: 'A provider’s callback: verified, idempotent, answered in the provider’s own format.',
  who: 'any',
  credential: 'provider',
  banned: true,
  rate: '600/min',
  gives: 'raw',
  query: z.object({ method: PayMethod }),
  data: nothing,
  refuses: ['payment_unverified', 'method_unavailable'],
} as const

export const actions = {}

export const events = {
  pay_success: event('pay_success', {
    summary: 'A payment came in: the balance and premium as they are now.',
    durable: true,
    payload: z.object({
      balance: Amount,
      balance_messages: Count,
      order_id: Id,
      premium_until: Time.nullable(),
    }),
  }),
  payments_methods_extend: event('payments_methods_extend', {
    summary: 'The methods of payment changed.',
    payload: z.object({
      methods: z.array(PayMethod),
      cloudpayments: z.object({ key: z.string() }).optional(),
    }),
  }),
}

export const endpoints = {
  'GET packages': endpoint('GET', 'packages', {
    summary: 'The price list.',
    who: 'member',
    query: z.object({ currency: Currency.optional() }),
    data: z.object({ packages: z.array(Package), default_pay_system: PayMethod.nullable() }),
    refuses: [],
  }),
  'POST payment/start': endpoint('POST', 'payment/start', {
    summary: 'Opens an order at a payment provider; the price is ours, by package.',
    who: 'member',
    rate: '20/min',
    idempotent: true,
    body: z.object({
      package_id: Id,
      method: PayMethod,
      place: PayPlace,
      currency: Currency.optional(),
    }),
    data: PaymentStart,
    refuses: startRefusals,
  }),
  'POST payment/spay': payBy(
    'payment/spay',
    'Opens an order by the method that setting spay_method names.',
  ),
  'POST payment/pays': payBy(
    'payment/pays',
    'Opens an order by the method that setting pays_method names.',
  ),
  'POST payment/cloudpayments': payBy('payment/cloudpayments', 'Opens an order at CloudPayments.'),
  'POST payment/notify/{method}': endpoint('POST', 'payment/notify/{method}', {
    ...notice,
    takes: 'raw',
  }),
  'GET payment/notify/{method}': endpoint('GET', 'payment/notify/{method}', notice),
  'GET /payment/return': endpoint('GET', '/payment/return', {
    summary:
      'The page to which a provider sends the browser back. It shows the state of the order and credits nothing.',
    who: 'any',
    banned: true,
    rate: '120/min',
    gives: 'raw',
    query: z.object({ order: QueryId, key: z.string().max(limits.token_characters) }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET /payment/widget': endpoint('GET', '/payment/widget', {
    summary:
      'The page with the widget of a provider, or with the form that it takes. `plain` leads to the page of the provider, for a browser that does not load the widget.',
    who: 'any',
    banned: true,
    rate: '120/min',
    gives: 'raw',
    query: z.object({
      order: QueryId,
      key: z.string().max(limits.token_characters),
      plain: z.literal('1').optional(),
    }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET orders': endpoint('GET', 'orders', {
    summary: 'The user’s own purchases, newest first.',
    who: 'member',
    banned: true,
    query: PageQuery,
    data: listAnswer(Order),
    refuses: [],
  }),
  'GET orders/{id}': endpoint('GET', 'orders/{id}', {
    summary: 'One of the user’s own purchases.',
    who: 'member',
    banned: true,
    query: z.object({ id: QueryId }),
    data: Order,
    refuses: ['not_found'],
  }),
  'GET orders/{id}/receipt': endpoint('GET', 'orders/{id}/receipt', {
    summary: 'The receipt of one of the user’s own purchases as a PDF.',
    who: 'member',
    banned: true,
    rate: '10/min',
    gives: 'raw',
    query: z.object({ id: QueryId }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'POST gift-card/redeem': endpoint('POST', 'gift-card/redeem', {
    summary: 'Redeems a prepaid code, once: a purchase like any other.',
    who: 'guy',
    rate: '5/min',
    idempotent: true,
    body: z.object({ code: z.string().min(1).max(limits.name_characters) }),
    data: Order,
    refuses: ['not_found', 'key_reused', 'spending_limit'],
  }),
  'GET account/limits': endpoint('GET', 'account/limits', {
    summary: 'The guy’s own daily spending limit and cool-off.',
    who: 'guy',
    data: SpendingLimits,
    refuses: [],
  }),
  'POST account/limits': endpoint('POST', 'account/limits', {
    summary: 'Sets them: lower at once, higher after a day.',
    who: 'guy',
    rate: '20/hour',
    body: z.object({
      daily_usd: PositiveAmount.nullable().optional(),
      /** The length of a time without purchases, counted from when the server takes it. It is never shortened. */
      cool_off_hours: z.int().positive().max(limits.cool_off_hours).optional(),
    }),
    data: SpendingLimits,
    refuses: [],
  }),
  ...deskEndpoints,
}
