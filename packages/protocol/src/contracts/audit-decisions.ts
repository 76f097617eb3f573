import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { Amount, QueryId, UserId } from '../kernel/primitives.ts'
import { office, Reason } from './staff.ts'
import { Withdrawal } from './withdrawals.ts'

/** The decisions of staff about payouts and grants. */

const ById = z.object({ id: QueryId })
const Queue = PageQuery.extend({ state: z.enum(['waiting', 'decided']).default('waiting') })

export const decisionEndpoints = {
  'GET v2/manager/payouts': endpoint('GET', 'v2/manager/payouts', {
    summary: 'The present pay run.',
    who: 'finance',
    ...office,
    query: Queue,
    data: listAnswer(Withdrawal.extend({ user_id: UserId })),
    refuses: [],
  }),
  'POST v2/manager/payouts/{id}/decide': endpoint('POST', 'v2/manager/payouts/{id}/decide', {
    summary: 'Approves or declines a payout; above the limit two different people must.',
    who: 'finance',
    ...office,
    idempotent: true,
    query: ById,
    body: z.object({ approve: z.boolean(), reason: Reason.optional() }),
    data: Withdrawal,
    refuses: ['not_found', 'role_forbidden', 'pair_over', 'second_factor', 'key_reused'],
  }),
  'POST v2/manager/grant': endpoint('POST', 'v2/manager/grant', {
    summary: 'Moves an amount to a user through the ledger, with its reason.',
    who: 'finance',
    ...office,
    idempotent: true,
    body: z.object({
      user_id: UserId,
      asset: z.enum(['diamond', 'message', 'coin']),
      amount: Amount,
      reason: Reason,
    }),
    data: z.object({ balance: Amount }),
    refuses: ['not_found', 'role_forbidden', 'key_reused'],
  }),
}
