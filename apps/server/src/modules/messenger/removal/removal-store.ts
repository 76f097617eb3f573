import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { MessageRow } from '../queries.ts'
import { lockUnreadCounts } from '../store.ts'

/**
 * Takes a message out of both views, and returns its text; undefined if it was removed before. The text is kept as an
 * original, for staff. The dialog is locked.
 */
export async function takeText(tx: Tx, id: number): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`
    with taken as (
      select id, dialog_id, sender_id, text from messages where id = ${id} and removed_at is null for update
    ), kept as (
      insert into message_originals (message_id, dialog_id, sender_id, text, at)
      select id, dialog_id, sender_id, text, ${tx.now} from taken where text <> ''
      on conflict (message_id) do nothing
    ), forgotten as (
      update dialogs set girl_digests = '{}' from taken
      where dialogs.id = taken.dialog_id and dialogs.girl_id = taken.sender_id
    ), removed as (
      update messages set text = '', asked = left(asked, 0), removed_at = ${tx.now} from taken
      where messages.id = taken.id
    )
    select text from taken`.execute(tx)
  return rows[0]?.text
}

/** The message is as before, unless its time has passed since. False: it is not. The dialog is locked. */
export async function putTextBack(tx: Tx, id: number, text: string): Promise<boolean> {
  const { rows } = await sql<Pick<MessageRow, 'id'>>`
    with removed as (
      select id, removed_at from messages
      where id = ${id} and removed_at is not null and (vanish_at is null or vanish_at > ${tx.now}) for update
    ), forgotten as (
      delete from message_originals using removed where message_id = removed.id and at = removed.removed_at
    )
    update messages set text = ${text}, removed_at = null from removed where messages.id = removed.id
    returning messages.id`.execute(tx)
  return rows.length === 1
}

/** Counts a message that is back and unread for its receiver. The dialog is locked. */
export async function countAgain(tx: Tx, dialogId: number, id: number): Promise<void> {
  await lockUnreadCounts(tx, dialogId)
  await sql`
    with view as (
      update dialog_members v set unread = v.unread + 1 from messages m
      where m.id = ${id} and m.read_at is null and v.dialog_id = m.dialog_id and v.user_id = m.receiver_id
        and m.id > v.cleaned_to and not v.erased
      returning v.user_id
    )
    update unread_counts u set count = u.count + 1 from view where u.user_id = view.user_id`.execute(
    tx,
  )
}
