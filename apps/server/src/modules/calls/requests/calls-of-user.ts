import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

interface CallOfUser {
  readonly session_id: number
  readonly partner_id: UserId
  readonly kind: string
  readonly state: string
  readonly opened_at: Temporal.Instant
  readonly closed_at: Temporal.Instant | null
  readonly reason: string | null
  readonly paid_seconds: number
}

/** The calls of a user, the newest first, for staff. */
export async function callsOfUser(
  db: Db,
  user_id: UserId,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<CallOfUser[]> {
  const side = (own: string, partner: string) => sql`
    (select session_id, ${sql.ref(partner)} as partner_id, kind, state, opened_at, closed_at, reason, paid_seconds
    from video_sessions where ${sql.ref(own)} = ${user_id} order by session_id desc limit ${offset + limit})`
  const { rows } = await sql<CallOfUser>`
    ${side('guy_id', 'girl_id')} union all ${side('girl_id', 'guy_id')}
    order by session_id desc offset ${offset} limit ${limit}`.execute(db)
  return rows
}

/** A call in its course, for staff. */
export function callForStaff(db: Db, session_id: number) {
  return db
    .selectFrom('video_sessions')
    .select(['session_id', 'guy_id', 'girl_id', 'state', 'opened_at', 'connected_at', 'private_at'])
    .select(['closed_at', 'reason', 'paid_seconds'])
    .where('session_id', '=', session_id)
    .executeTakeFirst()
}
