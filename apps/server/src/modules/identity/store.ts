import type { Role } from '@duet/protocol/kernel/roles.ts'
import { sql, type Updateable } from 'kysely'
import { productDay } from '../../lib/clock.ts'
import { hashToken, newRefCode, newToken } from '../../lib/ids.ts'
import { assert } from '../../lib/assert.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db, Tx } from '../../core/tx.ts'
import { groupCommit } from '../../platform/database/group-commit.ts'
import { perApp } from '../../core/module.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import { forgetUser, userById, visited, type LoginRow, type UserRow } from './queries.ts'
import type { LoginKey } from './tokens.ts'

/** Every write of this module, each a single statement with its condition. */

/** The id of a user that the operator adds; guests draw theirs at random. */
export async function nextUserId(db: Db): Promise<UserId> {
  const { rows } = await sql<{ id: number }>`select nextval('user_ids') as id`.execute(db)
  return rows[0]!.id
}

/** The guest's row, written at the first stored action and never twice; a device that was unknown then is added. */
export async function ensureGuestRow(
  tx: Tx,
  { id, locale }: { readonly id: UserId; readonly locale: string },
  fingerprint?: string,
): Promise<void> {
  await tx
    .insertInto('users')
    .values({
      id,
      locale,
      fingerprint: fingerprint ?? null,
      created_at: tx.now,
      last_visit: tx.now,
    })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ fingerprint: fingerprint ?? null })
        .where('users.fingerprint', 'is', null)
        .where('users.role', 'is', null)
        .where('users.erased_at', 'is', null),
    )
    .execute()
  tx.afterCommit(() => forgetUser(tx.app, id))
}

/** A guest with a row is here again; one without keeps none. */
/** What a tombstone keeps of a guest: that the id was used. */
const nothing_left = {
  declared_role: null,
  fingerprint: null,
  signature: null,
  age_confirmed_at: null,
  terms_version: null,
}

/** The guest's id is over: its row, made if need be, stays as a tombstone, so that no token of the id is good again. */
export async function endGuest(tx: Tx, id: UserId): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id, created_at: tx.now, erased_at: tx.now })
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ ...nothing_left, erased_at: tx.now })
        .where('users.role', 'is', null)
        .where('users.erased_at', 'is', null),
    )
    .execute()
  tx.afterCommit(() => forgetUser(tx.app, id))
}

/** Guests with a row who were not here since, by id. */
export async function guestsAway(
  db: Db,
  { since, above, most }: { since: Temporal.Instant; above: UserId; most: number },
): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('role', 'is', null)
    .where('erased_at', 'is', null)
    .where('created_at', '<', since)
    .where((where) => where.or([where('last_visit', 'is', null), where('last_visit', '<', since)]))
    .where('id', '>', above)
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map((row) => row.id)
}

