import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { User } from '../kernel/entities.ts'
import { RequestedLocale } from '../kernel/locale-schemas.ts'
import { nothing } from '../kernel/primitives.ts'

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
}

export const events = {
  user_info: event('user_info', {
    summary: 'The own record changed elsewhere: premium ended, verified, a badge.',
    payload: z.object({ user: User }),
  }),
}

export const endpoints = {
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
