import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { userById } from '../identity/index.ts'
import * as store from './store.ts'

/** Nobody is told that he was blocked; whatever runs between the two ends by the fact. */
export function blockUser(
  app: App,
  viewer: Member,
  { user_id }: Input<'BLOCK_USER'>,
): Promise<Ack<'BLOCK_USER'>> {
  return app.transact(async (tx) => {
    const person = await userById(tx, user_id)
    if (!person?.role || person.id === viewer.id) refuse('not_found')
    await store.lockPair(tx, viewer.id, user_id)
    if (await store.add(tx, viewer.id, user_id))
      await tx.publish('blocked', { user_id: viewer.id, blocked_id: user_id })
    return {}
  })
}

export function unblockUser(
  app: App,
  viewer: Member,
  { user_id }: Input<'UNBLOCK_USER'>,
): Promise<Ack<'UNBLOCK_USER'>> {
  return app.transact(async (tx) => {
    const person = await userById(tx, user_id)
    if (!person?.role) refuse('not_found')
    if (await store.remove(tx, viewer.id, user_id))
      await tx.publish('unblocked', { user_id: viewer.id, blocked_id: user_id })
    return {}
  })
}
