import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/** The avatar that others see; nothing waits for review beside it any more. */
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
