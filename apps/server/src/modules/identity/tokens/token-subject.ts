import type { AppContext } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Db } from '../../../core/db.ts'
import { derivedToken, guestKey, type LoginKey } from './tokens.ts'

/** The subject that the tokens of an own record are derived from; tokens of an ended login are not valid. */
export async function readTokenSubject(
  app: AppContext,
  db: Db,
  { id, login_id }: { readonly id: UserId; readonly login_id?: number | null },
): Promise<LoginKey> {
  if (login_id == null) return guestKey(app, id)
  const login = await db
    .selectFrom('logins')
    .select('generation')
    .where('id', '=', login_id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return { user_id: id, login_id, generation: login?.generation ?? 0 }
}

/** The same for the user's active connection, whose page needs the tokens of its own login. */
export async function tokenSubjectOfSocket(app: AppContext, db: Db, id: UserId): Promise<LoginKey> {
  const active = await app.realtime.activeConnection(id)
  return readTokenSubject(app, db, { id, login_id: active?.login_id ?? null })
}

/** The token with which the user's active connection opens `/signal`. */
export async function readOrtcToken(app: AppContext, db: Db, id: UserId): Promise<string> {
  return derivedToken(app, 'ortc', await tokenSubjectOfSocket(app, db, id))
}
