import type { User, UserInterlocutor } from '@duet/protocol'
import { isLocale } from '@duet/protocol'
import { productDay, wireTime } from '../../lib/clock.ts'
import type { App, Reader, UserId } from '../../context.ts'
import { refuse } from '../../lib/refusal.ts'
import { userById, type UserRow } from './queries.ts'
import { ageOn } from './rules.ts'
import { derivedToken, type LoginKey } from './tokens.ts'
import { isPremium } from './viewer.ts'

/** A guest without a row is seen as this. */
function blankRow(id: UserId, locale: string, now: Temporal.Instant): UserRow {
  const off = { show_country: false, auto_accept: false, premium_calls_only: false }
  const on = {
    noty_email: true,
    noty_push: true,
    noty_premium_guest: true,
    noty_wanted_girl: true,
    safe_video: true,
    available: true,
  }
  const none = {
    role: null,
    gender: null,
    nick: null,
    email: null,
    password_hash: null,
    birthday: null,
    phone: null,
    country: null,
    avatar_id: null,
    ref_code: null,
    referred_by: null,
    signature: null,
    usdt_wallet: null,
    age_confirmed_at: null,
    terms_version: null,
    email_confirmed_at: null,
    premium_until: null,
    verified_at: null,
    quiet_hours: null,
    default_pay_system: null,
    fingerprint: null,
    registered_at: null,
    erased_at: null,
  }
  return {
    id,
    locale,
    about: '',
    favourites_count: 0,
    theme: 'system',
    hide_countries: [],
    created_at: now,
    last_visit: null,
    ...off,
    ...on,
    ...none,
  }
}

/** The own record: this module's fields and what the other modules add. */
export async function ownUser(app: App, reader: Reader, key: LoginKey, locale = 'en'): Promise<User> {
  const now = app.clock.now()
  const row = (await userById(reader, key.user_id)) ?? blankRow(key.user_id, locale, now)
  const added: Partial<User>[] = []
  for (const part of app.modules) if (part.own) added.push(await part.own(reader, key.user_id, app))
  return Object.assign(ownFields(app, row, key, now), ...added)
}

function ownFields(app: App, row: UserRow, key: LoginKey, now: Temporal.Instant): User {
  return {
    id: row.id,
    nick: row.nick,
    email: row.email,
    gender: row.gender as User['gender'],
    role: row.role as User['role'],
    balance: '0',
    balance_units: '0',
    balance_messages: 0,
    is_premium: isPremium(row, now),
    premium_until: row.premium_until && wireTime(row.premium_until),
    avatar: null,
    avatar_status: 'none',
    locale: localeOf(row),
    theme: row.theme as User['theme'],
    country: row.country,
    ortc_token: derivedToken(app, 'ortc', key),
    fs_token: derivedToken(app, 'fs', key),
    noty_email: row.noty_email,
    noty_push: row.noty_push,
    noty_premium_guest: row.noty_premium_guest,
    noty_wanted_girl: row.noty_wanted_girl,
    safe_video: row.safe_video,
    auto_accept: row.auto_accept,
    available: row.available,
    hide_countries: row.hide_countries,
    quiet_hours: row.quiet_hours as User['quiet_hours'],
    premium_calls_only: row.premium_calls_only,
    has_photos: false,
    hasPhotos: false,
    default_pay_system: row.default_pay_system,
    info: {
      is_verify: row.verified_at !== null,
      usdt_wallet: row.usdt_wallet,
      verify_state: row.verified_at ? 'verified' : 'none',
    },
    ref_code: row.ref_code,
    birthday: row.birthday && row.birthday.toString(),
    about: row.about,
    phone: row.phone,
    show_country: row.show_country,
    age_confirmed: row.age_confirmed_at !== null,
    email_confirmed: row.email_confirmed_at !== null,
    second_factor: false,
    last_visit: row.last_visit && wireTime(row.last_visit),
    can_accept_gifts: row.role === 'girl',
  }
}

/** How a viewer sees these people, in the order asked; who is no member, or erased, is left out. */
export async function interlocutors(
  app: App,
  reader: Reader,
  viewer_id: UserId | null,
  ids: readonly UserId[],
): Promise<UserInterlocutor[]> {
  if (ids.length === 0) return []
  const rows = await reader
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', [...ids])
    .where('role', 'is not', null)
    .where('erased_at', 'is', null)
    .execute()
  const faces = new Map(rows.map((row) => [row.id, faceOf(row, app.clock.now())]))
  for (const part of app.modules) {
    if (!part.face) continue
    for (const [id, added] of await part.face(reader, viewer_id, ids, app)) {
      const face = faces.get(id)
      if (face) Object.assign(face, added)
    }
  }
  return ids.flatMap((id) => faces.get(id) ?? [])
}

/** One person as another sees them. */
export async function interlocutor(
  app: App,
  reader: Reader,
  viewer_id: UserId | null,
  id: UserId,
): Promise<UserInterlocutor> {
  const [face] = await interlocutors(app, reader, viewer_id, [id])
  return face ?? refuse('not_found')
}

function faceOf(row: UserRow, now: Temporal.Instant): UserInterlocutor {
  return {
    id: row.id,
    ref_code: row.ref_code,
    nick: row.nick ?? '',
    role: row.role === 'girl' ? 'girl' : 'men',
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

function localeOf(row: UserRow): User['locale'] {
  return isLocale(row.locale) ? row.locale : 'en'
}
