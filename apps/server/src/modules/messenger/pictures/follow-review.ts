import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import { isPremium, userById } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import { messageOfMedia, type MessageRow, readDialogView } from '../queries.ts'
import { vanishTime } from '../rules.ts'
import { notifyMessage } from '../stored-changes.ts'
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
  const { id: message_id, dialog_id, sender_id, receiver_id } = message
  // Reading locks the dialog too: the later transaction sees what the earlier transaction did.
  await lockView(tx, { dialog_id, user_id: sender_id })
  if (status === 'ready') await showMessage(tx, message)
  for (const user_id of [sender_id, receiver_id]) {
    const view = await readDialogView(tx, { dialog_id, user_id })
    if (!view || view.hidden || message_id <= view.cleaned_to) continue
    if (status === 'ready') await notifyMessage(tx, user_id, { dialog_id, message_id, sender_id })
    else
      await tx.notify(user_id, 'messenger_message_removed', {
        dialog_id,
        message_ids: [message_id],
        reason: 'violation',
      })
  }
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
