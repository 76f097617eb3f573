import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { lockPair } from '../blocks/index.ts'
import * as store from './store.ts'

/** Removes a favourite. Refuses `not_found` if the user is not a favourite. The other user is not notified. */
export function removeFavourite(
  app: App,
  viewer: Member,
  { user_id }: Input<'REMOVE_FAVOURITE'>,
): Promise<Ack<'REMOVE_FAVOURITE'>> {
  return app.transact(async (tx) => {
    // A new dialog copies whether the user is a favourite. The lock orders that copy and this removal.
    await lockPair(tx, viewer.id, user_id)
    const favourite_id = (await store.remove(tx, viewer.id, user_id)) ?? refuse('not_found')
    await tx.publish('favourite_changed', { owner_id: viewer.id, user_id, on: false })
    await tx.notify(viewer.id, 'remove_favourite_success', { favourite_id, user_id })
    return { favourite_id }
  })
}
