import type { Ack, Input } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { msBetween, productDay, startOfProductDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { findMeetable } from '../../blocks/index.ts'
import { hadCall } from '../../calls/index.ts'
import { addNotice } from '../../notices/index.ts'
import { setting } from '../../settings/index.ts'
import { reachAway } from '../away/reach-away.ts'
import { isLike } from '../queries.ts'
import { lockPairDialog, lockUnreadCounts, uncountRemoved } from '../store.ts'
import { notifyDialog, notifyMessage } from '../stored-changes.ts'
import { insertEntry } from './entry-store.ts'
import * as store from './like-store.ts'

/**
 * Likes a user of the other role once, or removes the like. The like is an entry of their dialog. A girl's
 * like gives the guy the right to write. Refuses too_many if the likes of the day are used up.
 */
export function like(
  app: App,
  viewer: Member,
  { user_id, session_id, like: isLiked }: Input<'LIKING_REACTION'>,
): Promise<Ack<'LIKING_REACTION'>> {
  return app.transact(async (tx) => {
    const other = await findMeetable(tx, viewer, user_id)
    const isUnknown = viewer.role === 'guy' && other.verified_at === null
    if (other.role === viewer.role || isUnknown) refuse('not_found')
    if (session_id !== undefined && !(await hadCall(tx, session_id, viewer.id, user_id)))
      refuse('not_found')
    const [guy_id, girl_id] = viewer.role === 'guy' ? [viewer.id, user_id] : [user_id, viewer.id]
    const pair = { guy_id, girl_id }
    const dialogId = await lockPairDialog(tx, pair)
    const own = { liker_id: viewer.id, liked_id: user_id }
    const mutual = await isLike(tx, { liker_id: user_id, liked_id: viewer.id })
    if (!isLiked) {
      if (dialogId !== undefined) await takeBack(tx, dialogId, own)
      return { mutual: false }
    }
    if (!(await isLike(tx, own))) {
      await refuseTooMany(tx, viewer.id)
      const entry = { ...pair, sender_id: viewer.id, type: 'like', is_unread: true } as const
      const message = { ...(await insertEntry(tx, entry)), sender_id: viewer.id, with_dialog: true }
      await store.insertLike(tx, own, message)
      await notifyMessage(tx, viewer.id, message)
      await notifyMessage(tx, user_id, message)
      await reachAway(tx, [{ ...message, user_id }])
      await addNotice(tx, { user_id, kind: 'liked', user: viewer.id, key: `liked:${viewer.id}` })
      await tx.notify(user_id, 'like_received', {
        user_id: viewer.id,
        nick: viewer.nick,
        mutual,
        ...(session_id !== undefined && { session_id }),
      })
    }
    return { mutual }
  })
}

async function takeBack(tx: Tx, dialogId: number, own: store.Like): Promise<void> {
  // The counters come before the count of likes, as in a like: two users would wait for each other otherwise.
  await lockUnreadCounts(tx, dialogId)
  const removed = await store.removeLike(tx, own)
  if (!removed) return
  const { dialog_id, message_id } = removed
  await uncountRemoved(tx, dialog_id, [message_id])
  for (const user_id of [own.liker_id, own.liked_id]) {
    await tx.notify(user_id, 'messenger_message_removed', {
      dialog_id,
      message_ids: [message_id],
      reason: 'cleaned',
    })
    await notifyDialog(tx, { dialog_id, user_id })
  }
}

async function refuseTooMany(tx: Tx, user_id: UserId): Promise<void> {
  const day = productDay(tx.now)
  if (await store.takeLike(tx, user_id, { day, most: setting(tx.app, 'likes_a_day') })) return
  const tomorrow = startOfProductDay(day.add({ days: 1 }))
  refuse('too_many', { retry_after: Math.ceil(msBetween(tx.now, tomorrow) / 1000) })
}
