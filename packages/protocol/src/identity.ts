import { z } from 'zod'
import { action, endpoint, event } from './contract.ts'
import { Gender, Media, ModerationInfo, QuietHours, SearchPair, SearchState, Session, Theme, User } from './entities.ts'
import { limits } from './limits.ts'
import { LocaleName } from './locales.ts'
import {
  ChangeId,
  Count,
  Country,
  Id,
  Judged,
  nothing,
  RefCode,
  Seconds,
  Time,
  Token,
  Url,
  UserId,
  Uuid,
} from './primitives.ts'

/** The answer of a passkey, in the JSON form of WebAuthn level 3. */
export const PasskeyAnswer = z.looseObject({ id: z.string().max(1024), type: z.literal('public-key') })
/** The question to a passkey, in the same JSON form. */
export const PasskeyQuestion = z.looseObject({ challenge: z.string() })
const Otp = z.string().min(1).max(16)
const Password = Judged

/** What a connection knows of its user once AUTH succeeded. */
export const AuthSuccess = z.object({
  token: Token,
  user: User,
  free_quota: Seconds,
  free_quota_messages: Count,
  change_id: ChangeId,
  count_new_messages: Count,
  active_session: Session.optional(),
  search: SearchState.extend({ pair: SearchPair.optional() }).optional(),
  moderation_info: ModerationInfo.optional(),
  cipher_key: z.string().optional(),
})
export type AuthSuccess = z.output<typeof AuthSuccess>

/** Lengths and forms that have a refusal of their own are judged by the handler, by name. */
export const ProfileChange = z
  .object({
    nick: Judged,
    email: Judged,
    password: Password,
    repeat_password: Password,
    current_password: Password,
    otp: Otp,
    passkey: PasskeyAnswer,
    gender: Gender,
    birthday: Judged,
    about: Judged,
    phone: z.string().max(limits.phone_characters).nullable(),
    show_country: z.boolean(),
    usdt_wallet: z.string().max(limits.query_characters).nullable(),
    noty_email: z.boolean(),
    noty_push: z.boolean(),
    noty_premium_guest: z.boolean(),
    noty_wanted_girl: z.boolean(),
    safe_video: z.boolean(),
    auto_accept: z.boolean(),
    available: z.boolean(),
    hide_countries: z.array(Country).max(limits.hidden_countries),
    quiet_hours: QuietHours.nullable(),
    premium_calls_only: z.boolean(),
    theme: Theme,
    default_pay_system: z.string().max(limits.name_characters).nullable(),
  })
  .partial()
export type ProfileChange = z.output<typeof ProfileChange>

export const ProfileChanged = z.object({ user: User, token: Token.optional() })

const profileRefusals = [
  'email_used',
  'passwords_differ',
  'password_weak',
  'name_short',
  'name_long',
  'age_unconfirmed',
  'second_factor',
  'email_invalid',
  'password_required',
  'nick_short',
  'about_long',
  'birthday_invalid',
  'address_wrong',
  'wallet_unknown',
  'role_forbidden',
] as const

/** One's own switches, as they can be changed by UPDATE_PROFILE. */
export const UserSettings = User.pick({
  noty_email: true,
  noty_push: true,
  noty_premium_guest: true,
  noty_wanted_girl: true,
  safe_video: true,
  auto_accept: true,
  available: true,
  quiet_hours: true,
  hide_countries: true,
  premium_calls_only: true,
  default_pay_system: true,
  locale: true,
  theme: true,
  age_confirmed: true,
})

export const Login = z.object({
  id: Id,
  device: z.string(),
  country: Country.nullable(),
  current: z.boolean(),
  create_time: Time,
  last_visit: Time,
})
export const Passkey = z.object({ id: z.string(), name: z.string(), create_time: Time, last_used: Time.nullable() })

