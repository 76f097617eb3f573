import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import * as store from './store.ts'

/**
 * Removes the favourites between two users when one user blocks the other (F2). Each owner is notified, so
 * both lists stay correct.
 */
export async function removeBetweenBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  await removeAndNotify(tx, user_id, blocked_id)
  await removeAndNotify(tx, blocked_id, user_id)
}

async function removeAndNotify(tx: Tx, owner_id: UserId, user_id: UserId): Promise<void> {
  const favourite_id = await store.remove(tx, owner_id, user_id)
  if (favourite_id) await notifyRemoved(tx, owner_id, user_id, favourite_id)
}

async function notifyRemoved(
  tx: Tx,
  owner_id: UserId,
  user_id: UserId,
  favourite_id: number,
): Promise<void> {
  await tx.publish('favourite_changed', { owner_id, user_id, on: false })
  await tx.notify(owner_id, 'remove_favourite_success', { favourite_id, user_id })
}

const FAVOURITES_PER_STEP = 500

/**
 * One step of an erasure: removes favourites of the user, and the user from the favourites of other owners. The other
 * owners are notified.
 */
export async function eraseFavourites(tx: Tx, user_id: UserId): Promise<'more' | void> {
  const removed = await store.removeSome(tx, user_id, FAVOURITES_PER_STEP)
  for (const { owner_id, favourite_id } of removed)
    if (owner_id !== user_id) await notifyRemoved(tx, owner_id, user_id, favourite_id)
  if (removed.length === FAVOURITES_PER_STEP) return 'more'
}
