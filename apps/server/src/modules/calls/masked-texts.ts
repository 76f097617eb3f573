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

/** Users by the number of their texts in calls since a moment in which contacts were masked, the most first. */
export async function maskedCallTextCounts(
  db: Db,
  since: Temporal.Instant,
  limit: number,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select sender_id as user_id, count(*)::integer as count, max(create_time) as last_at
    from session_texts where original is not null and create_time >= ${since}
    group by sender_id order by count desc, user_id limit ${limit}`.execute(db)
  return rows
}

/** The latest masked texts of a user in calls, the newest first. */
export async function maskedCallTextsOf(
  db: Db,
  user_id: UserId,
  limit: number,
): Promise<MaskedText[]> {
  const { rows } = await sql<MaskedText>`
    select 'call' as kind, call.session_id as place_id,
      case when call.guy_id = ${user_id} then call.girl_id else call.guy_id end as partner_id,
      written.original, written.text as masked, written.create_time as at
    from session_texts written join video_sessions call on call.session_id = written.session_id
    where written.sender_id = ${user_id} and written.original is not null
    order by written.create_time desc limit ${limit}`.execute(db)
  return rows
}
