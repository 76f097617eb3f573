import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import {
  Gender,
  Media,
  QuietHours,
  SearchPair,
  SearchState,
  Session,
  Theme,
  User,
} from '../kernel/entities.ts'
import {
  accountEndpoints,
  factorEndpoints,
  Otp,
  PasskeyAnswer,
  Password,
} from './identity-account.ts'
import { limits } from '../kernel/limits.ts'
import { BrowserLocale, RequestedLocale } from '../kernel/locale-schemas.ts'
import {
  ChangeId,
  Count,
  Country,
  EntryCode,
  EntrySignature,
  Judged,
  nothing,
  Seconds,
  Token,
  Uuid,
  withKeysUpTo,
} from '../kernel/primitives.ts'
import { ModerationInfo } from '../kernel/sanctions.ts'

/** The answer to AUTH: everything that a client needs of its user. */
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
export type ProfileChanged = z.output<typeof ProfileChanged>

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

/** The user's own switches, as UPDATE_PROFILE changes them. */
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
export type UserSettings = z.output<typeof UserSettings>

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
  D_INFO: action('D_INFO', {
    method: 'setFpt',
    summary:
      'Stores the device fingerprint; that of a guest without a row stays with the connection until the first stored action.',
    who: 'guest',
    rate: '10/min',
    data: z.object({
      fingerprint: z.string().min(1).max(limits.token_characters),
      components: withKeysUpTo(
        limits.chosen_keys,
        z.record(z.string().max(limits.name_characters), z.unknown()),
      ).optional(),
    }),
    ack: nothing,
    refuses: [],
  }),
  PRO_D_INFO: action('PRO_D_INFO', {
    method: 'setProFpt',
    summary: 'Stores the fingerprint of an outside service.',
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
    summary: 'Answers the challenge of a 600; event captcha.verify follows.',
    who: 'any',
    banned: true,
    rate: '30/min',
    data: z.object({ payload: z.string().min(1).max(limits.judged_characters) }),
    ack: nothing,
    refuses: ['captcha_required'],
  }),
  CHANGE_LOCALE: action('CHANGE_LOCALE', {
    method: 'changeLocale',
    summary: 'Changes the language of everything that the server writes to this user.',
    who: 'guest',
    banned: true,
    rate: '30/min',
    data: z.object({ locale: RequestedLocale }),
    ack: nothing,
    refuses: [],
  }),
  UPDATE_PROFILE: action('UPDATE_PROFILE', {
    method: 'updateProfile',
    summary:
      'Changes the own record; with nick, email, password, birthday and a gender a guest registers, and the role is fixed.',
    who: 'guest',
    rate: '30/min',
    data: ProfileChange,
    ack: ProfileChanged,
    refuses: profileRefusals,
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
  update_profile_success: event('update_profile_success', {
    summary: 'The user changed the own record; register marks a new registration.',
    payload: z.object({ register: z.boolean(), user: User }),
  }),
  user_info: event('user_info', {
    summary: 'The own record changed elsewhere: premium ended, verified, a badge.',
    payload: z.object({ user: User }),
  }),
  'captcha.verify': event('captcha.verify', {
    summary: 'The captcha is passed; the refused call may be repeated.',
    payload: nothing,
  }),
}

const profileEndpoints = {
  'GET profile': endpoint('GET', 'profile', {
    summary: 'The own record with photos and videos.',
    who: 'member',
    banned: true,
    data: z.object({ user: User, photos: z.array(Media), videos: z.array(Media) }),
    refuses: [],
  }),
  'POST profile': endpoint('POST', 'profile', {
    summary: 'The same as UPDATE_PROFILE, for members.',
    who: 'member',
    rate: '30/min',
    body: ProfileChange,
    data: ProfileChanged,
    refuses: profileRefusals,
  }),
  'GET user/settings': endpoint('GET', 'user/settings', {
    summary: 'The user’s own switches.',
    who: 'guest',
    banned: true,
    data: UserSettings,
    refuses: [],
  }),
  'POST age/confirm': endpoint('POST', 'age/confirm', {
    summary: 'Confirms being 18 or older and the terms; user, time and version are stored.',
    who: 'guest',
    banned: true,
    rate: '10/min',
    body: z.object({ confirmed: z.literal(true), terms: z.literal(true) }),
    data: nothing,
    refuses: [],
  }),
}

export const endpoints = { ...profileEndpoints, ...accountEndpoints, ...factorEndpoints }
