import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { batchedRead } from '../../../platform/database/statements/batched-read.ts'
import type { MessageRow } from '../queries.ts'

/** A message with what its reader is told beside it. */
interface MessageOfReader extends MessageRow {
  readonly cleaned_to: number
  /** In all dialogs of the reader. */
  readonly unread_count: number
}

const messagesByReader = batchedRead<string, MessageOfReader>(async (db, keys) => {
  const pairs = keys.map((key) => key.split(':').map(Number))
  const { rows } = await sql<MessageOfReader & { reader_id: UserId }>`
    select m.*, asked.reader_id, view.cleaned_to, coalesce(counted.count, 0) as unread_count
    from unnest(${pairs.map(([message]) => message)}::bigint[], ${pairs.map(([, reader]) => reader)}::bigint[])
      as asked (message_id, reader_id)
    join messages m on m.id = asked.message_id
    join dialog_members view on view.dialog_id = m.dialog_id and view.user_id = asked.reader_id
    left join unread_counts counted on counted.user_id = asked.reader_id`.execute(db)
  return new Map(rows.map((row) => [`${row.id}:${row.reader_id}`, row]))
})

/** A message for one of the two of its dialog, in one statement for all that are rendered together. */
export function messageOfReader(
  db: Db,
  { message_id, reader_id }: { readonly message_id: number; readonly reader_id: UserId },
): Promise<MessageOfReader | undefined> {
  return messagesByReader(db, `${message_id}:${reader_id}`)
}
