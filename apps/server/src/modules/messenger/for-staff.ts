import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** Reads of the back office. They pass the view of the members: staff see what was written, also where one of the two cleared it. */

/** More messages are counted as this many. */
const COUNTED_MAX = 1000

interface DialogOfUser {
  readonly partner_id: UserId
  readonly messages: number
  readonly last_at: Temporal.Instant
}

/** The dialogs of a user that have messages, the latest first. */
export async function dialogsOfUser(
  db: Db,
  user_id: UserId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DialogOfUser[]> {
  const { rows } = await sql<DialogOfUser>`
    select case when dialog.guy_id = ${user_id} then dialog.girl_id else dialog.guy_id end as partner_id,
      (select count(*)::integer from (select from messages where dialog_id = dialog.id limit ${COUNTED_MAX}) counted)
        as messages,
      last.create_time as last_at
    from (select id, guy_id, girl_id, last_message_id from dialogs
      where (guy_id = ${user_id} or girl_id = ${user_id}) and last_message_id is not null
      order by last_message_id desc offset ${offset} limit ${limit}) as dialog
    join messages as last on last.id = dialog.last_message_id
    order by dialog.last_message_id desc`.execute(db)
  return rows
}

interface LineForStaff {
  readonly id: number
  readonly sender_id: UserId
  readonly type: string
  readonly text: string
  readonly create_time: Temporal.Instant
  readonly is_masked: boolean
  readonly is_removed: boolean
}

/** The messages of two users as they were written, the newest first. Undefined: they have no dialog. */
export async function linesBetween(
  db: Db,
  pair: readonly [UserId, UserId],
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<LineForStaff[] | undefined> {
  const dialog = await db
    .selectFrom('dialogs')
    .select('id')
    .where('guy_id', 'in', [...pair])
    .where('girl_id', 'in', [...pair])
    .executeTakeFirst()
  if (!dialog) return undefined
  const { rows } = await sql<LineForStaff>`
    select message.id, message.sender_id, message.type, coalesce(original.text, message.text) as text,
      message.create_time, original.text is not null and original.at is distinct from message.removed_at as is_masked,
      message.removed_at is not null as is_removed
    from messages message left join message_originals original on original.message_id = message.id
    where message.dialog_id = ${dialog.id} and (${before ?? null}::bigint is null or message.id < ${before ?? null})
    order by message.id desc limit ${limit}`.execute(db)
  return rows
}
