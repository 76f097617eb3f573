import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { removeUserLikes } from './entries/like-store.ts'
import { notifyDialog } from './stored-changes.ts'
import * as store from './store.ts'

/** One step of an erasure: it is one transaction, and a change of the log names the messages. */
const MESSAGES_PER_STEP = 500

/**
 * Removes what a user wrote, dialog by dialog, then the likes. The interlocutor keeps the dialog with their
 * own messages, and cannot write any more.
 */
export async function eraseMessages(tx: Tx, user_id: UserId): Promise<'more' | void> {
  const dialog = await store.lockDialogToErase(tx, user_id)
  if (!dialog) {
    const renamed = await store.eraseRandomIds(tx, user_id, MESSAGES_PER_STEP)
    return renamed === MESSAGES_PER_STEP ? 'more' : removeUserLikes(tx, user_id)
  }
  const { id: dialog_id, guy_id, girl_id } = dialog
  const otherId = guy_id === user_id ? girl_id : guy_id
  const view = { dialog_id, user_id }
  const message_ids = await store.clearMessages(tx, view, MESSAGES_PER_STEP)
  await store.uncountRemoved(tx, dialog_id, message_ids)
  if (message_ids.length > 0)
    await tx.notify(otherId, 'messenger_message_removed', {
      dialog_id,
      message_ids,
      reason: 'cleaned',
    })
  if (message_ids.length === MESSAGES_PER_STEP) return 'more'
  const originals = await store.eraseOriginals(tx, view, MESSAGES_PER_STEP)
  if (originals < MESSAGES_PER_STEP) {
    await store.eraseView(tx, view)
    await notifyDialog(tx, { dialog_id, user_id: otherId })
  }
  return 'more'
}
