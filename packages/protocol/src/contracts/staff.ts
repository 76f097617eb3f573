import { z } from 'zod'
import { endpoint } from '../kernel/contract.ts'
import { PasskeyAnswer } from './logins.ts'
import { PushSubscription } from './notices.ts'
import { limits } from '../kernel/limits.ts'
import {
  Amount,
  boundedText,
  Count,
  Id,
  Judged,
  nothing,
  Time,
  Token,
} from '../kernel/primitives.ts'
import { staffRoles } from '../kernel/who.ts'
import { endpoints as deskEndpoints } from './staff-desk.ts'

/**
 * How members of staff enter the back office, below `v2/manager`. The session is an HttpOnly cookie, which
 * pages of other sites cannot use and no script can read.
 */

export const office = { credential: 'staff' } as const
/** The reason of an act of staff. */
export const Reason = boundedText(limits.comment_characters, 1)

export const StaffRoleName = z.enum(staffRoles)
export type StaffRoleName = z.output<typeof StaffRoleName>
export const StaffMember = z.object({
  id: Id,
  email: z.string(),
  role: StaffRoleName,
  last_visit: Time.nullable(),
})
export type StaffMember = z.output<typeof StaffMember>

const Device = z.object({
  id: Id,
  device: z.string(),
  country: z.string().nullable(),
  create_time: Time,
  last_used: Time,
  current: z.boolean(),
})
const Otp = z.string().max(16)
const SetupToken = Token
const SignedIn = z.object({ staff: StaffMember })
const PasskeyQuestion = z.record(z.string(), z.unknown())

export const actions = {}
export const events = {}

const entranceEndpoints = {
  'POST v2/manager/sign-in': endpoint('POST', 'v2/manager/sign-in', {
    summary: 'Opens the back office: by a passkey, or by password and one-time code.',
    who: 'any',
    ...office,
    rate: '30/min',
    body: z.object({
      email: Judged.optional(),
      password: Judged.optional(),
      otp: Otp.optional(),
      passkey: PasskeyAnswer.optional(),
    }),
    data: SignedIn,
    refuses: ['wrong_login', 'second_factor', 'captcha_required'],
  }),
  'POST v2/manager/demo-sign-in': endpoint('POST', 'v2/manager/demo-sign-in', {
    summary: 'Opens the back office of a demo installation as its moderator or owner.',
    who: 'any',
    ...office,
    rate: '30/min',
    body: z.object({ staff_role: z.enum(['moderator', 'owner']) }),
    data: SignedIn,
    refuses: ['not_found'],
  }),
  'POST v2/manager/passkey/options': endpoint('POST', 'v2/manager/passkey/options', {
    summary: 'The question for a passkey of a member of staff: to sign in, or to set one up.',
    who: 'any',
    ...office,
    rate: '30/min',
    body: z.object({ token: SetupToken.optional() }),
    data: PasskeyQuestion,
    refuses: ['recovery_invalid'],
  }),
  'POST v2/manager/setup/begin': endpoint('POST', 'v2/manager/setup/begin', {
    summary:
      'Opens the one-time link of a new member of staff, and begins the one-time code. Each time the secret is another one, and the former ends.',
    who: 'any',
    ...office,
    rate: '20/hour',
    body: z.object({ token: SetupToken }),
    data: z.object({ email: z.string(), totp_secret: z.string(), totp_uri: z.string() }),
    refuses: ['recovery_invalid'],
  }),
  'POST v2/manager/setup/finish': endpoint('POST', 'v2/manager/setup/finish', {
    summary:
      'Ends the one-time link with a password and a first code, or with a passkey, and signs in. Former factors and sessions end.',
    who: 'any',
    ...office,
    rate: '20/hour',
    body: z.object({
      token: SetupToken,
      password: Judged.optional(),
      otp: Otp.optional(),
      passkey: PasskeyAnswer.optional(),
    }),
    data: SignedIn,
    refuses: ['recovery_invalid', 'second_factor', 'password_weak'],
  }),
}

