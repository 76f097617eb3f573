import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'

/** How many texts of a user had contacts masked. */
export interface MaskedCount {
  readonly user_id: UserId
  readonly count: number
  readonly last_at: Temporal.Instant
}

/** A text as it was written and as it is shown, in a call or a dialog. */
export interface MaskedText {
  readonly kind: 'call' | 'message'
  readonly place_id: number
  readonly partner_id: UserId
  readonly original: string
  readonly masked: string
  readonly at: Temporal.Instant
}

/** Up to when the masked texts of users are done: the n-th user's up to the n-th time. */
export interface DoneTexts {
  readonly user_ids: readonly UserId[]
  readonly untils: readonly Temporal.Instant[]
}

export interface MaskedRequest {
  /** Only texts after this, the oldest first; null: all, the newest first. */
  readonly after: Temporal.Instant | null
  readonly limit: number
}

/** The condition and the order of a request; `at` is the column with the time of the text. */
export function maskedPage({ after, limit }: MaskedRequest, at: string) {
  const time = sql.ref(at)
  return after === null
    ? sql`order by ${time} desc limit ${limit}`
    : sql`and ${time} > ${after} order by ${time} limit ${limit}`
}

/** The condition that a text is not done. */
export function isNotDone({ user_ids, untils }: DoneTexts, user: string, at: string) {
  return sql`not exists (
    select from unnest(${[...user_ids]}::bigint[], ${untils.map(String)}::timestamptz[]) as done (user_id, until)
    where done.user_id = ${sql.ref(user)} and done.until >= ${sql.ref(at)})`
}

/** Users by the number of their texts in calls that are not done since a moment in which contacts were masked, the most first. */
export async function maskedCallTextCounts(
  db: Db,
  since: Temporal.Instant,
  done: DoneTexts,
  limit: number,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select sender_id as user_id, count(*)::integer as count, max(create_time) as last_at
    from session_texts where original is not null and create_time >= ${since}
      and ${isNotDone(done, 'sender_id', 'create_time')}
    group by sender_id order by count desc, user_id limit ${limit}`.execute(db)
  return rows
}

/** Masked texts of a user in calls. */
export async function readMaskedCallTexts(
  db: Db,
  user_id: UserId,
  request: MaskedRequest,
): Promise<MaskedText[]> {
  const { rows } = await sql<MaskedText>`
    select 'call' as kind, call.session_id as place_id,
      case when call.guy_id = ${user_id} then call.girl_id else call.guy_id end as partner_id,
      written.original, written.text as masked, written.create_time as at
    from session_texts written join video_sessions call on call.session_id = written.session_id
    where written.sender_id = ${user_id} and written.original is not null
      ${maskedPage(request, 'written.create_time')}`.execute(db)
  return rows
}
