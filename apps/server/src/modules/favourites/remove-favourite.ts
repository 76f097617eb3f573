import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { lockPair } from '../blocks/index.ts'
import * as store from './store.ts'

/** Removes a favourite; refuses `not_found` if the user is not one. The other user is not notified. */
export function removeFavourite(
  app: App,
  viewer: Member,
  { user_id }: Input<'REMOVE_FAVOURITE'>,
): Promise<Ack<'REMOVE_FAVOURITE'>> {
  return app.transact(async (tx) => {
    // The lock orders this and the start of a dialog between the two: the dialog copies the favourite as it is before or after.
    await lockPair(tx, viewer.id, user_id)
    const favourite_id = (await store.remove(tx, viewer.id, user_id)) ?? refuse('not_found')
    await tx.publish('favourite_changed', { owner_id: viewer.id, user_id, on: false })
    await tx.notify(viewer.id, 'remove_favourite_success', { favourite_id, user_id })
    return { favourite_id }
  })
}
