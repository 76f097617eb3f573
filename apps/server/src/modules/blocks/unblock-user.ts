import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { userById } from '../identity/index.ts'
import * as store from './store.ts'

/** Removes the viewer's own block. A block by the other user stays. */
export function unblockUser(
  app: App,
  viewer: Member,
  { user_id }: Input<'UNBLOCK_USER'>,
): Promise<Ack<'UNBLOCK_USER'>> {
  return app.transact(async (tx) => {
    const user = await userById(tx, user_id)
    if (!user?.role) refuse('not_found')
    if (await store.remove(tx, viewer.id, user_id))
      await tx.publish('unblocked', { user_id: viewer.id, blocked_id: user_id })
    return {}
  })
}
