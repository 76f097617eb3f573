import type { Role } from '@duet/protocol/kernel/roles.ts'
import { isLocale } from '@duet/protocol'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import type { UserRow } from './users/columns.ts'

/** The member of a row, with the permissions of this moment. */
export function toMember(row: UserRow, loginId: number, now: Temporal.Instant): Member {
  return {
    kind: 'member',
    id: row.id,
    login_id: loginId,
    nick: row.nick ?? '',
    role: row.role === 'girl' ? 'girl' : 'guy',
    premium: isPremium(row, now),
    verified: row.verified_at !== null,
    banned: row.sanction_id !== null,
    locale: row.locale,
    country: row.country,
    region: row.region,
    age_confirmed: row.age_confirmed_at !== null,
  }
}

export function guestFrom(id: UserId, row: UserRow | undefined, locale = 'en'): Guest {
  return {
    kind: 'guest',
    id,
    has_row: row !== undefined,
    declared_role: (row?.declared_role ?? null) as Role | null,
    locale: row?.locale ?? (isLocale(locale) ? locale : 'en'),
    age_confirmed: row?.age_confirmed_at != null,
  }
}

export function isPremium(row: Pick<UserRow, 'premium_until'>, now: Temporal.Instant): boolean {
  return row.premium_until !== null && Temporal.Instant.compare(row.premium_until, now) > 0
}

/** Whether something can be stored for this user: a guest without a row has nowhere to store it. */
export function hasRow(viewer: Guest | Member): boolean {
  return viewer.kind === 'member' || viewer.has_row
}
