import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** Calls that the wall shows. */
export const SHOWN_MAX = 60
const EARLIER_DAYS = 30
const NEW_DAYS = 7
/** Below the score at which a picture waits for staff, a frame is no reason. */
const NUDITY_SHOWN = 0.4

export interface WallRow {
  readonly session_id: number
  readonly guy_id: UserId
  readonly girl_id: UserId
  readonly state: 'public' | 'private'
  readonly opened_at: Temporal.Instant
  readonly connected_at: Temporal.Instant | null
  readonly frame_id: string | null
  readonly frame_at: Temporal.Instant | null
  readonly complaint: boolean
  readonly checked: boolean
  readonly nudity: boolean
  readonly frames_missing: boolean
  readonly earlier: boolean
  readonly new_account: boolean
}

/** The running calls with the most reasons to look at them, or one of them. Each costs a few reads by index. */
export async function readWall(
  db: Db,
  now: Temporal.Instant,
  session_id: number | null = null,
): Promise<WallRow[]> {
  const earlier = now.subtract({ hours: 24 * EARLIER_DAYS })
  const isNew = now.subtract({ hours: 24 * NEW_DAYS })
  const { rows } = await sql<WallRow>`
    select * from (
      select call.session_id, call.guy_id, call.girl_id, call.state, call.opened_at, call.connected_at,
        frame.frame_id, frame.asked_at as frame_at,
        exists (select from complaints where session_id = call.session_id and decided_at is null) as complaint,
        exists (select from frame_findings where session_id = call.session_id) as checked,
        coalesce(frame.nudity >= ${NUDITY_SHOWN}, false) as nudity,
        exists (select from missing_frames where session_id = call.session_id) as frames_missing,
        exists (select from statements where user_id in (call.guy_id, call.girl_id) and at >= ${earlier}) as earlier,
        coalesce(girl.registered_at >= ${isNew}, false) as new_account
      from video_sessions call
      join users girl on girl.id = call.girl_id
      left join lateral (
        select frame_id, asked_at, nudity from call_frames
        where session_id = call.session_id and call.state = 'public' order by asked_at desc limit 1) frame on true
      where call.status <> 'closed' and (${session_id}::bigint is null or call.session_id = ${session_id})) shown
    order by complaint desc, checked desc, nudity desc, frames_missing desc, earlier desc, new_account desc,
      opened_at, session_id
    limit ${SHOWN_MAX}`.execute(db)
  return rows
}

export async function countCalls(
  db: Db,
): Promise<{ readonly public_calls: number; readonly private_calls: number }> {
  return db
    .selectFrom('video_sessions')
    .select([
      sql<number>`(count(*) filter (where state = 'public'))::integer`.as('public_calls'),
      sql<number>`(count(*) filter (where state = 'private'))::integer`.as('private_calls'),
    ])
    .where('status', '<>', 'closed')
    .executeTakeFirstOrThrow()
}

export interface OpenCall {
  readonly session_id: number
  readonly guy_id: UserId
  readonly girl_id: UserId
  readonly state: string
  readonly opened_at: Temporal.Instant
  readonly paid_seconds: number
}

/** A call that is not closed. */
export async function openCallById(db: Db, session_id: number): Promise<OpenCall | undefined> {
  return db
    .selectFrom('video_sessions')
    .select(['session_id', 'guy_id', 'girl_id', 'state', 'opened_at', 'paid_seconds'])
    .where('session_id', '=', session_id)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
}

/** The statement about one of the two by which staff or a check have ended this call. */
export async function findCallEnd(
  db: Db,
  { guy_id, girl_id, opened_at }: OpenCall,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('statements')
    .select('statement_id')
    .where('user_id', 'in', [guy_id, girl_id])
    .where('kind', '=', 'call_end')
    .where('at', '>=', opened_at)
    .orderBy('statement_id')
    .limit(1)
    .executeTakeFirst()
  return row?.statement_id
}
