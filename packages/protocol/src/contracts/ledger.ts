import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Amount, Count, Day, Id, nothing, Seconds, Time, Units } from '../kernel/primitives.ts'

/** Diamonds and message credits of a guy; coins of a girl, whose `balance_messages` is always 0. */
export const Balance = z.object({ balance: Amount, balance_messages: Count })
export type Balance = z.output<typeof Balance>

/** Why a balance changed by no act of its owner. */
export const BalanceReason = z.enum([
  'purchase',
  'refund',
  'grant',
  'prize',
  'referral',
  'penalty',
  'penalty_refund',
  'payout_declined',
  'reset',
])
export type BalanceReason = z.output<typeof BalanceReason>

export const EarningKind = z.enum([
  'call_public',
  'call_private',
  'message',
  'gift',
  'referral',
  'prize',
  'bonus',
  'penalty',
  'penalty_refund',
  'withdrawal',
  'payout_declined',
  'reset',
  'grant',
])
export type EarningKind = z.output<typeof EarningKind>

/** An entry of a girl's ledger: `amount` in coins, negative when paid out; `balance` after the entry. */
export const Earning = z.object({
  id: z.string(),
  at: Time,
  kind: EarningKind,
  amount: Amount,
  balance: Amount,
  nick: z.string().optional(),
  session_id: Id.optional(),
  seconds: Seconds.optional(),
  statement_id: Id.optional(),
})
export type Earning = z.output<typeof Earning>

const EarningFilter = z.object({
  from: Day.optional(),
  to: Day.optional(),
  kind: EarningKind.optional(),
})

export const actions = {
  NEW_BALANCE_INFO_GOT: action('NEW_BALANCE_INFO_GOT', {
    method: 'gotNewBalanceInfo',
    summary: 'Confirms a balance notice; until then it is repeated after each connect.',
    who: 'member',
    banned: true,
    data: z.object({ id: Id }),
    ack: nothing,
    silent: true,
    refuses: [],
  }),
}

export const events = {
  balance: event('balance', {
    summary: 'The balance as it is now: absolute, always right.',
    payload: Balance,
  }),
  free_quota: event('free_quota', {
    summary: 'The free video seconds and free messages that are left today.',
    payload: z.object({ seconds: Seconds, messages: Count }),
  }),
  new_balance_info: event('new_balance_info', {
    summary:
      'The balance changed by an act of another user or of staff; repeated after each connect until NEW_BALANCE_INFO_GOT.',
    durable: true,
    payload: Balance.extend({ id: Id, reason: BalanceReason }),
  }),
  refill_balance: event('refill_balance', {
    summary: 'The guy cannot afford another second: offers a refill, with the girl of the call.',
    durable: true,
    payload: z.object({ last_interlocutor: UserInterlocutor.optional() }),
  }),
}

export const endpoints = {
  'POST balance': endpoint('POST', 'balance', {
    summary: 'The own balance: the ledger’s, less what is not yet posted.',
    who: 'member',
    banned: true,
    data: Balance.extend({
      balance_units: Units,
      is_premium: z.boolean(),
      premium_until: Time.nullable(),
    }),
    refuses: [],
  }),
  'POST demo/minutes': endpoint('POST', 'demo/minutes', {
    summary: 'Demo installation only, else 404: adds 15 minutes from promotion.',
    who: 'guy',
    rate: '30/min',
    idempotent: true,
    data: z.object({ balance: Amount }),
    refuses: ['not_found', 'key_reused'],
  }),
  'GET earnings': endpoint('GET', 'earnings', {
    summary: 'The girl’s ledger, newest first, with the running balance.',
    who: 'girl',
    banned: true,
    query: PageQuery.extend(EarningFilter.shape),
    data: listAnswer(Earning),
    refuses: [],
  }),
  'GET earnings/statement': endpoint('GET', 'earnings/statement', {
    summary: 'The girl’s ledger as a file.',
    who: 'girl',
    banned: true,
    rate: '20/hour',
    query: EarningFilter.extend({ format: z.enum(['csv', 'pdf']).default('csv') }),
    gives: 'raw',
    data: nothing,
    refuses: [],
  }),
}
