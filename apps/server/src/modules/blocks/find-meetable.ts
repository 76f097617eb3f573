import { refuse } from '../../lib/refusal.ts'
import type { HidingViewer } from '../../core/hiding.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { areBlocked } from './queries.ts'
import { keepAccounts, lockPair } from './store.ts'

/**
 * Returns the row of another member, if the viewer may contact the member. Until the transaction ends, no block is
 * added between the two users, and neither account is deleted. Refuses blocked and not_found (also for a
 * user who hides from the viewer's country).
 */
export async function findMeetable(
  tx: Tx,
  viewer: HidingViewer & { readonly id: UserId },
  user_id: UserId,
): Promise<UserRow> {
  if (user_id === viewer.id) refuse('not_found')
  await keepAccounts(tx, [viewer.id, user_id])
  const user = await userById(tx, user_id)
  if (!user?.role || user.erased_at) refuse('not_found')
  if ((await userById(tx, viewer.id))?.erased_at) refuse('not_found')
  await lockPair(tx, viewer.id, user_id)
  if (await areBlocked(tx, viewer.id, user_id)) refuse('blocked')
  // The refusal is that for a user who does not exist, so that it does not show that she hides from his country.
  if ((await tx.app.hooks.hiddenUsers(tx, viewer, [user_id])).has(user_id)) refuse('not_found')
  return user
}
