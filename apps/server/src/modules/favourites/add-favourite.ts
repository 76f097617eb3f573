import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { findMeetable } from '../blocks/index.ts'
import { addNotice, hasNotice } from '../notices/index.ts'
import * as store from './store.ts'

/** Marks a user as a favourite and notifies both users. A repeat changes nothing and returns the same id (F1). */
export function addFavourite(
  app: App,
  viewer: Member,
  { user_id }: Input<'ADD_FAVOURITE'>,
): Promise<Ack<'ADD_FAVOURITE'>> {
  return app.transact(async (tx) => {
    const user = await findMeetable(tx, viewer, user_id)
    const { favourite_id, added } = await store.add(tx, viewer.id, user.id)
    if (added) {
      await tx.publish('favourite_changed', { owner_id: viewer.id, user_id, on: true })
      await tx.notify(viewer.id, 'add_favourite_success', { favourite_id, user_id })
      const hidden = await app.hooks.hiddenUsers(tx, { id: user.id }, [viewer.id])
      // A girl who hides from the guy's country must not become visible by this change.
      if (!hidden.has(viewer.id)) {
        // Repeated adding and removing stays one line of the bell, and one event.
        const key = `kept:${viewer.id}`
        if (!(await hasNotice(tx, user.id, key)))
          // The nick is rendered whenever the change is read: a stored nick would outlive the account.
          await tx.notify(user.id, 'added_your_favorites', { user_id: viewer.id, nick: '' })
        await addNotice(tx, { user_id: user.id, kind: 'kept', user: viewer.id, key })
      }
    }
    return { favourite_id }
  })
}
