import type { App, Reader, UserId } from '../../context.ts'
import { loginById } from './queries.ts'
import { derivedToken, guestKey, type LoginKey } from './tokens.ts'

/** What the tokens of somebody's own record are derived from; those of an ended login open nothing. */
export async function keyOf(
  app: App,
  reader: Reader,
  { id, login_id }: { readonly id: UserId; readonly login_id?: number | null },
): Promise<LoginKey> {
  if (login_id == null) return guestKey(app, id)
  const login = await loginById(reader, login_id)
  return { user_id: id, login_id, generation: login?.generation ?? 0 }
}

/** The same for the page that is live: what it is told must fit what it is. */
export function keyOfLine(app: App, reader: Reader, id: UserId): Promise<LoginKey> {
  return keyOf(app, reader, { id, login_id: app.realtime.line(id)?.login_id ?? null })
}

/** The token by which this user's page opens `/signal`. */
export async function ortcTokenOf(app: App, reader: Reader, id: UserId): Promise<string> {
  return derivedToken(app, 'ortc', await keyOfLine(app, reader, id))
}
