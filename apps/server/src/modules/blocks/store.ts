import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'

/**
 * From now until the transaction ends no block between these two comes or goes but here. Whoever makes something that a
 * block forbids takes it too: otherwise both would look, see nothing of each other, and both write.
 */
export async function lockPair(tx: Tx, a: UserId, b: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(${Math.min(a, b)}::integer, ${Math.max(a, b)}::integer)`.execute(
    tx,
  )
}

/** True when it was not there. */
export async function add(tx: Tx, owner_id: UserId, blocked_id: UserId): Promise<boolean> {
  const done = await tx
    .insertInto('blocks')
    .values({ owner_id, blocked_id, at: tx.now })
    .onConflict((conflict) => conflict.columns(['owner_id', 'blocked_id']).doNothing())
    .executeTakeFirst()
  return done.numInsertedOrUpdatedRows === 1n
}

/** True when it was there. */
export async function remove(tx: Tx, owner_id: UserId, blocked_id: UserId): Promise<boolean> {
  const done = await tx
    .deleteFrom('blocks')
    .where('owner_id', '=', owner_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst()
  return done.numDeletedRows === 1n
}
