import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import * as store from './store.ts'

/** A block lets both go of each other (F2); both learn it, so their lists stay right. */
export async function dropBothWays(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  await drop(tx, user_id, blocked_id)
  await drop(tx, blocked_id, user_id)
}

async function drop(tx: Tx, owner_id: UserId, user_id: UserId): Promise<void> {
  const favourite_id = await store.remove(tx, owner_id, user_id)
  if (favourite_id) await tx.notify(owner_id, 'remove_favourite_success', { favourite_id, user_id })
}

export async function dropAllOf(
  tx: Tx,
  { user_id }: DomainEvents['account_deleted'],
): Promise<void> {
  await store.removeAllOf(tx, user_id)
}
