import { type Insertable, type Selectable, sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tables } from '../../../core/tables.gen.ts'
import { forgetAfterCommit } from '../../identity/index.ts'

/** The rows of second factors: each write is one statement with its condition. */

export type TotpRow = Selectable<Tables['totp_factors']>
export type PasskeyRow = Selectable<Tables['passkeys']>

export function readTotp(db: Db, user_id: UserId): Promise<TotpRow | undefined> {
  return db.selectFrom('totp_factors').selectAll().where('user_id', '=', user_id).executeTakeFirst()
}

/** Begins a factor in the place of an unconfirmed factor. False if the user has a confirmed factor. */
export async function beginTotp(tx: Tx, user_id: UserId, secret: Buffer): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    insert into totp_factors as factor (user_id, secret, created_at, last_step)
    values (${user_id}, ${secret}, ${tx.now}, 0)
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where factor.confirmed_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/** Turns this factor on, once. */
export async function confirmTotp(
  tx: Tx,
  { user_id, secret }: TotpRow,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ confirmed_at: tx.now, last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Uses the code of a time step. False if this code or a later code was used. */
export async function useTotpStep(
  tx: Tx,
  { user_id, secret }: TotpRow,
  step: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', user_id)
    .where('secret', '=', secret)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Removes the one-time codes with their spare codes. False if the user had no such one-time codes. */
export async function removeTotp(
  tx: Tx,
  user_id: UserId,
  which: { since: Temporal.Instant } | 'all',
): Promise<boolean> {
  let query = tx
    .deleteFrom('totp_factors')
    .where('user_id', '=', user_id)
    .where('confirmed_at', 'is not', null)
  if (which !== 'all') query = query.where('confirmed_at', '>=', which.since)
  const { numDeletedRows } = await query.executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await tx.deleteFrom('spare_codes').where('user_id', '=', user_id).execute()
  return true
}

export async function replaceSpareCodes(
  tx: Tx,
  user_id: UserId,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.deleteFrom('spare_codes').where('user_id', '=', user_id).execute()
  await tx
    .insertInto('spare_codes')
    .values(hashes.map((code_hash) => ({ user_id, code_hash })))
    .execute()
}

/** Uses a spare code, which ends it; false if the user has no such code. */
export async function useSpareCode(tx: Tx, user_id: UserId, hash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('spare_codes')
    .where('user_id', '=', user_id)
    .where('code_hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countSpareCodes(db: Db, user_id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('spare_codes')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export function readPasskeys(db: Db, user_id: UserId): Promise<PasskeyRow[]> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', user_id)
    .orderBy('created_at')
    .orderBy('passkey_id')
    .execute()
}

export function passkeyById(db: Db, passkey_id: string): Promise<PasskeyRow | undefined> {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('passkey_id', '=', passkey_id)
    .executeTakeFirst()
}

/** False if a passkey has this id already. */
export async function addPasskey(tx: Tx, row: Insertable<Tables['passkeys']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.column('passkey_id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export async function recordPasskeyUse(tx: Tx, passkey_id: string, counter: number): Promise<void> {
  await tx
    .updateTable('passkeys')
    .set({ counter, used_at: tx.now })
    .where('passkey_id', '=', passkey_id)
    .execute()
}

/** Removes one passkey of a user, those added at this time or later, or all; returns how many there were. */
export async function removePasskeys(
  tx: Tx,
  user_id: UserId,
  which: { only: string } | { since: Temporal.Instant } | 'all',
): Promise<number> {
  let query = tx.deleteFrom('passkeys').where('user_id', '=', user_id)
  if (which !== 'all')
    query =
      'only' in which
        ? query.where('passkey_id', '=', which.only)
        : query.where('created_at', '>=', which.since)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

/** Marks the challenge of an accepted answer as answered; false if it was. */
export async function useChallenge(
  tx: Tx,
  challenge_hash: Buffer,
  expires_at: Temporal.Instant,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('answered_challenges')
    .values({ challenge_hash, expires_at })
    .onConflict((conflict) => conflict.column('challenge_hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Writes into the row of the user whether a second factor is asked for; called after each change of the factors. */
export async function updateSecondFactor(tx: Tx, user_id: UserId): Promise<void> {
  await sql`
    update users set second_factor =
      exists (select 1 from totp_factors where user_id = users.id and confirmed_at is not null)
      or exists (select 1 from passkeys where user_id = users.id)
    where id = ${user_id}`.execute(tx)
  forgetAfterCommit(tx, user_id)
}
