import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { UserInterlocutor } from '../kernel/entities.ts'
import { listOf, PageQuery } from '../kernel/envelope.ts'
import { Amount, Count, Day, Id, nothing, Seconds, Time, Units } from '../kernel/primitives.ts'

/** What he owns: diamonds and message credits; hers are coins and always 0 messages. */
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

/** A line of her ledger: `amount` in coins, negative where it left; `balance` is what stood after it. */
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
    says: 'Confirms a balance notice; until then it is repeated after each connect.',
    who: 'member',
    data: z.object({ id: Id }),
    ack: nothing,
    silent: true,
    refuses: [],
  }),
}

export const events = {
  balance: event('balance', {
    says: 'The balance as it is now: absolute, always right.',
    payload: Balance,
  }),
  free_quota: event('free_quota', {
    says: 'What is left of free video and of the day’s free messages.',
    payload: z.object({ seconds: Seconds, messages: Count }),
  }),
  new_balance_info: event('new_balance_info', {
    says: 'The balance changed by somebody else’s act; repeated after each connect until NEW_BALANCE_INFO_GOT.',
    durable: true,
    payload: Balance.extend({ id: Id, reason: BalanceReason }),
  }),
  refill_balance: event('refill_balance', {
    says: 'No further second is affordable: offers a refill, with the one he was talking to.',
    durable: true,
    payload: z.object({ last_interlocutor: UserInterlocutor.optional() }),
  }),
}

export const endpoints = {
  'POST balance': endpoint('POST', 'balance', {
    says: 'One’s own balance, the ledger’s less what is not yet posted.',
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
    says: 'Demo installation only, else 404: adds 15 minutes from promotion.',
    who: 'guy',
    rate: '30/min',
    idempotent: true,
    data: z.object({ balance: Amount }),
    refuses: ['not_found', 'key_reused'],
  }),
  'GET earnings': endpoint('GET', 'earnings', {
    says: 'Her ledger, newest first, with the running balance.',
    who: 'girl',
    banned: true,
    query: PageQuery.extend(EarningFilter.shape),
    data: listOf(Earning),
    refuses: [],
  }),
  'GET earnings/statement': endpoint('GET', 'earnings/statement', {
    says: 'Her ledger as a file.',
    who: 'girl',
    banned: true,
    rate: '20/hour',
    query: EarningFilter.extend({ format: z.enum(['csv', 'pdf']).default('csv') }),
    gives: 'raw',
    data: nothing,
    refuses: [],
  }),
}
