import type { Tx, UserId } from '../../context.ts'

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