/** Deletes tombstones of guests who never had a row before: their tokens expired long ago. */
export async function deleteEmptyTombstones(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from users where id = any(array(
      select id from users where role is null and erased_at < ${before} and created_at = erased_at limit ${limit}))`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

export interface Registration {
  readonly nick: string
  readonly email: string
  readonly password_hash: string
  readonly role: Role
  readonly birthday: Temporal.PlainDate
  readonly referred_by?: UserId
  readonly signature?: string
}

/** Turns a guest's row into a member's, once; false when it is no guest's any more. Refuses email_used. */
export async function register(tx: Tx, id: UserId, of: Registration): Promise<boolean> {
  const done = await ownEmail(() =>
    tx
      .updateTable('users')
      .set({
        nick: of.nick,
        email: of.email,
        password_hash: of.password_hash,
        declared_role: of.role,
        role: of.role,
        birthday: of.birthday,
        ref_code: newRefCode(),
        referred_by: of.referred_by ?? null,
        signature: of.signature ?? null,
        registered_at: tx.now,
        last_visit: tx.now,
      })
      .where('id', '=', id)
      .where('role', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst(),
  )
  tx.afterCommit(() => forgetUser(tx.app, id))
  return done.numUpdatedRows === 1n
}

/** Two who take the same address at the same moment: the index lets one through. */
async function ownEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_email') refuse('email_used')
    throw error
  }
}

/** Refuses email_used. */
export async function changeUser(
  tx: Tx,
  id: UserId,
  change: Updateable<Tables['users']>,
): Promise<UserRow> {
  await ownEmail(() =>
    tx
      .updateTable('users')
      .set(change)
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .execute(),
  )
  tx.afterCommit(() => forgetUser(tx.app, id))
  const row = await userById(tx, id)
  assert(row, 'whoever changes a record has one')
  return row
}

export async function openLogin(
  tx: Tx,
  user_id: UserId,
): Promise<{ login: LoginRow; token: string }> {
  const token = newToken()
  const login = await tx
    .insertInto('logins')
    .values({ user_id, token_hash: hashToken(token), created_at: tx.now, used_at: tx.now })
    .returning(['id', 'user_id', 'generation'])
    .executeTakeFirstOrThrow()
  return { login, token }
}

/** A new token for the same login; the old one and everything derived from it are dead at commit. */
export async function rotateLogin(
  tx: Tx,
  login_id: number,
): Promise<{ login: LoginRow; token: string } | undefined> {
  const token = newToken()
  const login = await tx
    .updateTable('logins')
    .set((expression) => ({
      token_hash: hashToken(token),
      generation: expression('generation', '+', 1),
      used_at: tx.now,
    }))
    .where('id', '=', login_id)
    .where('ended_at', 'is', null)
    .returning(['id', 'user_id', 'generation'])
    .executeTakeFirst()
  return login && { login, token }
}

export async function endLogins(
  tx: Tx,
  user_id: UserId,
  which: { only: number } | { except: number } | 'all',
): Promise<void> {
  let query = tx
    .updateTable('logins')
    .set({ ended_at: tx.now })
    .where('user_id', '=', user_id)
    .where('ended_at', 'is', null)
  if (which !== 'all')
    query =
      'only' in which ? query.where('id', '=', which.only) : query.where('id', '!=', which.except)
  await query.execute()
  tx.afterCommit(() => forgetUser(tx.app, user_id))
}

/** Counts one more time today that a used e-mail was asked about, from each of these (a network, a device); answers the most. */
export async function countEmailProbe(tx: Tx, askers: readonly string[]): Promise<number> {
  const rows = await tx
    .insertInto('email_probes')
    .values(askers.map((address) => ({ address, day: productDay(tx.now), tries: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['address', 'day'])
        .doUpdateSet((expression) => ({ tries: expression('email_probes.tries', '+', 1) })),
    )
    .returning('tries')
    .execute()
  return Math.max(...rows.map((row) => row.tries))
}

interface Visit {
  readonly key: LoginKey
  readonly at: Temporal.Instant
}

const visits_a_batch = 500
const visits_waiting = 50_000

/** When somebody was last here is written for many at once and nobody waits for it: a crash may lose the newest visits. */
const visits = perApp(
  'identity: visits',
  'visits that wait to be written together; lost visits leave last_visit a little older',
  (app) =>
    groupCommit<Visit, void>({
      flush: (batch) => writeVisits(app, batch).then(() => batch.map(() => undefined)),
      max_batch: visits_a_batch,
      max_queue: visits_waiting,
    }),
)

export function noteVisit(app: App, visit: Visit): void {
  visits(app)
    .submit(visit)
    .catch((error: unknown) => app.log.warn({ err: error }, 'a visit was not noted'))
}

function writeVisits(app: App, batch: readonly Visit[]): Promise<void> {
  // In the order of ids, so that two batches do not wait for each other crosswise.
  const noted = batch.toSorted((one, other) => one.key.user_id - other.key.user_id)
  const times = noted.map(({ at }) => at.toString())
  return app.transact(async (tx) => {
    await sql`set local synchronous_commit = off`.execute(tx)
    await sql`
      with visit as (
        select * from unnest(
          ${noted.map(({ key }) => key.user_id)}::bigint[], ${noted.map(({ key }) => key.login_id)}::bigint[], ${times}::timestamptz[]
        ) as visit (user_id, login_id, at)
      ), login as (
        update logins set used_at = visit.at from visit where logins.id = visit.login_id
      )
      update users set last_visit = visit.at from visit where users.id = visit.user_id and users.erased_at is null
    `.execute(tx)
    tx.afterCommit(() => {
      for (const { key, at } of noted) visited(app, key.user_id, at)
    })
  })
}
