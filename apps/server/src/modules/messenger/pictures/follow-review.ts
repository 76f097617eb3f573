import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import { isPremium, userById } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import { messageOfMedia, type MessageRow } from '../queries.ts'
import { tellBoth } from '../removal/remove-message.ts'
import { vanishTime } from '../rules.ts'
import { lockView } from '../store.ts'
import { vanishAt } from '../vanishing/vanish.ts'
import { endWaiting } from './picture-store.ts'

/** Staff decided about a picture: a message with it is shown from now on, or leaves a note in its place. */
export async function followPictureReview(
  tx: Tx,
  { media_id, status }: DomainEvents['media_reviewed'],
): Promise<void> {
  const message = await messageOfMedia(tx, media_id)
  if (!message) return
  const { dialog_id, sender_id } = message
  // Reading locks the dialog too: the later transaction sees what the earlier transaction did.
  await lockView(tx, { dialog_id, user_id: sender_id })
  if (status === 'ready') await showMessage(tx, message)
  await tellBoth(tx, message, status === 'ready' ? 'shown' : 'removed')
}

/** A message that was read while its picture waited disappears by the time at which the picture is shown. */
async function showMessage(tx: Tx, { id, receiver_id }: MessageRow): Promise<void> {
  const shownUntil = await vanishTimeFor(tx, receiver_id)
  const vanish_at = await endWaiting(tx, id, shownUntil)
  if (vanish_at) tx.afterCommit(() => vanishAt(tx.app, vanish_at))
}

async function vanishTimeFor(tx: Tx, receiver_id: UserId): Promise<Temporal.Instant | null> {
  const reader = await userById(tx, receiver_id)
  if (reader?.role !== 'guy') return null
  const girl = { sender: 'girl', reader_premium: isPremium(reader, tx.now) } as const
  return vanishTime(girl, tx.now, setting(tx.app, 'vanish_after')) ?? null
}
