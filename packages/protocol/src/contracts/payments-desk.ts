import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import { Amount, Count, Currency, Id, nothing, QueryId, Time } from '../kernel/primitives.ts'
import { office, Reason } from './staff.ts'
import { Claim, DeskPerson } from './staff-desk.ts'

/** Payments that are not as ordered, and callbacks of providers that were refused. Staff of the money decide. */

const desk = { who: 'finance', ...office } as const
const ById = z.object({ id: QueryId })
const Newer = PageQuery.omit({ page: true }).extend({ before: QueryId.optional() })

/** An order for which money came in, not as ordered. */
export const QuarantinedOrder = z.object({
  order_id: Id,
  user: DeskPerson,
  method: z.string(),
  pack: z.enum(['minutes', 'messages']),
  value: Count,
  bonus: Count,
  price: Amount,
  currency: Currency,
  /** The difference: `wrong_amount`. Null: it is not known any more. */
  why: z.string().nullable(),
  at: Time,
  claim: Claim.nullable(),
})
export type QuarantinedOrder = z.output<typeof QuarantinedOrder>

/** A callback of a provider, without its content. */
export const CallbackLine = z.object({
  id: Id,
  method: z.string(),
  verdict: z.string(),
  why: z.string().nullable(),
  order_id: Id.nullable(),
  user: DeskPerson.nullable(),
  at: Time,
  settled: z.object({ by: z.string(), why: z.string(), at: Time }).nullable(),
})
export type CallbackLine = z.output<typeof CallbackLine>

/** A callback as it arrived. Signatures, tokens and passwords are masked. */
export const KeptCallback = CallbackLine.extend({
  address: z.string(),
  request_method: z.string(),
  query: z.string(),
  headers: z.string(),
  body: z.string(),
})
export type KeptCallback = z.output<typeof KeptCallback>

export const PaymentCase = z.object({
  order: QuarantinedOrder.omit({ claim: true }).extend({
    reference: z.string(),
    payment_id: z.string().nullable(),
    state: z.string(),
    create_time: Time,
  }),
  /** The steps that the provider reported, with the money that came in. */
  steps: z.array(
    z.object({
      kind: z.string(),
      amount: Amount.nullable(),
      currency: Currency.nullable(),
      at: Time,
    }),
  ),
  /** The decisions of staff, the first one first. */
  acts: z.array(
    z.object({
      act: z.enum(['order_credit', 'order_refund', 'order_chargeback']),
      decided_by: z.string(),
      reason: z.string(),
      at: Time,
    }),
  ),
  callbacks: z.array(KeptCallback),
  /** The provider can be asked about the order. */
  asks: z.boolean(),
})
export type PaymentCase = z.output<typeof PaymentCase>

/** The order of an example by the form of a method. Mistakes: the form cannot be used, and the rest is empty. */
export const MethodPreview = z.object({
  mistakes: z.array(z.string()),
  /** The text that would be signed, with the names of the secrets in place. */
  signed: z.string(),
  /** The address with the fields of the redirect. Its signature is made with the names of the secrets. */
  url: z.string(),
})
export type MethodPreview = z.output<typeof MethodPreview>

/** A method of payment of the setting `payment_methods`. */
export const MethodLine = z.object({
  method: z.string(),
  /** The variables, the setting or the command without which the method is off. Null: buyers are offered the method. */
  lacks: z.string().nullable(),
  /** The form that describes the method, empty if none is set. Null: no form describes the method. */
  form: z.string().nullable(),
  /** Of the form that is set. */
  preview: MethodPreview.nullable(),
  /** Forms can be previewed: the method has its credentials. */
  has_preview: z.boolean(),
})
export type MethodLine = z.output<typeof MethodLine>

