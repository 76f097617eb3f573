import { genderOf, type Role, wireRole } from '@duet/protocol/kernel/roles.ts'
import type { User, UserInterlocutor } from '@duet/protocol'
import { isLocale } from '@duet/protocol'
import { productDay, wireTime } from '../../lib/clock.ts'
import type { AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { type Db, readTogether } from '../../core/db.ts'
import { refuse } from '../../lib/refusal.ts'
import { userById, type UserRow } from './queries.ts'
import { ageOn } from './rules.ts'
import { derivedToken, type LoginKey } from './tokens.ts'
import { isPremium } from './viewer.ts'

/** The record of somebody who stored nothing yet; other modules' fields stand as they are without those modules. */
const blank = {
  nick: null,
  email: null,
  gender: null,
  role: null,
  balance: '0',
  balance_units: '0',
  balance_messages: 0,
  is_premium: false,
  premium_until: null,
  avatar: null,
  avatar_status: 'none',
  theme: 'system',
  country: null,
  noty_email: true,
  noty_push: true,
  noty_premium_guest: true,
  noty_wanted_girl: true,
  safe_video: true,
  auto_accept: false,
  available: true,
  hide_countries: [],
  quiet_hours: null,
  premium_calls_only: false,
  has_photos: false,
  hasPhotos: false,
  default_pay_system: null,
  info: { is_verify: false, usdt_wallet: null, verify_state: 'none' },
  ref_code: null,
  birthday: null,
  about: '',
  phone: null,
  show_country: false,
  age_confirmed: false,
  email_confirmed: false,
  second_factor: false,
  last_visit: null,
  can_accept_gifts: false,
} as const satisfies Partial<User>

/** The own record: this module's fields and what the other modules add. */
export async function ownUser(
  app: AppContext,
  db: Db,
  key: LoginKey,
  locale = 'en',
): Promise<User> {
  const row = await userById(db, key.user_id)
  const added = await app.hooks.ownFields(db, key.user_id)
  const own: User = {
    ...blank,
    hide_countries: [],
    id: key.user_id,
    locale: localeOf({ locale }),
    ortc_token: derivedToken(app, 'ortc', key),
    fs_token: derivedToken(app, 'fs', key),
    ...(row && keptFields(row, app.clock.now())),
  }
  return Object.assign(own, added)
}

/** What stands in the row under the name of the wire. */
const kept_as_is = [
  'nick',
  'email',
  'country',
  'noty_email',
  'noty_push',
  'noty_premium_guest',
  'noty_wanted_girl',
  'safe_video',
  'auto_accept',
  'available',
  'hide_countries',
  'premium_calls_only',
  'default_pay_system',
  'ref_code',
  'about',
  'phone',
  'show_country',
] as const satisfies readonly (keyof UserRow & keyof User)[]

function keptFields(row: UserRow, now: Temporal.Instant): Partial<User> {
  const {
    declared_role,
    role,
    theme,
    quiet_hours,
    premium_until,
    birthday,
    last_visit,
    verified_at,
    usdt_wallet,
  } = row
  const as_is = Object.fromEntries(kept_as_is.map((field) => [field, row[field]])) as Pick<
    User,
    (typeof kept_as_is)[number]
  >
  return {
    ...as_is,
    gender: declared_role === null ? null : genderOf(declared_role as Role),
    role: role === null ? null : wireRole(role as Role),
    theme: theme as User['theme'],
    quiet_hours: quiet_hours as User['quiet_hours'],
    locale: localeOf(row),
    is_premium: isPremium(row, now),
    premium_until: premium_until && wireTime(premium_until),
    info: {
      is_verify: verified_at !== null,
      usdt_wallet,
      verify_state: verified_at ? 'verified' : 'none',
    },
    birthday: birthday && birthday.toString(),
    age_confirmed: row.age_confirmed_at !== null,
    email_confirmed: row.email_confirmed_at !== null,
    last_visit: last_visit && wireTime(last_visit),
    can_accept_gifts: role === 'girl',
  }
}

/** How a viewer sees these people, in the order asked; who is no member, or erased, is left out. */
export async function interlocutors(
  app: AppContext,
  db: Db,
  viewer_id: UserId | null,
  ids: readonly UserId[],
): Promise<UserInterlocutor[]> {
  if (ids.length === 0) return []
  const [rows, added] = await readTogether(db, [
    () => peopleByIds(db, ids),
    () => app.hooks.publicFields(db, viewer_id, ids),
  ])
  const faces = new Map(
    rows.map((row) => [row.id, Object.assign(faceOf(row, app.clock.now()), added.get(row.id))]),
  )
  return ids.flatMap((id) => faces.get(id) ?? [])
}

function peopleByIds(db: Db, ids: readonly UserId[]): Promise<UserRow[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('role', 'is not', null)
    .where('erased_at', 'is', null)
    .execute()
}

/** One person as another sees them. */
export async function interlocutor(
  app: AppContext,
  db: Db,
  viewer_id: UserId | null,
  id: UserId,
): Promise<UserInterlocutor> {
  const [face] = await interlocutors(app, db, viewer_id, [id])
  return face ?? refuse('not_found')
}

function faceOf(row: UserRow, now: Temporal.Instant): UserInterlocutor {
  return {
    id: row.id,
    ref_code: row.ref_code,
    nick: row.nick ?? '',
    role: wireRole(row.role === 'girl' ? 'girl' : 'guy'),
    avatar: null,
    ...(row.role === 'girl' && row.birthday && { age: ageOn(row.birthday, productDay(now)) }),
    locale: localeOf(row),
    ...(row.show_country && row.country && { country: row.country }),
    is_premium: isPremium(row, now),
    is_favorite: false,
    status: 'offline',
    sub_status: null,
  }
}

function localeOf(row: { readonly locale: string }): User['locale'] {
  return isLocale(row.locale) ? row.locale : 'en'
}
