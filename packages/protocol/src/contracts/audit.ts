import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { Media, VerifyState, WireRole } from '../kernel/entities.ts'
import { listOf, PageQuery } from '../kernel/envelope.ts'
import { PasskeyAnswer } from './identity-account.ts'
import { limits } from '../kernel/limits.ts'
import { ComplaintReason, PhotoVerdict } from './moderation.ts'
import {
  Amount,
  Id,
  Judged,
  nothing,
  QueryId,
  textOf,
  Time,
  Units,
  Url,
  UserId,
  Uuid,
} from '../kernel/primitives.ts'
import { staffRoles } from '../kernel/who.ts'
import { Withdrawal } from './withdrawals.ts'
import { Appeal, ModerationInfo } from '../kernel/sanctions.ts'

/**
 * The back office below `v2/manager`: every list has the same manners, every decision carries its reason, and every
 * act is a row of the audit log. Bans and penalties stand in `moderation.ts`.
 */

export const StaffRoleName = z.enum(staffRoles)
export type StaffRoleName = z.output<typeof StaffRoleName>
export const Staff = z.object({
  id: Id,
  email: z.string(),
  role: StaffRoleName,
  last_visit: Time.nullable(),
})
export type Staff = z.output<typeof Staff>

/** `hash` chains each row to the one before it. */
export const AuditEntry = z.object({
  id: Id,
  at: Time,
  staff_id: Id.nullable(),
  act: z.string(),
  user_id: UserId.nullable(),
  reason: z.string(),
  facts: z.record(z.string(), z.unknown()),
  hash: z.string(),
})
export type AuditEntry = z.output<typeof AuditEntry>

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

export const OfficeUser = z.object({
  id: UserId,
  nick: z.string().nullable(),
  email: z.string().nullable(),
  role: WireRole.nullable(),
  balance_units: Units,
  verify_state: VerifyState,
  moderation_info: ModerationInfo.nullable(),
  create_time: Time,
  last_visit: Time.nullable(),
})
export type OfficeUser = z.output<typeof OfficeUser>

const Reason = textOf(limits.comment_characters, 1)
const ById = z.object({ id: QueryId })
const Queue = PageQuery.extend({ state: z.enum(['waiting', 'decided']).default('waiting') })
const office = { credential: 'staff' } as const

export const actions = {}

export const events = {}

const doorEndpoints = {
  'POST v2/manager/sign-in': endpoint('POST', 'v2/manager/sign-in', {
    says: 'Opens the back office, always by two factors.',
    who: 'any',
    ...office,
    rate: '10/min',
    body: z.object({
      email: Judged,
      password: Judged,
      otp: z.string().max(16).optional(),
      passkey: PasskeyAnswer.optional(),
    }),
    data: z.object({ staff: Staff }),
    refuses: ['wrong_login', 'second_factor', 'captcha_required'],
  }),
  'POST v2/manager/sign-out': endpoint('POST', 'v2/manager/sign-out', {
    says: 'Leaves the back office.',
    who: 'staff',
    ...office,
    data: nothing,
    refuses: [],
  }),
  'GET v2/manager/audit': endpoint('GET', 'v2/manager/audit', {
    says: 'Who did what, when and why, newest first.',
    who: 'manager',
    ...office,
    query: PageQuery.extend({ user_id: QueryId.optional(), staff_id: QueryId.optional() }),
    data: listOf(AuditEntry),
    refuses: [],
  }),
  'GET v2/manager/users': endpoint('GET', 'v2/manager/users', {
    says: 'Finds users by id, nick, address or code.',
    who: 'staff',
    ...office,
    query: PageQuery.extend({ query: z.string().max(limits.query_characters).optional() }),
    data: listOf(OfficeUser),
    refuses: [],
  }),
}

