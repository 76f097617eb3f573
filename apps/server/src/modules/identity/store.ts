import { sql, type Updateable } from 'kysely'
import { productDay } from '../../lib/clock.ts'
import { hashToken, newRefCode, newToken } from '../../lib/ids.ts'
import { assert } from '../../lib/assert.ts'
import type { Database, Tx, UserId } from '../../context.ts'
import type { Tables } from '../../platform/db/tables.gen.ts'
import { forgetUser, userById, type LoginRow, type UserRow } from './queries.ts'

/** Every write of this module, each a single statement with its condition. */

export async function nextUserId(db: Database): Promise<UserId> {
  const { rows } = await sql<{ id: bigint | number }>`select nextval('user_ids') as id`.execute(db)
  return Number(rows[0]!.id)
}

/** The guest's row, written at the first stored action and never twice. */
export async function ensureGuestRow(tx: Tx, id: UserId, locale: string, fingerprint?: string): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id, locale, fingerprint: fingerprint ?? null, created_at: tx.now, last_visit: tx.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  tx.after(() => forgetUser(tx.app, id))
}

export interface Registration {
  readonly nick: string
  readonly email: string
  readonly password_hash: string
  readonly gender: 'M' | 'F'
  readonly birthday: Temporal.PlainDate
  readonly referred_by?: UserId
  readonly signature?: string
}

/** Turns a guest's row into a member's, once; false when it is no guest's any more. */
export async function register(tx: Tx, id: UserId, of: Registration): Promise<boolean> {
  const done = await tx
    .updateTable('users')
    .set({
      nick: of.nick,
      email: of.email,
      password_hash: of.password_hash,
      gender: of.gender,
      role: of.gender === 'F' ? 'girl' : 'men',
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
    .executeTakeFirst()
  tx.after(() => forgetUser(tx.app, id))
  return done.numUpdatedRows === 1n
}

export async function changeUser(tx: Tx, id: UserId, change: Updateable<Tables['users']>): Promise<UserRow> {
  await tx.updateTable('users').set(change).where('id', '=', id).where('erased_at', 'is', null).execute()
  tx.after(() => forgetUser(tx.app, id))
  const row = await userById(tx, id)
  assert(row, 'whoever changes a record has one')
  return row
}

export async function openLogin(tx: Tx, user_id: UserId): Promise<{ login: LoginRow; token: string }> {
  const token = newToken()
  const login = await tx
    .insertInto('logins')
    .values({ user_id, token_hash: hashToken(token), created_at: tx.now, used_at: tx.now })
    .returning(['id', 'user_id', 'generation'])
    .executeTakeFirstOrThrow()
  return { login, token }
}

/** A new token for the same login; the old one and everything derived from it are dead at commit. */
export async function rotateLogin(tx: Tx, login_id: number): Promise<{ login: LoginRow; token: string } | undefined> {
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

export async function touchLogin(tx: Tx, login: LoginRow): Promise<void> {
  await tx.updateTable('logins').set({ used_at: tx.now }).where('id', '=', login.id).execute()
  await tx.updateTable('users').set({ last_visit: tx.now }).where('id', '=', login.user_id).execute()
  tx.after(() => forgetUser(tx.app, login.user_id))
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
    query = 'only' in which ? query.where('id', '=', which.only) : query.where('id', '!=', which.except)
  await query.execute()
}

/** Counts one more time that this address asked about a used e-mail today; answers how many that makes. */
export async function countEmailProbe(tx: Tx, address: string): Promise<number> {
  const row = await tx
    .insertInto('email_probes')
    .values({ address, day: productDay(tx.now), tries: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['address', 'day'])
        .doUpdateSet((expression) => ({ tries: expression('email_probes.tries', '+', 1) })),
    )
    .returning('tries')
    .executeTakeFirstOrThrow()
  return row.tries
}
