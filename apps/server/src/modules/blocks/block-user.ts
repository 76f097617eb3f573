import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { userById } from '../identity/index.ts'
import * as store from './store.ts'

/**
 * Blocks a user. The user is not notified. What runs between the two ends through `blocked`, also at a repetition: the
 * effects of the first request are lost when the answer of its commit is lost.
 */
export function blockUser(
  app: App,
  viewer: Member,
  { user_id }: Input<'BLOCK_USER'>,
): Promise<Ack<'BLOCK_USER'>> {
  return app.transact(async (tx) => {
    const user = await userById(tx, user_id)
    if (!user?.role || user.id === viewer.id) refuse('not_found')
    await block(tx, viewer.id, user_id)
    return {}
  })
}

export async function block(tx: Tx, user_id: UserId, blocked_id: UserId): Promise<void> {
  await store.lockPair(tx, user_id, blocked_id)
  await store.add(tx, user_id, blocked_id)
  await tx.publish('blocked', { user_id, blocked_id })
}
