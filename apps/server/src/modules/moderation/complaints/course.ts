import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { ComplaintRow } from './complaint-store.ts'

export interface Course {
  readonly call: CourseCall | null
  readonly texts: readonly CourseText[]
  readonly messages: readonly CourseText[]
  readonly media: readonly CourseMedia[]
}
interface CourseMedia {
  readonly user_id: UserId
  readonly audio: boolean
  readonly video: boolean
  readonly at: Temporal.Instant
}
interface CourseCall {
  readonly session_id: number
  readonly guy_id: UserId
  readonly girl_id: UserId
  readonly state: string
  readonly paid_seconds: number
  readonly kind: string
  readonly opened_at: Temporal.Instant
  readonly connected_at: Temporal.Instant | null
  readonly private_at: Temporal.Instant | null
  readonly closed_at: Temporal.Instant | null
  readonly reason: string | null
}
export interface CourseText {
  /** Of a message. */
  readonly id?: number
  readonly type: string
  readonly sender_id: UserId
  /** The name of a gift. */
  readonly gift?: string | null
  readonly text: string
  /** The recipient saw less than was written. */
  readonly is_masked: boolean
  readonly create_time: Temporal.Instant
}

/**
 * The texts and the course of a call, and the last messages of the two, as a record of the evidence. Of a case that staff
 * opened: the last messages of the dialogs in which the accused wrote last.
 */
export async function readCourse(
  db: Db,
  { session_id, message_id, complainer_id, accused_id }: ComplaintRow,
  messagesMax: number,
): Promise<Course> {
  const users = sql`array[${complainer_id}, ${accused_id}]::bigint[]`
  const dialogs =
    complainer_id === null
      ? sql`select dialog_id from (select dialog_id from messages where sender_id = ${accused_id}
          order by id desc limit ${messagesMax}) latest`
      : sql`select id from dialogs where guy_id = any(${users}) and girl_id = any(${users})`
  const { rows: calls } = await sql<CourseCall>`
    select session_id, guy_id, girl_id, kind, state, opened_at, connected_at, private_at,
      closed_at, reason, paid_seconds
    from video_sessions where session_id = ${session_id}`.execute(db)
  const { rows: texts } = await sql<CourseText>`
    select text_id, 'text' as type, sender_id, coalesce(original, text) as text, original is not null as is_masked,
      create_time
    from session_texts where session_id = ${session_id} order by text_id`.execute(db)
  const latest = await readMessages(
    db,
    sql`(
      (select * from messages where dialog_id in (${dialogs}) and removed_at is null order by id desc limit ${messagesMax})
      union all
      (select * from messages where dialog_id in (${dialogs}) and removed_at is not null order by id desc limit ${messagesMax})
    )`,
    messagesMax,
  )
  // The reported message may be older than the latest ones.
  const isIn = message_id === null || latest.some(({ id }) => id === message_id)
  const named = isIn
    ? []
    : await readMessages(db, sql`(select * from messages where id = ${message_id})`, 1)
  const messages = [...latest, ...named]
  const { rows: media } = await sql<CourseMedia>`
    select user_id, audio, video, at from call_media where session_id = ${session_id} order by id`.execute(
    db,
  )
  return { call: calls[0] ?? null, texts, messages: messages.toReversed(), media }
}

/** Messages as they were written, the newest first. */
async function readMessages(
  db: Db,
  messages: RawBuilder<unknown>,
  limit: number,
): Promise<CourseText[]> {
  const { rows } = await sql<CourseText>`
    select message.id, message.sender_id, message.type, coalesce(original.text, message.text) as text,
      original.text is not null and original.at is distinct from message.removed_at as is_masked, message.media_id, message.entry, message.entry -> 'gift' ->> 'name' as gift, message.create_time
    from ${messages} message left join message_originals original on original.message_id = message.id
    order by message.id desc limit ${limit}`.execute(db)
  return rows
}
