import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { emptyColumns } from '../users/columns.ts'
import { forgetAfterCommit } from '../users/queries.ts'

/** The writes for guests who end, each one statement with its condition. */

/** Makes a guest's row a tombstone; returns false if there is no such row. */
export async function eraseGuest(tx: Tx, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('users')
    .set({ ...emptyColumns, erased_at: tx.now })
    .where('id', '=', id)
    .where('role', 'is', null)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  forgetAfterCommit(tx, id)
  return numUpdatedRows === 1n
}

/** Writes the tombstone of a guest who never had a row. */
export async function addEmptyTombstone(tx: Tx, id: UserId): Promise<void> {
  await tx
    .insertInto('users')
    .values({ id, created_at: tx.now, erased_at: tx.now })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  forgetAfterCommit(tx, id)
}

/** Deletes the tombstones of guests who never had a row; their tokens have expired. */
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
