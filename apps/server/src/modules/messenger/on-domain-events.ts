import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import { viewOf } from './queries.ts'
import { notifyDialog } from './stored-changes.ts'
import * as store from './store.ts'

/** The right to write changed for both, if the two have a dialog. */
export async function followBlock(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  const dialogId = await lockDialogOf(tx, user_id, blocked_id)
  if (dialogId === undefined) return
  await notifyIfSeen(tx, user_id, dialogId)
  await notifyIfSeen(tx, blocked_id, dialogId)
}

/** Favourites are a filter of the list of dialogs. */
export async function followFavourite(
  tx: Tx,
  { owner_id, user_id, on }: DomainEvents['favourite_changed'],
): Promise<void> {
  const dialogId = await lockDialogOf(tx, owner_id, user_id)
  if (dialogId === undefined) return
  await store.setFavourite(tx, { dialog_id: dialogId, user_id: owner_id }, on)
  await notifyIfSeen(tx, owner_id, dialogId)
}

/** The pair that has a row shows which of the two is the guy. */
async function lockDialogOf(tx: Tx, one: UserId, other: UserId): Promise<number | undefined> {
  return (
    (await store.lockPairDialog(tx, { guy_id: one, girl_id: other })) ??
    (await store.lockPairDialog(tx, { guy_id: other, girl_id: one }))
  )
}

async function notifyIfSeen(tx: Tx, user_id: UserId, dialogId: number): Promise<void> {
  if ((await viewOf(tx, user_id, dialogId))?.hidden === false)
    await notifyDialog(tx, user_id, dialogId)
}
