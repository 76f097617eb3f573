import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

export async function setAvatarId(
  tx: Tx,
  user_id: UserId,
  avatar_id: string | null,
): Promise<void> {
  await tx.updateTable('users').set({ avatar_id }).where('id', '=', user_id).execute()
}
