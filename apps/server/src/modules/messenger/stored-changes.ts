import type { Message, Payload } from '@duet/protocol'
import type { AppContext, Tx } from '../../core/app.ts'
import { type Db, readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { StoredChange } from '../../core/stored-change.ts'
import { wireTime } from '../../lib/clock.ts'
import { assert } from '../../lib/assert.ts'
import { dialogViews, messageViews } from './get-dialogs.ts'
import {
  type DialogRow,
  type DialogView,
  findDialog,
  messageById,
  messageOfReader,
  type MessageOfReader,
  unreadCount,
  readDialogView,
} from './queries.ts'

/*
 * The change log holds ids. The payload is rendered for its reader when the change is pushed or read. If a
 * message was removed before, it is rendered as removed.
 */

declare module '../../core/stored-change.ts' {
  interface StoredChanges {
    messenger_message: StoredMessage
    dialog_update: { readonly dialog_id: number }
    messenger_message_removed: Omit<Payload<'messenger_message_removed'>, 'count_new_messages'>
    messenger_read_message: Pick<Payload<'messenger_read_message'>, 'dialog_id' | 'message_ids'>
  }
}

interface StoredMessage {
  readonly dialog_id: number
  readonly message_id: number
  readonly sender_id: UserId
  readonly create_time: string
  readonly with_dialog: boolean
}

/** Tells a reader of a new message. `with_dialog`: the dialog is new to the reader, or the reader may write in it now. */
export function notifyMessage(
  tx: Tx,
  user_id: UserId,
  of: Pick<StoredMessage, 'dialog_id' | 'message_id' | 'sender_id'> & { with_dialog?: boolean },
  shown?: Payload<'messenger_message'>,
): Promise<void> {
  const stored: StoredMessage = { with_dialog: false, ...of, create_time: wireTime(tx.now) }
  return tx.notify(user_id, 'messenger_message', stored, shown)
}

/**
 * A dialog changed otherwise: it is rendered as it is when the change is read. A dialog that is not in the
 * reader's view stays unnamed. The dialog is locked.
 */
export async function notifyDialog(tx: Tx, view: DialogView): Promise<void> {
  if (!(await findDialog(tx, view))) return
  await tx.notify(view.user_id, 'dialog_update', { dialog_id: view.dialog_id })
}

export async function renderMessages(
  db: Db,
  viewerId: UserId,
  stored: readonly StoredMessage[],
  context: AppContext,
): Promise<Payload<'messenger_message'>[]> {
  const withDialog = stored.filter(({ with_dialog }) => with_dialog)
  const [rows, dialogs] = await readTogether(db, [
    () =>
      readTogether<(MessageOfReader | undefined)[]>(
        db,
        stored.map(
          ({ message_id }) =>
            () =>
              messageOfReader(db, { message_id, reader_id: viewerId }),
        ),
      ),
    () => readDialogs(db, viewerId, withDialog),
  ])
  const present = rows.filter((row) => row !== undefined)
  const unread = present.length < rows.length ? await unreadCount(db, viewerId) : 0
  const cleanedTo = ({ cleaned_to }: MessageOfReader) => cleaned_to
  const seen = await messageViews(context, db, present, { viewerId, cleanedTo })
  const messages = new Map(seen.map((message) => [message.message_id, message]))
  const shown = new Map(
    (await dialogViews(context, db, viewerId, dialogs)).map((dialog) => [dialog.dialog_id, dialog]),
  )
  return stored.map((one, at) => {
    const dialog = one.with_dialog ? shown.get(one.dialog_id) : undefined
    return {
      message: messages.get(one.message_id) ?? removedMessage(one),
      ...(dialog && { dialog }),
      count_new_messages: rows[at]?.unread_count ?? unread,
    }
  })
}

/** The rows of the reader in these dialogs, each once. */
async function readDialogs(
  db: Db,
  user_id: UserId,
  stored: readonly { readonly dialog_id: number }[],
): Promise<readonly DialogRow[]> {
  const ids = [...new Set(stored.map(({ dialog_id }) => dialog_id))]
  const rows = await readTogether<(DialogRow | undefined)[]>(
    db,
    ids.map((dialog_id) => () => readDialogView(db, { dialog_id, user_id })),
  )
  return rows.filter((row) => row !== undefined)
}

function removedMessage({ message_id, dialog_id, sender_id, create_time }: StoredMessage): Message {
  return {
    message_id,
    dialog_id,
    sender_id,
    create_time,
    type: 'text',
    message: '',
    read_status: 1,
    removed: true,
  }
}

export async function renderDialogs(
  db: Db,
  viewerId: UserId,
  stored: readonly StoredChange<'dialog_update'>[],
  context: AppContext,
): Promise<Payload<'dialog_update'>[]> {
  const rows = await readDialogs(db, viewerId, stored)
  const dialogs = await dialogViews(context, db, viewerId, rows)
  const byId = new Map(
    rows.map(({ dialog_id, hidden }, at) => [
      dialog_id,
      { dialog: dialogs[at]!, ...(hidden && { deleted: true }) },
    ]),
  )
  return stored.map(({ dialog_id }) => {
    const shown = byId.get(dialog_id)
    assert(shown, 'the row of a dialog stays')
    return shown
  })
}

export function renderReads(
  db: Db,
  viewerId: UserId,
  stored: readonly StoredChange<'messenger_read_message'>[],
): Promise<Payload<'messenger_read_message'>[]> {
  return readTogether<Payload<'messenger_read_message'>[]>(
    db,
    stored.map((one) => () => renderRead(db, viewerId, one)),
  )
}

/**
 * When the change was written, its messages had the same time. The change is rendered with their present
 * time. If their reader has become premium since, the messages have no time. If their present times differ,
 * the change has no time either, because a later change names each message.
 */
async function renderRead(
  db: Db,
  viewerId: UserId,
  { dialog_id, message_ids }: StoredChange<'messenger_read_message'>,
): Promise<Payload<'messenger_read_message'>> {
  const found = await readTogether(
    db,
    message_ids.map((id) => () => messageById(db, id)),
  )
  const rows = found.filter((row) => row !== undefined)
  const left = rows.filter(({ removed_at }) => removed_at === null)
  const times = new Set(left.map(({ vanish_at }) => vanish_at && wireTime(vanish_at)))
  const [vanish_at] = times.size === 1 ? times : []
  const isReader = rows[0]?.receiver_id === viewerId
  return {
    dialog_id,
    message_ids,
    ...(vanish_at && { vanish_at }),
    ...(isReader && { count_new_messages: await unreadCount(db, viewerId) }),
  }
}

export async function renderRemoved(
  db: Db,
  viewerId: UserId,
  stored: readonly StoredChange<'messenger_message_removed'>[],
): Promise<Payload<'messenger_message_removed'>[]> {
  const count_new_messages = await unreadCount(db, viewerId)
  return stored.map((one) => ({ ...one, count_new_messages }))
}
