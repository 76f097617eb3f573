import type { Selectable } from 'kysely'
import type { App, AppContext } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { hashToken } from '../../lib/ids.ts'
import { inKeys, batchedRead } from '../../platform/database/batched-read.ts'
import { perApp } from '../../core/module.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'

export type UserRow = Selectable<Tables['users']>
export type LoginRow = Pick<Selectable<Tables['logins']>, 'id' | 'user_id' | 'generation'>

export const userById: (db: Db, id: UserId) => Promise<UserRow | undefined> = batchedRead(
  async (db, ids) => {
    const rows = await db.selectFrom('users').selectAll().where('id', '=', inKeys(ids)).execute()
    return new Map(rows.map((row) => [row.id, row]))
  },
)

export function userByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((expression) =>
      expression(expression.fn<string>('lower', ['email']), '=', email.toLowerCase()),
    )
    .executeTakeFirst()
}

/** After a restart everybody comes back at once: so far apart they are let in, and from here on they read together. */
const coming_back_ms = 20

const loginByHash = batchedRead<string, LoginRow>(
  async (db, hashes) => {
    const rows = await db
      .selectFrom('logins')
      .select(['id', 'user_id', 'generation', 'token_hash'])
      .where('token_hash', '=', inKeys(hashes.map((hash) => Buffer.from(hash, 'hex'))))
      .where('ended_at', 'is', null)
      .execute()
    return new Map(rows.map(({ token_hash, ...login }) => [token_hash.toString('hex'), login]))
  },
  { every_ms: coming_back_ms },
)

export function loginByToken(db: Db, token: string): Promise<LoginRow | undefined> {
  return loginByHash(db, hashToken(token).toString('hex'))
}

export function loginById(db: Db, id: number): Promise<LoginRow | undefined> {
  return db
    .selectFrom('logins')
    .select(['id', 'user_id', 'generation'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Rows of people by id, as they were last committed, and who has none: permission is read at every action, so it is
 * kept close.
 */
const people_kept = 50_000
const people = perApp('identity: people', 'cache of user rows, filled by reads', () => ({
  rows: new Map<UserId, UserRow | undefined>(),
  forgotten: 0,
}))

/** The row as every action reads it. `forgetUser` is called after each commit that changes it. */
export function userNow(app: App, id: UserId): Promise<UserRow | undefined> {
  return cachedUser(app, app.db, id)
}

/** The same where a `db` is given: an unknown row is read there. Rows read inside a transaction are not cached. */
export async function cachedUser(
  app: AppContext,
  db: Db,
  id: UserId,
): Promise<UserRow | undefined> {
  const cache = people(app)
  const known = cache.rows.get(id)
  if (known || cache.rows.has(id)) return known
  const { forgotten } = cache
  const row = await userById(db, id)
  // What changed while we read may be older than the change: it is used once and not kept.
  if (forgotten === cache.forgotten && !db.isTransaction) {
    // The oldest goes: a Map keeps the order of arrival.
    if (cache.rows.size >= people_kept) cache.rows.delete(cache.rows.keys().next().value!)
    cache.rows.set(id, row)
  }
  return row
}

export function forgetUser(app: AppContext, id: UserId): void {
  const cache = people(app)
  cache.forgotten += 1
  cache.rows.delete(id)
}

/** A visit changes nothing that anybody is permitted or shown by: the row stays in its place. */
export function visited(app: AppContext, id: UserId, last_visit: Temporal.Instant): void {
  const { rows } = people(app)
  const row = rows.get(id)
  if (row) rows.set(id, { ...row, last_visit })
}

/** Grows with every change of a row and every login that ends: whoever finds it grown looks again. */
export function changesSeen(app: AppContext): number {
  return people(app).forgotten
}
