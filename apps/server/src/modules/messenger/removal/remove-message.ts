import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { messageById, type MessageRow, readDialogView } from '../queries.ts'
import { notifyMessage } from '../stored-changes.ts'
import { lockView, uncountRemoved } from '../store.ts'
import { countAgain, putTextBack, takeText } from './removal-store.ts'

/** A message that a person wrote; likes, gifts and calls are entries. */
export async function writtenMessage(db: Db, id: number): Promise<MessageRow | undefined> {
  const message = await messageById(db, id)
  return message && ['text', 'image'].includes(message.type) ? message : undefined
}

/** Staff remove a message for both of its dialog. Returns its text; undefined if it was removed before. */
export async function removeMessage(tx: Tx, message: MessageRow): Promise<string | undefined> {
  const { id, dialog_id, sender_id } = message
  await lockView(tx, { dialog_id, user_id: sender_id })
  const text = await takeText(tx, id)
  if (text === undefined) return undefined
  await uncountRemoved(tx, dialog_id, [id])
  await tellBoth(tx, message, 'removed')
  return text
}

/** Brings a removed message back. False: its time has passed. */
export async function restoreMessage(tx: Tx, id: number, text: string): Promise<boolean> {
  const message = await writtenMessage(tx, id)
  if (!message) return false
  const { dialog_id, sender_id } = message
  await lockView(tx, { dialog_id, user_id: sender_id })
  if (!(await putTextBack(tx, id, text))) return false
  await countAgain(tx, dialog_id, id)
  await tellBoth(tx, message, 'shown')
  return true
}

/** Tells those of the two in whose view the message is that it has a note in its place, or is shown. The dialog is locked. */
export async function tellBoth(
  tx: Tx,
  {
    id: message_id,
    dialog_id,
    sender_id,
    receiver_id,
  }: Pick<MessageRow, 'id' | 'dialog_id' | 'sender_id' | 'receiver_id'>,
  now: 'shown' | 'removed',
): Promise<void> {
  for (const user_id of [sender_id, receiver_id]) {
    const view = await readDialogView(tx, { dialog_id, user_id })
    if (!view || view.hidden || message_id <= view.cleaned_to) continue
    if (now === 'shown') await notifyMessage(tx, user_id, { dialog_id, message_id, sender_id })
    else
      await tx.notify(user_id, 'messenger_message_removed', {
        dialog_id,
        message_ids: [message_id],
        reason: 'violation',
      })
  }
}
