import { productDay } from '../../lib/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/** One row for each viewer, girl and day, however often the viewer sees the page. */
export async function addProfileView(tx: Tx, girl_id: UserId, viewer_id: UserId): Promise<void> {
  await tx
    .insertInto('profile_views')
    .values({ girl_id, viewer_id, day: productDay(tx.now) })
    .onConflict((conflict) => conflict.columns(['girl_id', 'day', 'viewer_id']).doNothing())
    .execute()
}

/** Sets the avatar that others see. Afterwards no picture waits for review. */
export async function setAvatarId(tx: Tx, user_id: UserId, avatar_id: string): Promise<void> {
  await tx
    .updateTable('users')
    .set({ avatar_id, next_avatar_id: null })
    .where('id', '=', user_id)
    .execute()
}

export async function setNextAvatarId(
  tx: Tx,
  user_id: UserId,
  next_avatar_id: string,
): Promise<void> {
  await tx.updateTable('users').set({ next_avatar_id }).where('id', '=', user_id).execute()
}

export async function clearAvatar(tx: Tx, user_id: UserId): Promise<void> {
  await tx
    .updateTable('users')
    .set({ avatar_id: null, next_avatar_id: null })
    .where('id', '=', user_id)
    .execute()
}

export async function setShowsAdult(tx: Tx, user_id: UserId, shows_adult: boolean): Promise<void> {
  await tx.updateTable('users').set({ shows_adult }).where('id', '=', user_id).execute()
}
