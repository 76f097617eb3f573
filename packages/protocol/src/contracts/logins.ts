import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { SearchPair, SearchState, Session, User } from '../kernel/entities.ts'
import { limits } from '../kernel/limits.ts'
import { BrowserLocale } from '../kernel/locale-schemas.ts'
import { ModerationInfo } from '../kernel/sanctions.ts'
import {
  ChangeId,
  Count,
  Country,
  EntryCode,
  EntrySignature,
  Id,
  Judged,
  nothing,
  Seconds,
  Time,
  Token,
  Url,
  Uuid,
  withKeysUpTo,
} from '../kernel/primitives.ts'

/** The answer of a passkey, in the JSON form of WebAuthn level 3. */
export const PasskeyAnswer = withKeysUpTo(
  limits.chosen_keys,
  z.looseObject({ id: z.string().max(1024), type: z.literal('public-key') }),
)
export type PasskeyAnswer = z.output<typeof PasskeyAnswer>
/** The question to a passkey, in the same JSON form. */
export const PasskeyQuestion = z.looseObject({ challenge: z.string() })
export type PasskeyQuestion = z.output<typeof PasskeyQuestion>
export const Otp = z.string().min(1).max(16)
export type Otp = z.output<typeof Otp>
/** Length and strength are judged by name. */
export const Password = Judged
export type Password = z.output<typeof Password>

/** The proof of a second factor, if the account has a factor. */
export const factorProof = { otp: Otp.optional(), passkey: PasskeyAnswer.optional() }

export const Login = z.object({
  id: Id,
  device: z.string(),
  country: Country.nullable(),
  current: z.boolean(),
  create_time: Time,
  last_visit: Time,
})
export type Login = z.output<typeof Login>
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  create_time: Time,
  last_used: Time.nullable(),
})
export type Passkey = z.output<typeof Passkey>

/** The answer to AUTH: everything that a client needs of its user. */
export const AuthSuccess = z.object({
  token: Token,
  /** The time of the server, because the clock of a device may be wrong. */
  server_time: Time,
  user: User,
  free_quota: Seconds,
  free_quota_messages: Count,
  change_id: ChangeId,
  count_new_messages: Count,
  active_session: Session.optional(),
  search: SearchState.extend({ pair: SearchPair.optional() }).optional(),
  moderation_info: ModerationInfo.optional(),
  /** The oldest warning or removal that the user has not confirmed. */
  unread_statement_id: Id.optional(),
  cipher_key: z.string().optional(),
})
export type AuthSuccess = z.output<typeof AuthSuccess>

export const actions = {
  AUTH: action('AUTH', {
    method: 'authByToken',
    aliases: ['login', 'register'],
    summary:
      'Authenticates this socket: by token, by login and password, or as a new guest. Repeating it ends the former identity; a failure leaves it.',
    who: 'any',
    banned: true,
    data: z.object({
      token: Token.optional(),
      login: Judged.optional(),
      password: Password.optional(),
      otp: Otp.optional(),
      passkey: PasskeyAnswer.optional(),
      ref_code: EntryCode,
      signature: EntrySignature,
      device_type: z.literal('web'),
      version: z.string().max(limits.name_characters),
      tab_id: Uuid,
      locale: BrowserLocale.optional(),
      cipher: z.boolean().optional(),
    }),
    ack: AuthSuccess,
    refuses: ['wrong_login', 'session_invalid', 'second_factor', 'client_old'],
  }),
  CAPTCHA: action('CAPTCHA', {
    method: 'solveCaptcha',
    summary: 'Answers the challenge of a 600; event captcha.verify follows.',
    who: 'any',
    banned: true,
    rate: '30/min',
    data: z.object({ payload: z.string().min(1).max(limits.judged_characters) }),
    ack: nothing,
    refuses: ['captcha_required'],
  }),
  LOGOUT: action('LOGOUT', {
    method: 'logout',
    summary:
      'Ends this login, or every login of the user; the client then sends AUTH as a guest on the same socket.',
    who: 'guest',
    banned: true,
    data: z.object({ everywhere: z.boolean().optional() }),
    ack: nothing,
    refuses: [],
  }),
}

export const events = {
  auth_success: event('auth_success', {
    summary: 'AUTH succeeded on this socket.',
    payload: AuthSuccess,
  }),
  'captcha.verify': event('captcha.verify', {
    summary: 'The captcha is passed; the refused call may be repeated.',
    payload: nothing,
  }),
}

