import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
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
    await store.lockPair(tx, viewer.id, user_id)
    await store.add(tx, viewer.id, user_id)
    await tx.publish('blocked', { user_id: viewer.id, blocked_id: user_id })
    return {}
  })
}
