import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { ComplaintCase } from '@duet/protocol'
import { isSerious } from './complaint-rules.ts'
import type { ComplaintRow } from './complaint-store.ts'

/** Reads of the message and the picture that a complaint names. */

/** Whether the accused sent this message to the complainer. */
export async function wasWrittenTo(
  db: Db,
  message_id: number,
  { complainer_id, accused_id }: { complainer_id: UserId; accused_id: UserId },
): Promise<boolean> {
  const row = await db
    .selectFrom('messages')
    .select('id')
    .where('id', '=', message_id)
    .where('sender_id', '=', accused_id)
    .where('receiver_id', '=', complainer_id)
    .executeTakeFirst()
  return row !== undefined
}

export async function pictureOfMessage(db: Db, message_id: number): Promise<string | null> {
  const row = await db
    .selectFrom('messages')
    .select('media_id')
    .where('id', '=', message_id)
    .executeTakeFirst()
  return row?.media_id ?? null
}

/** The text that a complaint names, as the accused wrote it; none where it names no text. */
export async function namedText(
  db: Db,
  { message_id, accused_id }: ComplaintRow,
): Promise<{ place: 'messenger'; text: string; at: Temporal.Instant }[]> {
  const { rows } = await sql<{ place: 'messenger'; text: string; at: Temporal.Instant }>`
    select 'messenger' as place, coalesce(original.text, message.text) as text, create_time as at
    from messages message left join message_originals original on original.message_id = message.id
    where message.id = ${message_id} and message.sender_id = ${accused_id} and message.type = 'text'`.execute(
    db,
  )
  return rows
}

export async function ownsMedia(db: Db, media_id: string, owner_id: UserId): Promise<boolean> {
  const row = await db
    .selectFrom('media')
    .select('id')
    .where('id', '=', media_id)
    .where('owner_id', '=', owner_id)
    .executeTakeFirst()
  return row !== undefined
}

/** The picture or message that a complaint names, and whether a decision can remove it. */
export async function shownNamed(db: Db, complaint: ComplaintRow): Promise<ComplaintCase['named']> {
  const { media_id, message_id } = complaint
  if (media_id === null && message_id === null) return null
  const { rows } = await sql<{ picture: string | null; message: string | null }>`
    select (select status from media where id = ${media_id}) as picture,
      (select case when removed_at is null then 'ready' else 'removed' end from messages
        where id = ${message_id} and type in ('text', 'image')) as message`.execute(db)
  const { picture, message } = rows[0]!
  const status = media_id === null ? message : picture
  const can_remove = status !== null && status !== 'removed' && !isSerious(complaint)
  return { media_id, message_id, status, can_remove }
}