const queueEndpoints = {
  'GET v2/manager/complaints': endpoint('GET', 'v2/manager/complaints', {
    says: 'The queue of complaints, children first.',
    who: 'moderator',
    ...office,
    query: Queue,
    data: listOf(Complaint),
    refuses: [],
  }),
  'POST v2/manager/complaints/{id}/decide': endpoint('POST', 'v2/manager/complaints/{id}/decide', {
    says: 'Upholds or rejects a complaint; the reporter learns the outcome.',
    who: 'moderator',
    ...office,
    query: ById,
    body: z.object({ upheld: z.boolean(), reason: Reason }),
    data: Complaint,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'GET v2/manager/photos': endpoint('GET', 'v2/manager/photos', {
    says: 'Pictures that wait for review.',
    who: 'moderator',
    ...office,
    query: Queue,
    data: listOf(Media.extend({ user_id: UserId, nudity: z.number() })),
    refuses: [],
  }),
  'POST v2/manager/photos/{id}/decide': endpoint('POST', 'v2/manager/photos/{id}/decide', {
    says: 'Approves a picture, or removes it with a verdict: a statement follows.',
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
    says: 'Identity checks that wait; each look is logged.',
    who: 'manager',
    ...office,
    query: Queue,
    data: listOf(
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
      says: 'Verifies somebody, or declines with the reason.',
      who: 'manager',
      ...office,
      query: ById,
      body: z.object({ verified: z.boolean(), reason: Reason.optional() }),
      data: z.object({ state: VerifyState }),
      refuses: ['not_found', 'role_forbidden'],
    },
  ),
  'GET v2/manager/appeals': endpoint('GET', 'v2/manager/appeals', {
    says: 'Appeals that wait.',
    who: 'manager',
    ...office,
    query: Queue,
    data: listOf(Appeal.extend({ user_id: UserId })),
    refuses: [],
  }),
  'POST v2/manager/appeals/{id}/decide': endpoint('POST', 'v2/manager/appeals/{id}/decide', {
    says: 'Decides an appeal: never by who imposed the act.',
    who: 'manager',
    ...office,
    query: ById,
    body: z.object({ upheld: z.boolean(), answer: Reason }),
    data: Appeal,
    refuses: ['not_found', 'role_forbidden'],
  }),
  'POST v2/manager/ban/lift': endpoint('POST', 'v2/manager/ban/lift', {
    says: 'Ends a ban.',
    who: 'manager',
    ...office,
    body: z.object({ user_id: UserId, reason: Reason }),
    data: nothing,
    refuses: ['not_found', 'role_forbidden'],
  }),
}

const moneyEndpoints = {
  'GET v2/manager/payouts': endpoint('GET', 'v2/manager/payouts', {
    says: 'The present pay run.',
    who: 'finance',
    ...office,
    query: Queue,
    data: listOf(Withdrawal.extend({ user_id: UserId })),
    refuses: [],
  }),
  'POST v2/manager/payouts/{id}/decide': endpoint('POST', 'v2/manager/payouts/{id}/decide', {
    says: 'Approves or declines a payout; above the limit two different people must.',
    who: 'finance',
    ...office,
    idempotent: true,
    query: ById,
    body: z.object({ approve: z.boolean(), reason: Reason.optional() }),
    data: Withdrawal,
    refuses: ['not_found', 'role_forbidden', 'pair_over', 'second_factor', 'key_reused'],
  }),
  'POST v2/manager/grant': endpoint('POST', 'v2/manager/grant', {
    says: 'Moves an amount to somebody through the ledger, with its reason.',
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

const houseEndpoints = {
  'GET v2/manager/settings': endpoint('GET', 'v2/manager/settings', {
    says: 'The settings table: value, default, unit, who changed it last and why.',
    who: 'owner',
    ...office,
    data: z.object({
      settings: z.array(
        z.object({
          key: z.string(),
          value: z.string(),
          default: z.string(),
          unit: z.string(),
          changed_at: Time.nullable(),
          staff_id: Id.nullable(),
          reason: z.string().nullable(),
        }),
      ),
    }),
    refuses: [],
  }),
  'POST v2/manager/settings': endpoint('POST', 'v2/manager/settings', {
    says: 'Changes a setting, without a restart.',
    who: 'owner',
    ...office,
    body: z.object({
      key: z.string().max(limits.name_characters),
      value: z.string().max(limits.judged_characters),
      reason: Reason,
    }),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET v2/manager/staff': endpoint('GET', 'v2/manager/staff', {
    says: 'Who works here.',
    who: 'owner',
    ...office,
    data: z.object({ staff: z.array(Staff) }),
    refuses: [],
  }),
  'POST v2/manager/staff': endpoint('POST', 'v2/manager/staff', {
    says: 'Invites somebody, changes a role, or ends it (role null).',
    who: 'owner',
    ...office,
    body: z.object({
      email: z.string().max(limits.email_characters),
      role: StaffRoleName.nullable(),
      reason: Reason,
    }),
    data: Staff,
    refuses: ['email_invalid', 'role_forbidden'],
  }),
}

export const endpoints = {
  ...doorEndpoints,
  ...queueEndpoints,
  ...moneyEndpoints,
  ...houseEndpoints,
}
