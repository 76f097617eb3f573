import { sql } from 'kysely'
import type { App, AppContext, Tx } from '../../../core/app.ts'
import type { HidingViewer } from '../../../core/hiding.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Db } from '../../../core/db.ts'
import { perApp } from '../../../core/app-state.ts'
import { createPartitionedCache } from '../../../lib/partitioned-cache.ts'
import { inKeys, batchedRead } from '../../../platform/database/statements/batched-read.ts'
import type { UserRow } from './columns.ts'

export function usersByIds(db: Db, ids: readonly UserId[]): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('id', '=', inKeys(ids)).execute()
}

export const userById: (db: Db, id: UserId) => Promise<UserRow | undefined> = batchedRead(
  async (db, ids) => new Map((await usersByIds(db, ids)).map((row) => [row.id, row])),
)

/** The row of a user, locked until the transaction ends. */
export function lockUser(tx: Tx, id: UserId): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function userByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where((expression) =>
      expression(expression.fn<string>('lower', ['email']), '=', email.toLowerCase()),
    )
    .executeTakeFirst()
}

/** The id of the member whose page or invitation link has this code. */
export async function userIdByRefCode(db: Db, ref_code: string): Promise<UserId | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('ref_code', '=', ref_code)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

/**
 * Every action reads the row of its user for the permissions. Guests and ids without a row have a separate
 * limit, because anyone can create as many guests as the rate limits permit.
 */
const CACHED_USERS_MAX = { members: 50_000, others: 20_000 }
const userCache = perApp('identity: people', 'cache of user rows, filled by reads', () => ({
  rows: createPartitionedCache<UserId, UserRow | undefined, keyof typeof CACHED_USERS_MAX>({
    entries_max: CACHED_USERS_MAX,
    partitionOf: (row) => (row?.role ? 'members' : 'others'),
  }),
  changes: 0,
}))

/** The row of a user from the cache. `forgetUser` is called after each commit that changes it. */
export function userNow(app: App, id: UserId): Promise<UserRow | undefined> {
  return cachedUser(app, app.db, id)
}

/** The same where a `db` is given: an unknown row is read there. Rows read inside a transaction are not cached. */
export async function cachedUser(
  app: AppContext,
  db: Db,
  id: UserId,
): Promise<UserRow | undefined> {
  const cache = userCache(app)
  const cached = cache.rows.get(id)
  if (cached) return cached.value
  const { changes } = cache
  const row = await userById(db, id)
  // If a row changed during the read, the read row may be outdated: it is returned and not cached.
  if (changes === cache.changes && !db.isTransaction) cache.rows.set(id, row)
  return row
}

export function forgetUser(app: AppContext, id: UserId): void {
  const cache = userCache(app)
  cache.changes += 1
  cache.rows.delete(id)
}

/** Forgets the row after the commit of a change, also when it is not known whether the commit happened. */
export function forgetAfterCommit(tx: Tx, id: UserId): void {
  const forget = () => forgetUser(tx.app, id)
  tx.afterCommit(forget)
  tx.inDoubt(forget)
}

/** Updates the time of the last visit in the cache; it affects no permission and no other field. */
export function userVisited(app: AppContext, id: UserId, last_visit: Temporal.Instant): void {
  const { rows } = userCache(app)
  const row = rows.get(id)?.value
  if (row) rows.set(id, { ...row, last_visit })
}

/** Grows with every changed row and every ended login, so that a reader can see whether its data may be stale. */
export function changesSeen(app: AppContext): number {
  return userCache(app).changes
}

/** At most `limit` guests with a row and an id above `above` who have not connected since `since`, by id. */
export async function guestsAway(
  db: Db,
  { since, above, limit }: { since: Temporal.Instant; above: UserId; limit: number },
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'is', null)
    .where('erased_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('evidence_holds')
            .select('hold_id')
            .whereRef('evidence_holds.user_id', '=', 'users.id')
            .where('lifted_at', 'is', null),
        ),
      ),
    )
    .where('created_at', '<', since)
    .where((where) => where.or([where('last_visit', 'is', null), where('last_visit', '<', since)]))
    .where('id', '>', above)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** At most `limit` members whose Premium has ended, who were not notified of the end. */
export async function premiumEnded(
  db: Db,
  {
    now,
    except,
    limit,
  }: {
    readonly now: Temporal.Instant
    readonly except: readonly UserId[]
    readonly limit: number
  },
): Promise<UserId[]> {
  const { rows } = await sql<{ id: UserId }>`
    select id from users
    where premium_until <= ${now} and premium_until is not null and erased_at is null
      and premium_end_announced is distinct from premium_until and id <> all(${[...except]}::int8[])
    order by premium_until limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Those of the given users who are banned or have asked to delete their account, and the girls among them who hide from
 * the viewer's country. A girl who hides from any country hides from unknown countries too. From a banned viewer everybody
 * is hidden.
 */
export async function hiddenFromViewer(
  db: Db,
  { id, country }: HidingViewer,
  ids: readonly UserId[],
): Promise<ReadonlySet<UserId>> {
  if (ids.length === 0) return new Set()
  const from =
    country === undefined
      ? sql`(select country from users where id = ${id}::bigint)`
      : sql`${country}::text`
  const { rows } = await sql<{ id: UserId }>`
    select id from users
    where id = any(${[...ids]}::bigint[]) and id is distinct from ${id}::bigint and (
      deletion_asked_at is not null or sanction_id is not null
      or exists (select from users viewer where viewer.id = ${id}::bigint and viewer.sanction_id is not null)
      or role = 'girl' and hide_countries <> '{}' and (${from} = any(hide_countries)) is not false)`.execute(
    db,
  )
  return new Set(rows.map((row) => row.id))
}

/** For each of the given girls who hides from countries, these countries. */
export async function hiddenCountries(
  db: Db,
  ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, { readonly countries: ReadonlySet<string> }>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'hide_countries'])
    .where('id', 'in', [...ids])
    .where('role', '=', 'girl')
    .where('hide_countries', '<>', sql<string[]>`'{}'`)
    .execute()
  return new Map(rows.map((row) => [row.id, { countries: new Set(row.hide_countries) }]))
}
