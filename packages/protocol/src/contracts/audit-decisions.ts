import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Media, VerifyState } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { limits } from '../kernel/limits.ts'
import {
  Amount,
  Id,
  nothing,
  QueryId,
  boundedText,
  Time,
  Url,
  UserId,
  Uuid,
} from '../kernel/primitives.ts'
import { Appeal } from '../kernel/sanctions.ts'
import { PhotoVerdict } from '../kernel/sanctions.ts'
import { ComplaintReason } from './moderation.ts'
import { Withdrawal } from './withdrawals.ts'

/** The decisions of staff: queues of complaints, pictures, verifications, appeals and payouts, and grants. */

export const office = { credential: 'staff' } as const
export const Reason = boundedText(limits.comment_characters, 1)
const ById = z.object({ id: QueryId })
const Queue = PageQuery.extend({ state: z.enum(['waiting', 'decided']).default('waiting') })

export const Complaint = z.object({
  id: Id,
  reason: ComplaintReason,
  user_id: UserId,
  complainer_id: UserId.nullable(),
  comment: z.string(),
  session_id: Id.nullable(),
  evidence: z.array(Url),
  state: z.enum(['waiting', 'upheld', 'rejected']),
  create_time: Time,
})
export type Complaint = z.output<typeof Complaint>

const queueEndpoints = {
  'GET v2/manager/complaints': endpoint('GET', 'v2/manager/complaints', {
    summary: 'The queue of complaints, children first.',
    who: 'moderator',
    ...office,
    query: Queue,
    data: listAnswer(Complaint),
    refuses: [],
  }),
  'POST v2/manager/complaints/{id}/decide': endpoint('POST', 'v2/manager/complaints/{id}/decide', {
    summary: 'Upholds or rejects a complaint; the reporter learns the outcome.',
    who: 'moderator',
    ...office,
    query: ById,
    body: z.object({ upheld: z.boolean(), reason: Reason }),
    data: Complaint,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/photos': endpoint('GET', 'v2/manager/photos', {
    summary: 'Pictures that wait for review.',
    who: 'moderator',
    ...office,
    query: Queue,
    data: listAnswer(Media.extend({ user_id: UserId, nudity: z.number() })),
    refuses: [],
  }),
  'POST v2/manager/photos/{id}/decide': endpoint('POST', 'v2/manager/photos/{id}/decide', {
    summary: 'Approves a picture, or removes it with a verdict: a statement follows.',
    who: 'moderator',
    ...office,
    query: z.object({ id: Uuid }),
    body: z.object({
      approve: z.boolean(),
      verdict: PhotoVerdict.optional(),
      reason: Reason.optional(),
    }),
    data: z.object({ media: Media }),
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/verifications': endpoint('GET', 'v2/manager/verifications', {
    summary: 'Identity checks that wait; each look is logged.',
    who: 'manager',
    ...office,
    query: Queue,
    data: listAnswer(
      z.object({
        user_id: UserId,
        nick: z.string(),
        country: z.string(),
        type: z.string(),
        create_time: Time,
      }),
    ),
    refuses: [],
  }),
  'POST v2/manager/verifications/{id}/decide': endpoint(
    'POST',
    'v2/manager/verifications/{id}/decide',
    {
      summary: 'Verifies a user, or declines with the reason.',
      who: 'manager',
      ...office,
      query: ById,
      body: z.object({ verified: z.boolean(), reason: Reason.optional() }),
      data: z.object({ state: VerifyState }),
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'GET v2/manager/appeals': endpoint('GET', 'v2/manager/appeals', {
    summary: 'Appeals that wait.',
    who: 'manager',
    ...office,
    query: Queue,
    data: listAnswer(Appeal.extend({ user_id: UserId })),
    refuses: [],
  }),
  'POST v2/manager/appeals/{id}/decide': endpoint('POST', 'v2/manager/appeals/{id}/decide', {
    summary: 'Decides an appeal; the member of staff who imposed the act may not.',
    who: 'manager',
    ...office,
    query: ById,
    body: z.object({ upheld: z.boolean(), answer: Reason }),
    data: Appeal,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'POST v2/manager/ban/lift': endpoint('POST', 'v2/manager/ban/lift', {
    summary: 'Ends a ban.',
    who: 'manager',
    ...office,
    body: z.object({ user_id: UserId, reason: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden'],
  }),
}

const moneyEndpoints = {
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

export const decisionEndpoints = { ...queueEndpoints, ...moneyEndpoints }
