import type { Role } from '@duet/protocol/kernel/roles.ts'
import { isLocale } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member, Viewer } from '../../core/viewer.ts'
import type { IdentityProvider } from '../../core/module.ts'
import { loginById, loginByToken, userNow, type UserRow } from './queries.ts'
import { guestOf, readDerived, type LoginKey } from './tokens.ts'

/** Who a row is right now, as far as permissions go. */
export function memberOf(row: UserRow, login_id: number, now: Temporal.Instant): Member {
  return {
    kind: 'member',
    id: row.id,
    login_id,
    nick: row.nick ?? '',
    role: row.role === 'girl' ? 'girl' : 'guy',
    premium: isPremium(row, now),
    verified: row.verified_at !== null,
    banned: false,
    locale: row.locale,
    country: row.country,
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

/** Who holds this login or guest id at this moment; nobody when it ended meanwhile. */
export async function viewerOf(
  app: App,
  of: { user_id: UserId; login_id: number | null },
): Promise<Viewer> {
  const row = await userNow(app, of.user_id)
  if (of.login_id === null)
    return row && !isGuestRow(row) ? { kind: 'none' } : guestFrom(of.user_id, row)
  return row && row.role && !row.erased_at
    ? memberOf(row, of.login_id, app.clock.now())
    : { kind: 'none' }
}

/** Who a Chat-Token belongs to. */
export async function viewerByToken(app: App, token: string): Promise<Viewer> {
  const guest = guestOf(app, token)
  if (guest !== undefined) return viewerOf(app, { user_id: guest, login_id: null })
  const login = await loginByToken(app.db, token)
  return login ? viewerOf(app, { user_id: login.user_id, login_id: login.id }) : { kind: 'none' }
}

/** Whose live login a call token (ortc) or a storage token (fs) is derived from. */
export async function tokenHolder(
  app: App,
  kind: 'ortc' | 'fs',
  token: string,
): Promise<LoginKey | undefined> {
  const key = readDerived(app, kind, token)
  if (!key) return undefined
  if (key.login_id === null) {
    const isOver = key.generation * 1000 <= app.clock.now().epochMilliseconds
    return !isOver &&
      (await viewerOf(app, { user_id: key.user_id, login_id: null })).kind === 'guest'
      ? key
      : undefined
  }
  const login = await loginById(app.db, key.login_id)
  return login?.user_id === key.user_id && login.generation === key.generation ? key : undefined
}

/** A guest's row holds nothing that a member's does, and is not a tombstone. */
export function isGuestRow(row: UserRow): boolean {
  return row.role === null && row.erased_at === null
}

/** What the platform asks: whose token, whose socket, whose call. */
export const identityProvider: IdentityProvider = {
  byToken: async (app, token) => known(await viewerByToken(app, token)),
  async bySocket(app, { user_id, login_id, viewer }) {
    const now = known(await viewerOf(app, { user_id, login_id }))
    // What a guest without a row said at AUTH is all that is known of him.
    return now?.kind === 'guest' && !now.has_row ? viewer : now
  },
  byOrtcToken: (app, token) => tokenHolder(app, 'ortc', token),
  async byFsToken(app, token) {
    const holder = await tokenHolder(app, 'fs', token)
    return holder && known(await viewerOf(app, holder))
  },
}

function known(viewer: Viewer): Viewer | undefined {
  return viewer.kind === 'none' ? undefined : viewer
}