const methods = {
  'GET v2/manager/payment-methods': endpoint('GET', 'v2/manager/payment-methods', {
    summary: 'The methods of payment: which are on, what the others lack, and what a form signs.',
    ...desk,
    data: z.object({
      methods: z.array(MethodLine),
      /** The variables that are missing beside others of their provider. */
      missing: z.array(z.string()),
    }),
    refuses: [],
  }),
  'POST v2/manager/payment-methods/preview': endpoint(
    'POST',
    'v2/manager/payment-methods/preview',
    {
      summary: 'Previews another form of a method, before it is set. Nothing is stored.',
      ...desk,
      rate: '30/min',
      body: z.object({
        method: z.string().max(32),
        form: z.string().max(limits.payment_form_characters),
      }),
      data: MethodPreview,
      refuses: ['method_unavailable'],
    },
  ),
}

export const endpoints = {
  ...methods,
  'GET v2/manager/payments': endpoint('GET', 'v2/manager/payments', {
    summary: 'Orders for which money came in, not as ordered, the newest first.',
    ...desk,
    query: Newer,
    data: z.object({ items: z.array(QuarantinedOrder), next: z.boolean() }),
    refuses: [],
  }),
  'GET v2/manager/payments/{id}': endpoint('GET', 'v2/manager/payments/{id}', {
    summary:
      'An order with its buyer and what the provider reported about it. The look is recorded.',
    ...desk,
    query: ById,
    data: PaymentCase,
    refuses: ['not_found'],
  }),
  'GET v2/manager/payments/{id}/evidence': endpoint('GET', 'v2/manager/payments/{id}/evidence', {
    summary:
      'What proves an order in a dispute as a file of JSON: receipt, callbacks, and the transfers, calls, gifts and logins of the buyer. The export is in the audit log. Needs a fresh proof.',
    ...desk,
    rate: '20/hour',
    gives: 'raw',
    query: ById,
    data: nothing,
    refuses: ['not_found', 'second_factor'],
  }),
  'POST v2/manager/payments/{id}/ask': endpoint('POST', 'v2/manager/payments/{id}/ask', {
    summary:
      'Asks the provider about a waiting order, and applies what is new in the answer. Needs a fresh proof.',
    ...desk,
    rate: '20/min',
    query: ById,
    data: z.object({
      /** Null: the provider knows of no payment. */
      said: z
        .object({ kind: z.string(), amount: Amount.nullable(), currency: Currency.nullable() })
        .nullable(),
      state: z.string(),
    }),
    refuses: [
      'not_found',
      'role_forbidden',
      'claimed',
      'decided',
      'method_unavailable',
      'second_factor',
    ],
  }),
  'POST v2/manager/payments/{id}/decide': endpoint('POST', 'v2/manager/payments/{id}/decide', {
    summary:
      'Decides about a waiting order once: its payment is credited as ordered, or was given back at the provider. Needs a fresh proof.',
    ...desk,
    query: ById,
    body: z.object({ decision: z.enum(['credit', 'refund']), reason: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided', 'bulk_stopped', 'second_factor'],
  }),
  'GET v2/manager/callbacks': endpoint('GET', 'v2/manager/callbacks', {
    summary:
      'Callbacks of providers that were refused or not believed, the newest first. `waiting`: the refused ones that wait for staff, without those of orders that wait.',
    ...desk,
    query: Newer.extend({
      verdict: z.enum(['waiting', 'refused', 'unverified']).default('refused'),
    }),
    data: z.object({ items: z.array(CallbackLine), next: z.boolean() }),
    refuses: [],
  }),
  'GET v2/manager/callbacks/{id}': endpoint('GET', 'v2/manager/callbacks/{id}', {
    summary: 'A callback as it arrived, with its secrets masked. The look is recorded.',
    ...desk,
    query: ById,
    data: KeptCallback,
    refuses: ['not_found'],
  }),
  'POST v2/manager/callbacks/{id}/decide': endpoint('POST', 'v2/manager/callbacks/{id}/decide', {
    summary: 'Settles a refused callback: nothing is left to do about it. It moves no money.',
    ...desk,
    query: ById,
    body: z.object({ reason: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden', 'claimed', 'decided'],
  }),
}
