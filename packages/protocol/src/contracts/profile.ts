import { z } from 'zod'
import { action, endpoint, event } from '../kernel/contract.ts'
import { Gender, Media, QuietHours, User, UserInterlocutor } from '../kernel/entities.ts'
import { limits } from '../kernel/limits.ts'
import {
  Count,
  Judged,
  nothing,
  Permission,
  RefCode,
  Time,
  Token,
  UserId,
} from '../kernel/primitives.ts'
import { ProfileFields } from '../kernel/profile-fields.ts'
import { Otp, PasskeyAnswer, Password } from './logins.ts'
import { avatarEndpoints, galleryEndpoints } from './profile-pictures.ts'

export const GirlProfile = UserInterlocutor.extend({
  about: z.string(),
  last_visit: Time.nullable(),
  photos: z.array(Media),
  videos: z.array(Media),
  likes: Count,
  liked: z.boolean(),
})
export type GirlProfile = z.output<typeof GirlProfile>

/** `Judged`: the handler checks the length or form, because a wrong value has a refusal of its own. */
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
    usdt_wallet: z.string().max(limits.query_characters).nullable(),
    ...ProfileFields.shape,
    quiet_hours: QuietHours.nullable(),
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
  'birthday_fixed',
  'address_wrong',
  'wallet_unknown',
  'role_forbidden',
] as const

export const actions = {
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
}

export const events = {
  update_profile_success: event('update_profile_success', {
    summary: 'The user changed the own record; register marks a new registration.',
    payload: z.object({ register: z.boolean(), user: User }),
  }),
}

const recordEndpoints = {
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
}

const personEndpoints = {
  'GET girl_info': endpoint('GET', 'girl_info', {
    summary: 'A girl’s page by her referral code; a girl that the viewer may not see is not found.',
    who: 'any',
    rate: '30/min',
    query: z.object({ ref_code: RefCode }),
    data: z.object({ girl: GirlProfile, can_call: Permission, can_write: Permission }),
    refuses: ['not_found'],
  }),
  'POST stat/show_girl': endpoint('POST', 'stat/show_girl', {
    summary: 'Counts a view of a profile, once a viewer and day.',
    who: 'any',
    rate: '60/min',
    body: z.object({ user_id: UserId }),
    data: nothing,
    refuses: ['not_found'],
  }),
}

export const endpoints = {
  ...recordEndpoints,
  ...personEndpoints,
  ...avatarEndpoints,
  ...galleryEndpoints,
}