export const actions = {
  AUTH: action('AUTH', {
    method: 'authByToken',
    aliases: ['login', 'register'],
    says: 'Becomes somebody on this socket: by token, by login and password, or as a new guest. Repeating it ends the former identity; a failed one leaves it.',
    who: 'any',
    banned: true,
    data: z.object({
      token: Token.optional(),
      login: Judged.optional(),
      password: Password.optional(),
      otp: Otp.optional(),
      passkey: PasskeyAnswer.optional(),
      ref_code: RefCode.optional(),
      signature: z.string().max(limits.token_characters).optional(),
      device_type: z.literal('web'),
      version: z.string().max(limits.name_characters),
      tab_id: Uuid,
      locale: LocaleName.optional(),
      cipher: z.boolean().optional(),
    }),
    ack: AuthSuccess,
    refuses: ['wrong_login', 'session_invalid', 'second_factor', 'client_old'],
  }),
  D_INFO: action('D_INFO', {
    method: 'setFpt',
    says: 'Tells the device fingerprint; a guest without a row keeps it with the connection until his first stored action.',
    who: 'guest',
    rate: '10/min',
    data: z.object({
      fingerprint: z.string().min(1).max(limits.token_characters),
      components: z.record(z.string().max(limits.name_characters), z.unknown()).optional(),
    }),
    ack: nothing,
    refuses: [],
  }),
  PRO_D_INFO: action('PRO_D_INFO', {
    method: 'setProFpt',
    says: 'Tells the fingerprint of an outside service.',
    who: 'guest',
    rate: '10/min',
    data: z.object({
      visitor_id: z.string().min(1).max(limits.token_characters),
      request_id: z.string().min(1).max(limits.token_characters),
    }),
    ack: nothing,
    refuses: [],
  }),
  CAPTCHA: action('CAPTCHA', {
    method: 'solveCaptcha',
    says: 'Answers the challenge of a 600; event captcha.verify follows.',
    who: 'any',
    banned: true,
    rate: '30/min',
    data: z.object({ payload: z.string().min(1).max(limits.judged_characters) }),
    ack: nothing,
    refuses: ['captcha_required'],
  }),
  CHANGE_LOCALE: action('CHANGE_LOCALE', {
    method: 'changeLocale',
    says: 'Changes the language of everything that the server writes to this user.',
    who: 'guest',
    banned: true,
    rate: '30/min',
    data: z.object({ locale: LocaleName }),
    ack: nothing,
    refuses: [],
  }),
  UPDATE_PROFILE: action('UPDATE_PROFILE', {
    method: 'updateProfile',
    says: 'Changes one’s own record; with nick, email, password, birthday and a gender a guest registers by it, and the role is fixed.',
    who: 'guest',
    rate: '30/min',
    data: ProfileChange,
    ack: ProfileChanged,
    refuses: profileRefusals,
  }),
  LOGOUT: action('LOGOUT', {
    method: 'logout',
    says: 'Ends this login, or every login of the user; the client then sends AUTH as a guest on the same socket.',
    who: 'guest',
    banned: true,
    data: z.object({ everywhere: z.boolean().optional() }),
    ack: nothing,
    refuses: [],
  }),
}

export const events = {
  auth_success: event('auth_success', { says: 'AUTH succeeded on this socket.', payload: AuthSuccess }),
  update_profile_success: event('update_profile_success', {
    says: 'One’s own record was changed by oneself; register marks a new registration.',
    payload: z.object({ register: z.boolean(), user: User }),
  }),
  user_info: event('user_info', {
    says: 'One’s own record changed elsewhere: premium ended, verified, a badge.',
    payload: z.object({ user: User }),
  }),
  'captcha.verify': event('captcha.verify', {
    says: 'The captcha is passed; what was refused may be repeated.',
    payload: nothing,
  }),
}

const profileEndpoints = {
  'GET profile': endpoint('GET', 'profile', {
    says: 'One’s own record with photos and videos.',
    who: 'member',
    banned: true,
    data: z.object({ user: User, photos: z.array(Media), videos: z.array(Media) }),
    refuses: [],
  }),
  'POST profile': endpoint('POST', 'profile', {
    says: 'The same as UPDATE_PROFILE, for members.',
    who: 'member',
    rate: '30/min',
    body: ProfileChange,
    data: ProfileChanged,
    refuses: profileRefusals,
  }),
  'GET user/settings': endpoint('GET', 'user/settings', {
    says: 'One’s own switches.',
    who: 'guest',
    banned: true,
    data: UserSettings,
    refuses: [],
  }),
  'POST age/confirm': endpoint('POST', 'age/confirm', {
    says: 'Confirms being 18 or older and the terms: who, when and which version is stored.',
    who: 'guest',
    banned: true,
    body: z.object({ confirmed: z.literal(true), terms: z.literal(true) }),
    data: nothing,
    refuses: [],
  }),
  'POST demo/sign-in': endpoint('POST', 'demo/sign-in', {
    says: 'Demo installation only, else 404: signs in as one of the cast.',
    who: 'guest',
    banned: true,
    body: z.object({ user_id: UserId }),
    data: z.object({ token: Token }),
    refuses: ['not_found'],
  }),
}