const sessionEndpoints = {
  'POST v2/manager/sign-out': endpoint('POST', 'v2/manager/sign-out', {
    summary: 'Leaves the back office.',
    who: 'staff',
    ...office,
    data: nothing,
    refuses: [],
  }),
  'GET v2/manager/me': endpoint('GET', 'v2/manager/me', {
    summary: 'The own entry, the end of the session, and until when its proof counts as fresh.',
    who: 'staff',
    ...office,
    data: z.object({
      staff: StaffMember,
      ends_at: Time,
      fresh_until: Time,
      server_time: Time,
      /** The installation has a translation service. */
      translates: z.boolean(),
      /** The most that the own role may decide alone; null: without a limit. */
      most: z.object({ penalty_coins: Amount.nullable(), ban_days: Count.nullable() }),
    }),
    refuses: [],
  }),
  'POST v2/manager/prove': endpoint('POST', 'v2/manager/prove', {
    summary: 'Proves the own factors again, for acts on money and documents.',
    who: 'staff',
    ...office,
    rate: '10/min',
    body: z.object({
      password: Judged.optional(),
      otp: Otp.optional(),
      passkey: PasskeyAnswer.optional(),
    }),
    data: z.object({ fresh_until: Time }),
    refuses: ['wrong_login', 'second_factor', 'captcha_required'],
  }),
  'GET v2/manager/sessions': endpoint('GET', 'v2/manager/sessions', {
    summary: 'The own open sessions.',
    who: 'staff',
    ...office,
    data: z.object({ sessions: z.array(Device), push_key: z.string() }),
    refuses: [],
  }),
  'POST v2/manager/push': endpoint('POST', 'v2/manager/push', {
    summary:
      'Whether this browser shows alarms of waiting cases. It goes on after the session ends, until it is switched off or the factors are set up again.',
    who: 'manager',
    ...office,
    rate: '20/min',
    body: z.object({ subscription: PushSubscription, on: z.boolean() }),
    data: nothing,
    refuses: ['method_unavailable'],
  }),
  'POST v2/manager/sessions/end': endpoint('POST', 'v2/manager/sessions/end', {
    summary: 'Ends one of the own sessions.',
    who: 'staff',
    ...office,
    body: z.object({ id: Id }),
    data: nothing,
    refuses: ['not_found'],
  }),
}

/** The patterns that the check of the looks of staff finds. */
export const StaffAlarmPattern = z.enum(['looks_without_case', 'linked_accounts'])
export type StaffAlarmPattern = z.output<typeof StaffAlarmPattern>

const membersEndpoints = {
  'GET v2/manager/staff': endpoint('GET', 'v2/manager/staff', {
    summary: 'The members of staff.',
    who: 'owner',
    ...office,
    data: z.object({ staff: z.array(StaffMember) }),
    refuses: [],
  }),
  'POST v2/manager/staff': endpoint('POST', 'v2/manager/staff', {
    summary:
      'Invites a member of staff or lets one set up again (the answer has the one-time link, or it was mailed to a member who has signed in before), changes a role, or ends the membership (role null).',
    who: 'owner',
    ...office,
    body: z.object({
      email: z.string().max(limits.email_characters),
      role: StaffRoleName.nullable(),
      new_link: z.boolean().default(false),
      reason: Reason,
    }),
    data: z.object({ staff: StaffMember.nullable(), link: z.string().nullable() }),
    refuses: [
      'email_invalid',
      'role_forbidden',
      'second_factor',
      'not_found',
      'method_unavailable',
    ],
  }),
}

const alarmEndpoints = {
  'GET v2/manager/staff-alarms': endpoint('GET', 'v2/manager/staff-alarms', {
    summary: 'Looks of members of staff that no case explains, the newest first.',
    who: 'owner',
    ...office,
    data: z.object({
      alarms: z.array(
        z.object({
          id: Id,
          staff_id: Id,
          person: z.string(),
          pattern: StaffAlarmPattern,
          looks: Count,
          at: Time,
        }),
      ),
    }),
    refuses: [],
  }),
}

export const endpoints = {
  ...entranceEndpoints,
  ...sessionEndpoints,
  ...membersEndpoints,
  ...alarmEndpoints,
  ...deskEndpoints,
}
