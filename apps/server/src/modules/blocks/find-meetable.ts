import { refuse } from '../../lib/refusal.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { areBlocked } from './queries.ts'
import { lockPair } from './store.ts'

/**
 * Returns the row of another member that the viewer may contact. No block comes between the two until the transaction
 * ends. Refuses not_found, blocked.
 */
export async function findMeetable(
  tx: Tx,
  viewer: { id: UserId },
  user_id: UserId,
): Promise<UserRow> {
  const user = await userById(tx, user_id)
  if (!user?.role || user.erased_at || user.id === viewer.id) refuse('not_found')
  await lockPair(tx, viewer.id, user_id)
  if (await areBlocked(tx, viewer.id, user_id)) refuse('blocked')
  return user
}
