import type { Role } from '@duet/protocol/kernel/roles.ts'
import { sql, type Updateable } from 'kysely'
import { productDay } from '../../lib/clock.ts'
import { hashToken, newRefCode, newToken } from '../../lib/ids.ts'
import { assert } from '../../lib/assert.ts'
import { refuse } from '../../lib/refusal.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/db.ts'
import type { Tx } from '../../core/app.ts'
import type { DailyBudget } from './client-budgets.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import { setting } from '../settings/index.ts'
import { rememberEndedGuest } from './login/ended-guests.ts'
import { forgetUser, userById, type LoginRow, type UserRow } from './queries.ts'

/** The writes of this module (those of visits are in login/visits-store.ts), each one statement with its condition. */

/** The id of a user that the operator adds; guests draw theirs at random. */
export async function nextUserId(db: Db): Promise<UserId> {
  const { rows } = await sql<{ id: number }>`select nextval('user_ids') as id`.execute(db)
  return rows[0]!.id
}

/** Writes the guest's row at the first stored action; a later call only adds a fingerprint that was missing (I1). */
export async function ensureGuestRow(
  tx: Tx,
  { id, locale }: { readonly id: UserId; readonly locale: string },
  sent: { readonly fingerprint?: string; readonly locale?: string } = {},
): Promise<void> {
  const { fingerprint } = sent
  await tx
    .insertInto('users')
    .values({
      id,
      locale: sent.locale ?? locale,
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

/** A tombstone keeps nothing of a guest except the id. */
const TOMBSTONE_FIELDS = {
  declared_role: null,
  fingerprint: null,
  signature: null,
  age_confirmed_at: null,
  terms_version: null,
}

/**
 * Ends a guest, so that no token of this id is accepted again: a row becomes a tombstone. Who has no row gets none, so
 * that visitors cannot fill the table; this process remembers the id as long as a token may be valid.
 */
export async function endGuest(tx: Tx, id: UserId): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ ...TOMBSTONE_FIELDS, erased_at: tx.now })
    .where('id', '=', id)
    .where('role', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  tx.afterCommit(() => {
    if (numUpdatedRows === 0n) rememberEndedGuest(tx.app, id)
    forgetUser(tx.app, id)
  })
}

/** Deletes the tombstones that earlier versions wrote for guests without a row; their tokens have expired. */
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
  /** The country of the connection; absent: unknown. */
  readonly country?: string | null
  readonly referred_by?: UserId
  readonly signature?: string
}

/** Makes a guest's row a member's, once; returns false if it is not a guest's any more. Refuses email_used. */
export async function register(tx: Tx, id: UserId, registration: Registration): Promise<boolean> {
  const updated = await refuseEmailUsed(() =>
    tx
      .updateTable('users')
      .set({
        nick: registration.nick,
        email: registration.email,
        password_hash: registration.password_hash,
        declared_role: registration.role,
        role: registration.role,
        birthday: registration.birthday,
        country: registration.country ?? null,
        ref_code: newRefCode(),
        referred_by: registration.referred_by ?? null,
        signature: registration.signature ?? null,
        registered_at: tx.now,
        last_visit: tx.now,
      })
      .where('id', '=', id)
      .where('role', 'is', null)
      .where('erased_at', 'is', null)
      .executeTakeFirst(),
  )
  tx.afterCommit(() => forgetUser(tx.app, id))
  return updated.numUpdatedRows === 1n
}

/** Of two users who take the same address at the same moment, the unique index accepts one. */
async function refuseEmailUsed<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'users_email') refuse('email_used')
    throw error
  }
}

/** Changes a row and returns it. Refuses email_used. */
export async function changeUser(
  tx: Tx,
  id: UserId,
  change: Updateable<Tables['users']>,
): Promise<UserRow> {
  await refuseEmailUsed(() =>
    tx
      .updateTable('users')
      .set(change)
      .where('id', '=', id)
      .where('erased_at', 'is', null)
      .execute(),
  )
  tx.afterCommit(() => forgetUser(tx.app, id))
  const row = await userById(tx, id)
  assert(row, 'a user whose record changes has a row')
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
  await endOldestLogins(tx, user_id, login.id)
  return { login, token }
}

