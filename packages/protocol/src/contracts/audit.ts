import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { decisionEndpoints, office, Reason } from './audit-decisions.ts'
import { VerifyState, WireRole } from '../kernel/entities.ts'
import { listAnswer, PageQuery } from '../kernel/envelope.ts'
import { PasskeyAnswer } from './logins.ts'
import { limits } from '../kernel/limits.ts'
import { Id, Judged, nothing, QueryId, Time, Units, UserId } from '../kernel/primitives.ts'
import { staffRoles } from '../kernel/who.ts'
import { ModerationInfo } from '../kernel/sanctions.ts'

/**
 * Access to the back office below `v2/manager`, its staff, settings and audit log. Every act of staff
 * carries its reason and becomes a row of the audit log. Bans and penalties are in `moderation.ts`.
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

/** `hash` chains each row to the row before it. */
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

export const actions = {}

export const events = {}

const accessEndpoints = {
  'POST v2/manager/sign-in': endpoint('POST', 'v2/manager/sign-in', {
    summary: 'Opens the back office, always by two factors.',
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
    summary: 'Leaves the back office.',
    who: 'staff',
    ...office,
    data: nothing,
    refuses: [],
  }),
  'GET v2/manager/audit': endpoint('GET', 'v2/manager/audit', {
    summary: 'Every act of staff with its time and reason, newest first.',
    who: 'manager',
    ...office,
    query: PageQuery.extend({ user_id: QueryId.optional(), staff_id: QueryId.optional() }),
    data: listAnswer(AuditEntry),
    refuses: [],
  }),
  'GET v2/manager/users': endpoint('GET', 'v2/manager/users', {
    summary: 'Finds users by id, nick, address or code.',
    who: 'staff',
    ...office,
    query: PageQuery.extend({ query: z.string().max(limits.query_characters).optional() }),
    data: listAnswer(OfficeUser),
    refuses: [],
  }),
}

const installationEndpoints = {
  'GET v2/manager/settings': endpoint('GET', 'v2/manager/settings', {
    summary:
      'The settings table: value, default, unit, and the last change with its author and reason.',
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
    summary: 'Changes a setting, without a restart.',
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
    summary: 'The members of staff.',
    who: 'owner',
    ...office,
    data: z.object({ staff: z.array(Staff) }),
    refuses: [],
  }),
  'POST v2/manager/staff': endpoint('POST', 'v2/manager/staff', {
    summary: 'Invites a member of staff, changes a role, or ends it (role null).',
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
  ...accessEndpoints,
  ...decisionEndpoints,
  ...installationEndpoints,
}
