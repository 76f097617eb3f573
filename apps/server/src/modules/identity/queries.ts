import type { Selectable } from 'kysely'
import type { App, Reader, UserId } from '../../context.ts'
import { hashToken } from '../../lib/ids.ts'
import { perApp } from '../../platform/module.ts'
import type { Tables } from '../../platform/db/tables.gen.ts'

export type UserRow = Selectable<Tables['users']>
export type LoginRow = Pick<Selectable<Tables['logins']>, 'id' | 'user_id' | 'generation'>

export function userById(reader: Reader, id: UserId): Promise<UserRow | undefined> {
  return reader.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export function userByEmail(reader: Reader, email: string): Promise<UserRow | undefined> {
  return reader
    .selectFrom('users')
    .selectAll()
    .where((expression) => expression(expression.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .executeTakeFirst()
}

export function loginByToken(reader: Reader, token: string): Promise<LoginRow | undefined> {
  return reader
    .selectFrom('logins')
    .select(['id', 'user_id', 'generation'])
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

export function loginById(reader: Reader, id: number): Promise<LoginRow | undefined> {
  return reader
    .selectFrom('logins')
    .select(['id', 'user_id', 'generation'])
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/** Rows of people by id, as they were last committed: permission is read at every action, so it is kept close. */
const people_kept = 50_000
const people = perApp(() => ({ rows: new Map<UserId, UserRow>(), forgotten: 0 }))

/** The row as every action reads it. `forgetUser` is called after each commit that changes it. */
export async function userNow(app: App, id: UserId): Promise<UserRow | undefined> {
  const cache = people(app)
  const known = cache.rows.get(id)
  if (known) return known
  const { forgotten } = cache
  const row = await userById(app.db, id)
  // What changed while we read may be older than the change: it is used once and not kept.
  if (row && forgotten === cache.forgotten) {
    // The oldest goes: a Map keeps the order of arrival.
    if (cache.rows.size >= people_kept) cache.rows.delete(cache.rows.keys().next().value!)
    cache.rows.set(id, row)
  }
  return row
}

export function forgetUser(app: App, id: UserId): void {
  const cache = people(app)
  cache.forgotten += 1
  cache.rows.delete(id)
}