/**
 * Ends the logins of a user that were used longest ago, beyond the permitted number. Only AUTH writes `used_at`, so a login
 * with an open socket counts as used now: its page may be in a call.
 */
async function endOldestLogins(tx: Tx, user_id: UserId, newestId: number): Promise<void> {
  const connectedId = await connectedLogin(tx, user_id)
  const { rows } = await sql<Pick<LoginRow, 'id' | 'user_id'>>`
    update logins set ended_at = ${tx.now} where id is distinct from ${connectedId}::bigint and id = any(array(
      select id from logins where user_id = ${user_id} and ended_at is null
      order by id = ${newestId} desc, id is not distinct from ${connectedId}::bigint desc, used_at desc, id desc
      offset ${setting(tx.app, 'logins_max')}))
    returning id, user_id`.execute(tx)
  closeAfterCommit(tx, rows)
}

async function connectedLogin(tx: Tx, user_id: UserId): Promise<number | null> {
  return (await tx.app.realtime.activeConnection(user_id))?.login_id ?? null
}

/**
 * Goes through at most `limit` logins that were last used before this time, and returns how many. It ends them; one with an
 * open socket is used now instead.
 */
export async function endIdleLogins(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { rows: idle } = await sql<Pick<LoginRow, 'id' | 'user_id'>>`
    select id, user_id from logins where ended_at is null and created_at < ${before} and used_at < ${before}
    limit ${limit} for update`.execute(tx)
  const connected = await Promise.all(
    idle.map(async ({ id, user_id }) => (await connectedLogin(tx, user_id)) === id),
  )
  const idsWhere = (isConnected: boolean) =>
    idle.filter((_, index) => connected[index] === isConnected).map(({ id }) => id)
  await sql`update logins set used_at = ${tx.now} where id = any(${idsWhere(true)})`.execute(tx)
  await sql`update logins set ended_at = ${tx.now} where id = any(${idsWhere(false)})`.execute(tx)
  closeAfterCommit(
    tx,
    idle.filter((_, index) => !connected[index]),
  )
  return idle.length
}

function closeAfterCommit(tx: Tx, ended: readonly Pick<LoginRow, 'id' | 'user_id'>[]): void {
  for (const { id, user_id } of ended)
    tx.afterCommit(async () => {
      forgetUser(tx.app, user_id)
      await tx.app.realtime.endLogin({ user_id, login_id: id })
    })
}

/** Gives a login a new token; the old one and all tokens derived from it are invalid at the commit. */
export async function rotateLogin(
  tx: Tx,
  loginId: number,
): Promise<{ login: LoginRow; token: string } | undefined> {
  const token = newToken()
  const login = await tx
    .updateTable('logins')
    .set((expression) => ({
      token_hash: hashToken(token),
      generation: expression('generation', '+', 1),
      used_at: tx.now,
    }))
    .where('id', '=', loginId)
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

/**
 * Takes one use of each of these budgets of today; false if one is spent. The caller's transaction then takes back what
 * was taken of the others.
 */
export async function takeBudgets(tx: Tx, budgets: readonly DailyBudget[]): Promise<boolean> {
  const day = productDay(tx.now)
  // In one order, so that two registrations do not deadlock.
  for (const { kind, client, uses_max } of sortedByClient(budgets)) {
    const { numAffectedRows = 0n } = await sql`
      insert into client_budgets as budget (day, kind, client, used)
      select ${day}, ${kind}, ${client}, 1 where ${uses_max}::integer > 0
      on conflict (day, kind, client) do update set used = budget.used + 1
      where budget.used < ${uses_max}`.execute(tx)
    if (numAffectedRows === 0n) return false
  }
  return true
}

/** Gives one use of each of these budgets back. */
export async function returnBudgets(tx: Tx, budgets: readonly DailyBudget[]): Promise<void> {
  for (const { kind, client } of sortedByClient(budgets)) {
    await sql`update client_budgets set used = used - 1
      where day = ${productDay(tx.now)} and kind = ${kind} and client = ${client} and used > 0`.execute(
      tx,
    )
  }
}

function sortedByClient(budgets: readonly DailyBudget[]): DailyBudget[] {
  return budgets.toSorted((one, other) => (one.client < other.client ? -1 : 1))
}