const accountEndpoints = {
  'GET forgot_password': endpoint('GET', 'forgot_password', {
    summary:
      'Mails a recovery link where the address is known; the answer is the same for an unknown one. At most three mails an hour and account.',
    who: 'any',
    banned: true,
    rate: '30/hour',
    query: z.object({ email: Judged }),
    data: nothing,
    refuses: [],
  }),
  'POST recovery_password': endpoint('POST', 'recovery_password', {
    summary:
      'Sets a new password by the key of a recovery mail, once, within ten minutes; every login ends.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: z.object({
      recoveryKey: z.string().min(1).max(limits.token_characters),
      password: Password,
    }),
    data: nothing,
    refuses: ['recovery_invalid', 'password_weak'],
  }),
  'POST auth/email/confirm': endpoint('POST', 'auth/email/confirm', {
    summary: 'Confirms the e-mail address by the key of the mail.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: z.object({ key: z.string().min(1).max(limits.token_characters) }),
    data: nothing,
    refuses: ['recovery_invalid'],
  }),
  'POST auth/email/resend': endpoint('POST', 'auth/email/resend', {
    summary: 'Mails the confirmation again.',
    who: 'member',
    rate: '3/hour',
    data: nothing,
    refuses: [],
  }),
  'GET account/sessions': endpoint('GET', 'account/sessions', {
    summary: 'The logins of this user: devices, places, times.',
    who: 'member',
    banned: true,
    data: z.object({ sessions: z.array(Login) }),
    refuses: [],
  }),
  'POST account/sessions/end': endpoint('POST', 'account/sessions/end', {
    summary: 'Ends one login, or all but this one.',
    who: 'member',
    banned: true,
    body: z.union([z.object({ id: Id }), z.object({ others: z.literal(true) })]),
    data: nothing,
    refuses: ['not_found'],
  }),
}

const factorEndpoints = {
  'POST auth/totp/options': endpoint('POST', 'auth/totp/options', {
    summary:
      'Begins a one-time-code factor and returns the secret to scan; the factor is off until it is verified.',
    who: ['member', 'staff'],
    rate: '10/hour',
    body: z.object({ current_password: Password, ...factorProof }),
    data: z.object({ secret: z.string(), url: Url }),
    refuses: ['password_required', 'second_factor'],
  }),
  'POST auth/totp/verify': endpoint('POST', 'auth/totp/verify', {
    summary: 'Turns the factor on by its first code; the spare codes are shown once.',
    who: ['member', 'staff'],
    rate: '5/min',
    body: z.object({ otp: Otp }),
    data: z.object({ spare_codes: z.array(z.string()) }),
    refuses: ['second_factor'],
  }),
  'GET auth/totp/list': endpoint('GET', 'auth/totp/list', {
    summary: 'Whether a one-time-code factor is on, and how many spare codes are left.',
    who: ['member', 'staff'],
    data: z.object({ on: z.boolean(), spare_codes_left: Count }),
    refuses: [],
  }),
  'POST auth/totp/delete': endpoint('POST', 'auth/totp/delete', {
    summary: 'Turns the factor off.',
    who: ['member', 'staff'],
    rate: '5/min',
    body: z.object({ current_password: Password, ...factorProof }),
    data: nothing,
    refuses: ['password_required', 'second_factor', 'not_found'],
  }),
  'POST auth/passkey/options': endpoint('POST', 'auth/passkey/options', {
    summary:
      'The challenge for a passkey: to log in (everyone) or to add one (members, with the password).',
    who: 'any',
    banned: true,
    rate: '30/hour',
    body: z.object({
      purpose: z.enum(['login', 'add']),
      login: Judged.optional(),
      current_password: Password.optional(),
      ...factorProof,
    }),
    data: PasskeyQuestion,
    refuses: ['password_required', 'registered_only', 'second_factor'],
  }),
  'POST auth/passkey/verify': endpoint('POST', 'auth/passkey/verify', {
    summary: 'Stores a new passkey; logging in by one goes through AUTH.',
    who: ['member', 'staff'],
    rate: '30/hour',
    body: z.object({ name: z.string().min(1).max(limits.name_characters), answer: PasskeyAnswer }),
    data: Passkey,
    refuses: ['second_factor'],
  }),
  'GET auth/passkey/list': endpoint('GET', 'auth/passkey/list', {
    summary: 'The user’s own passkeys.',
    who: ['member', 'staff'],
    data: z.object({ passkeys: z.array(Passkey) }),
    refuses: [],
  }),
  'POST auth/passkey/delete': endpoint('POST', 'auth/passkey/delete', {
    summary: 'Forgets a passkey.',
    who: ['member', 'staff'],
    body: z.object({
      id: z.string().min(1).max(1024),
      current_password: Password,
      ...factorProof,
    }),
    data: nothing,
    rate: '30/hour',
    refuses: ['password_required', 'second_factor', 'not_found'],
  }),
}

export const endpoints = { ...accountEndpoints, ...factorEndpoints }
