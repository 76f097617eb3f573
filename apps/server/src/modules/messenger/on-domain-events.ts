import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { notifyDialog } from './stored-changes.ts'
import * as store from './store.ts'

/** The right to write changed for both, if the two have a dialog. */
export async function followBlock(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  const dialog_id = await lockSharedDialog(tx, user_id, blocked_id)
  if (dialog_id === undefined) return
  await notifyDialog(tx, { dialog_id, user_id })
  await notifyDialog(tx, { dialog_id, user_id: blocked_id })
}

/** Favourites are a filter of the list of dialogs. */
export async function followFavourite(
  tx: Tx,
  { owner_id, user_id, on }: DomainEvents['favourite_changed'],
): Promise<void> {
  const dialog_id = await lockSharedDialog(tx, owner_id, user_id)
  if (dialog_id === undefined) return
  const view = { dialog_id, user_id: owner_id }
  await store.setFavourite(tx, view, on)
  await notifyDialog(tx, view)
}

/** The pair that has a row shows which of the two is the guy. */
async function lockSharedDialog(tx: Tx, one: UserId, other: UserId): Promise<number | undefined> {
  return (
    (await store.lockPairDialog(tx, { guy_id: one, girl_id: other })) ??
    (await store.lockPairDialog(tx, { guy_id: other, girl_id: one }))
  )
}
