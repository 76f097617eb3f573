import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { EntryType } from './message-types.ts'
import { insertDialog, lockPairDialog, type Pair } from '../store.ts'

/** A line of a dialog that is no text: a like or a call. */
export interface NewEntry extends Pair {
  readonly sender_id: UserId
  readonly type: EntryType
  readonly facts?: object
  /** Whether the other user has to read the entry. */
  readonly is_unread: boolean
}

/** Stores an entry in the dialog of the two and shows the dialog to both. A missing dialog is opened. */
export async function insertEntry(
  tx: Tx,
  { guy_id, girl_id, sender_id, type, facts, is_unread }: NewEntry,
): Promise<{ dialog_id: number; message_id: number }> {
  const dialog_id =
    (await lockPairDialog(tx, { guy_id, girl_id })) ??
    (await insertDialog(tx, { guy_id, girl_id }, sender_id))
  const receiverId = guy_id + girl_id - sender_id
  const opensRight = type === 'like' && sender_id === girl_id
  const entry = facts === undefined ? null : JSON.stringify(facts)
  const { rows } = await sql<{ id: number }>`
    with stored as (
      insert into messages (id, dialog_id, sender_id, receiver_id, type, text, create_time, read_at, entry)
      values (nextval('message_ids'), ${dialog_id}, ${sender_id}, ${receiverId}, ${type}, '', ${tx.now},
        ${is_unread ? null : tx.now}, ${entry}::jsonb)
      returning id
    ), dialog as (
      update dialogs set last_message_id = stored.id, girl_liked = girl_liked or ${opensRight}::boolean
      from stored where dialogs.id = ${dialog_id}
    )
    select id from stored`.execute(tx)
  const message_id = rows[0]!.id
  const readerId = is_unread ? receiverId : null
  await sql`
    select messenger_count(${[message_id]}::bigint[], ${[dialog_id]}::bigint[], ${[readerId]}::bigint[])`.execute(
    tx,
  )
  return { dialog_id, message_id }
}
