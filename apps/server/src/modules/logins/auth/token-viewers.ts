import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Viewer } from '../../../core/viewer.ts'
import type { IdentityProvider } from '../../../platform/realtime/identity-provider.ts'
import { loginById, loginByToken } from '../devices/queries.ts'
import {
  userNow,
  type UserRow,
  findGuest,
  readDerived,
  type LoginKey,
  guestFrom,
  toMember,
} from '../../identity/index.ts'
import { isEndedGuest } from './end-guest.ts'

/** The viewer of a login or guest id at this moment; kind `none` if it has ended. */
export async function readViewer(
  app: App,
  of: { user_id: UserId; login_id: number | null },
): Promise<Viewer> {
  const row = await userNow(app, of.user_id)
  if (of.login_id === null)
    return isOver(app, of.user_id, row) ? { kind: 'none' } : guestFrom(of.user_id, row)
  return row && row.role && !row.erased_at
    ? toMember(row, of.login_id, app.clock.now())
    : { kind: 'none' }
}

/** The viewer of a Chat-Token. */
export async function viewerByToken(app: App, token: string): Promise<Viewer> {
  const guestId = findGuest(app, token)
  if (guestId !== undefined) return readViewer(app, { user_id: guestId, login_id: null })
  const login = await loginByToken(app.db, token)
  return login ? readViewer(app, { user_id: login.user_id, login_id: login.id }) : { kind: 'none' }
}

/** The login or guest from which a call token (ortc) or storage token (fs) is derived; undefined if it has ended. */
export async function derivedTokenSubject(
  app: App,
  kind: 'ortc' | 'fs',
  token: string,
): Promise<LoginKey | undefined> {
  const key = readDerived(app, kind, token)
  if (!key) return undefined
  if (key.login_id === null) {
    const hasExpired = key.generation * 1000 <= app.clock.now().epochMilliseconds
    return !hasExpired &&
      (await readViewer(app, { user_id: key.user_id, login_id: null })).kind === 'guest'
      ? key
      : undefined
  }
  const login = await loginById(app.db, key.login_id)
  return login?.user_id === key.user_id && login.generation === key.generation ? key : undefined
}

/** Whether a row is a guest's: neither a member's nor a tombstone. */
function isGuestRow(row: UserRow): boolean {
  return row.role === null && row.erased_at === null
}

/** Whether no token of this guest is accepted any more: logged out, logged in, or a member now. */
export function isOver(app: App, id: UserId, row: UserRow | undefined): boolean {
  return isEndedGuest(app, id) || (row !== undefined && !isGuestRow(row))
}

/** Resolves tokens and sockets to viewers for the platform. */
export const identityProvider: IdentityProvider = {
  byToken: async (app, token) => known(await viewerByToken(app, token)),
  async bySocket(app, { user_id, login_id, viewer }) {
    const now = known(await readViewer(app, { user_id, login_id }))
    // Of a guest without a row only the data of AUTH is known.
    return now?.kind === 'guest' && !now.has_row ? viewer : now
  },
  byOrtcToken: (app, token) => derivedTokenSubject(app, 'ortc', token),
  async byFsToken(app, token) {
    const subject = await derivedTokenSubject(app, 'fs', token)
    return subject && known(await readViewer(app, subject))
  },
}

function known(viewer: Viewer): Viewer | undefined {
  return viewer.kind === 'none' ? undefined : viewer
}