const accountEndpoints = {
  'POST delete_account': endpoint('POST', 'delete_account', {
    says: 'Asks for erasure; logging in within 14 days takes it back.',
    who: 'member',
    banned: true,
    rate: '10/hour',
    body: z.object({ password: Password, otp: Otp.optional(), confirm: z.literal(true) }),
    data: z.object({ erased_at: Time }),
    refuses: ['password_required', 'second_factor'],
  }),
  'GET forgot_password': endpoint('GET', 'forgot_password', {
    says: 'Mails a recovery link where the address is known; the answer never tells. Silent beyond three mails an hour and account.',
    who: 'any',
    banned: true,
    rate: '30/hour',
    query: z.object({ email: Judged }),
    data: nothing,
    refuses: [],
  }),
  'POST recovery_password': endpoint('POST', 'recovery_password', {
    says: 'Sets a new password by the key of a recovery mail, once, within ten minutes; every login ends.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: z.object({ recoveryKey: z.string().min(1).max(limits.token_characters), password: Password }),
    data: nothing,
    refuses: ['recovery_invalid', 'password_weak'],
  }),
  'POST auth/email/confirm': endpoint('POST', 'auth/email/confirm', {
    says: 'Confirms the e-mail address by the key of the mail.',
    who: 'any',
    banned: true,
    rate: '20/hour',
    body: z.object({ key: z.string().min(1).max(limits.token_characters) }),
    data: nothing,
    refuses: ['recovery_invalid'],
  }),
  'POST auth/email/resend': endpoint('POST', 'auth/email/resend', {
    says: 'Mails the confirmation again.',
    who: 'member',
    rate: '3/hour',
    data: nothing,
    refuses: [],
  }),
  'GET account/sessions': endpoint('GET', 'account/sessions', {
    says: 'The logins of this user: devices, places, times.',
    who: 'member',
    banned: true,
    data: z.object({ sessions: z.array(Login) }),
    refuses: [],
  }),
  'POST account/sessions/end': endpoint('POST', 'account/sessions/end', {
    says: 'Ends one login, or all but this one.',
    who: 'member',
    banned: true,
    body: z.union([z.object({ id: Id }), z.object({ others: z.literal(true) })]),
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET account/export': endpoint('GET', 'account/export', {
    says: 'One’s own data as a file: JSON and media.',
    who: 'member',
    banned: true,
    rate: '5/day',
    gives: 'raw',
    data: nothing,
    refuses: [],
  }),
}

const factorEndpoints = {
  'POST auth/totp/options': endpoint('POST', 'auth/totp/options', {
    says: 'Begins a one-time-code factor: the secret to scan; nothing is on before verify.',
    who: 'member',
    rate: '10/hour',
    body: z.object({ current_password: Password }),
    data: z.object({ secret: z.string(), url: Url }),
    refuses: ['password_required'],
  }),
  'POST auth/totp/verify': endpoint('POST', 'auth/totp/verify', {
    says: 'Turns the factor on by its first code; the spare codes are shown once.',
    who: 'member',
    rate: '5/min',
    body: z.object({ otp: Otp }),
    data: z.object({ spare_codes: z.array(z.string()) }),
    refuses: ['second_factor'],
  }),
  'GET auth/totp/list': endpoint('GET', 'auth/totp/list', {
    says: 'Whether a one-time-code factor is on, and how many spare codes are left.',
    who: 'member',
    data: z.object({ on: z.boolean(), spare_codes_left: Count }),
    refuses: [],
  }),
  'POST auth/totp/delete': endpoint('POST', 'auth/totp/delete', {
    says: 'Turns the factor off.',
    who: 'member',
    rate: '5/min',
    body: z.object({ current_password: Password, otp: Otp }),
    data: nothing,
    refuses: ['password_required', 'second_factor', 'not_found'],
  }),
  'POST auth/passkey/options': endpoint('POST', 'auth/passkey/options', {
    says: 'The question to a passkey: to log in (anybody) or to add one (members, with the password).',
    who: 'any',
    banned: true,
    rate: '30/hour',
    body: z.object({
      purpose: z.enum(['login', 'add']),
      login: Judged.optional(),
      current_password: Password.optional(),
    }),
    data: PasskeyQuestion,
    refuses: ['password_required', 'registered_only'],
  }),
  'POST auth/passkey/verify': endpoint('POST', 'auth/passkey/verify', {
    says: 'Stores a new passkey; logging in by one goes through AUTH.',
    who: 'member',
    rate: '30/hour',
    body: z.object({ name: z.string().min(1).max(limits.name_characters), answer: PasskeyAnswer }),
    data: Passkey,
    refuses: ['second_factor'],
  }),
  'GET auth/passkey/list': endpoint('GET', 'auth/passkey/list', {
    says: 'One’s own passkeys.',
    who: 'member',
    data: z.object({ passkeys: z.array(Passkey) }),
    refuses: [],
  }),
  'POST auth/passkey/delete': endpoint('POST', 'auth/passkey/delete', {
    says: 'Forgets a passkey.',
    who: 'member',
    body: z.object({ id: z.string().min(1).max(1024), current_password: Password }),
    data: nothing,
    refuses: ['password_required', 'not_found'],
  }),
}

export const endpoints = { ...profileEndpoints, ...accountEndpoints, ...factorEndpoints }
