import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/**
 * Until this transaction ends, no other transaction adds or removes a block between these two users. A
 * command that creates what a block forbids takes this lock too. Without the lock both transactions would
 * see nothing of each other and both would write.
 */
export async function lockPair(tx: Tx, a: UserId, b: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`pair ${Math.min(a, b)} ${Math.max(a, b)}`}, 0))`.execute(
    tx,
  )
}

/**
 * Until this transaction ends, the deletion of these accounts waits, so that it finds what this transaction
 * stores. A row that is read afterwards shows whether an account was deleted before.
 */
export async function keepAccounts(tx: Tx, ids: readonly UserId[]): Promise<void> {
  for (const id of ids)
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`account ${id}`}, 0))`.execute(
      tx,
    )
}

/**
 * The deletion of this account waits for the transactions that keep it. Later transactions wait for the
 * deletion.
 */
export async function lockAccount(tx: Tx, id: UserId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`account ${id}`}, 0))`.execute(tx)
}

/** Returns false if the block existed already. */
export async function add(tx: Tx, owner_id: UserId, blocked_id: UserId): Promise<boolean> {
  const inserted = await tx
    .insertInto('blocks')
    .values({ owner_id, blocked_id, at: tx.now })
    .onConflict((conflict) => conflict.columns(['owner_id', 'blocked_id']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** Returns false if there was no such block. */
export async function remove(tx: Tx, owner_id: UserId, blocked_id: UserId): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('blocks')
    .where('owner_id', '=', owner_id)
    .where('blocked_id', '=', blocked_id)
    .executeTakeFirst()
  return deleted.numDeletedRows === 1n
}
