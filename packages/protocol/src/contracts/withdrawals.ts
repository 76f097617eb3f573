import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  Amount,
  Count,
  Id,
  Judged,
  Month,
  Permission,
  PositiveAmount,
  Time,
} from '../kernel/primitives.ts'

export const WithdrawalStatus = z.enum(['waiting', 'success', 'declined'])
export type WithdrawalStatus = z.output<typeof WithdrawalStatus>
export const WithdrawalStep = z.object({
  step: z.enum([
    'asked',
    'cut',
    'approved',
    'signed',
    'sent',
    'confirmed',
    'declined',
    'cancelled',
  ]),
  at: Time,
})
export type WithdrawalStep = z.output<typeof WithdrawalStep>

/** `amount` in coins, the rest as named. */
export const Withdrawal = z.object({
  id: Id,
  amount: Amount,
  usd: Amount,
  fee_usd: Amount,
  usdt: Amount,
  address: z.string(),
  status: WithdrawalStatus,
  steps: z.array(WithdrawalStep),
  reason: z.string().optional(),
  tx_id: z.string().optional(),
  create_time: Time,
})
export type Withdrawal = z.output<typeof Withdrawal>

export const actions = {}

export const events = {}

export const endpoints = {
  'GET check_btc': endpoint('GET', 'check_btc', {
    summary: 'Whether an address can be paid to; phone holds the address (an old name).',
    who: 'girl',
    rate: '30/min',
    query: z.object({ phone: Judged }),
    data: z.object({ valid: z.boolean(), network: z.string() }),
    refuses: ['address_wrong', 'wallet_unknown'],
  }),
  'GET withdraw': endpoint('GET', 'withdraw', {
    summary: 'The girl’s balance, the amount she can withdraw, and the time of the next payment.',
    who: 'girl',
    banned: true,
    data: z.object({
      balance: Amount,
      min_coins: Amount,
      fee_usd: Amount,
      coin_rate: Amount,
      usdt_wallet: z.string().nullable(),
      wallet_active_at: Time.optional(),
      next_cut_at: Time,
      next_payout_at: Time,
      can: Permission,
      waiting: Withdrawal.optional(),
    }),
    refuses: [],
  }),
  'GET v2/account/withdraw': endpoint('GET', 'v2/account/withdraw', {
    summary: 'The girl’s withdrawals, newest first.',
    who: 'girl',
    banned: true,
    query: PageQuery,
    data: listAnswer(Withdrawal),
    refuses: [],
  }),
  'GET v2/account/withdraw/statistics': endpoint('GET', 'v2/account/withdraw/statistics', {
    summary: 'The amounts paid to the girl so far.',
    who: 'girl',
    banned: true,
    data: z.object({
      paid_coins: Amount,
      paid_usdt: Amount,
      waiting_coins: Amount,
      count: Count,
      by_month: z.array(z.object({ month: Month, coins: Amount, usdt: Amount, count: Count })),
    }),
    refuses: [],
  }),
  'POST v2/account/withdraw': endpoint('POST', 'v2/account/withdraw', {
    summary: 'Asks for a payout of an amount of coins, which leaves the balance at once.',
    who: 'girl',
    idempotent: true,
    body: z.object({ amount: PositiveAmount }),
    data: Withdrawal,
    refuses: [
      'verification_required',
      'no_balance',
      'address_wrong',
      'wallet_unknown',
      'below_minimum',
      'withdrawal_waiting',
      'method_unavailable',
      'key_reused',
    ],
  }),
  'POST v2/account/withdraw/cancel': endpoint('POST', 'v2/account/withdraw/cancel', {
    summary: 'Cancels a payout before the cut; the coins return.',
    who: 'girl',
    idempotent: true,
    body: z.object({ id: Id }),
    data: Withdrawal,
    refuses: ['not_found', 'pair_over', 'key_reused'],
  }),
  'POST account/wallet/confirm': endpoint('POST', 'account/wallet/confirm', {
    summary: 'Confirms a changed address by the key of the mail; it is paid to after 48 hours.',
    who: 'girl',
    rate: '20/hour',
    body: z.object({ key: z.string().min(1).max(limits.token_characters) }),
    data: z.object({ usdt_wallet: z.string(), wallet_active_at: Time }),
    refuses: ['recovery_invalid'],
  }),
}
