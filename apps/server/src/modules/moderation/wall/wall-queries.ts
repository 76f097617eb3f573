import { sql } from 'kysely'
import type { WatchedCall } from '@duet/protocol'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { REPORTERS } from '../complaints/reporters.ts'
import type { RatedCall } from './wall-rules.ts'

const EARLIER_DAYS = 30
const NEW_DAYS = 7
/** Below the score at which a picture waits for staff, a frame is no reason. */
const NUDITY_SHOWN = 0.4

/**
 * Every running call, or one of them, with what makes it a risk. 10,000 calls take 0.3 s of the database on two busy cores,
 * so all who watch share one read.
 */
export async function readRated(
  db: Db,
  now: Temporal.Instant,
  session_id: number | null = null,
): Promise<RatedCall[]> {
  const earlier = now.subtract({ hours: 24 * EARLIER_DAYS })
  const isNew = now.subtract({ hours: 24 * NEW_DAYS })
  const { rows } = await sql<RatedCall>`
    with reporters_of as materialized (select accused_id, weight from ${REPORTERS}),
      of_user as materialized (
        select accused_id, count(*) as complaints from complaints where decided_at is null group by accused_id),
      of_call as materialized (
        select session_id, count(*) as complaints from complaints where decided_at is null group by session_id)
    select call.session_id, call.guy_id, call.girl_id, call.state = 'private' as is_private,
      (extract(epoch from call.opened_at) * 1000)::float8 as opened_ms,
      coalesce((call.guy->>'weak')::boolean, false) or coalesce((call.girl->>'weak')::boolean, false) as weak,
      case when of_call.complaints > 0 then greatest(0.01, about_guy.weight, about_girl.weight) else 0 end as complaint,
      case when coalesce(of_guy.complaints, 0) + coalesce(of_girl.complaints, 0) > coalesce(of_call.complaints, 0)
        then greatest(0.01, about_guy.weight, about_girl.weight) else 0 end as accused,
      case when frame.nudity >= ${NUDITY_SHOWN} then frame.nudity else 0 end as nudity,
      exists (select from frame_findings where session_id = call.session_id) as checked,
      exists (select from absences where user_id = call.girl_id and kind = 'no_face' and at >= call.opened_at) as no_face,
      exists (select from missing_frames where girl_id = call.girl_id and at >= ${earlier}) as frames_missing,
      call.why is not distinct from 'camera_off' as camera_off,
      exists (select from statements where user_id in (call.guy_id, call.girl_id) and at >= ${earlier}
        and taken_back_at is null) as earlier,
      coalesce(girl.registered_at >= ${isNew}, false) as new_account
    from video_sessions call
    join users girl on girl.id = call.girl_id
    left join of_call on of_call.session_id = call.session_id
    left join of_user of_guy on of_guy.accused_id = call.guy_id
    left join of_user of_girl on of_girl.accused_id = call.girl_id
    left join reporters_of about_guy on about_guy.accused_id = call.guy_id
    left join reporters_of about_girl on about_girl.accused_id = call.girl_id
    left join lateral (
      select nudity from call_frames
      where session_id = call.session_id and call.state = 'public' order by asked_at desc limit 1) frame on true
    where call.status <> 'closed' and (${session_id}::bigint is null or call.session_id = ${session_id})`.execute(
    db,
  )
  return rows
}

export interface ShownRow {
  readonly session_id: number
  readonly opened_at: Temporal.Instant
  readonly connected_at: Temporal.Instant | null
  readonly guy_weak: boolean
  readonly girl_weak: boolean
  readonly frame_at: Temporal.Instant | null
}

/** The parts of these calls that are shown and change while they run. A call that has ended is left out. */
export async function readShown(
  db: Db,
  sessionIds: readonly number[],
): Promise<ReadonlyMap<number, ShownRow>> {
  const { rows } = await sql<ShownRow>`
    select call.session_id, call.opened_at, call.connected_at,
      coalesce((call.guy->>'weak')::boolean, false) as guy_weak,
      coalesce((call.girl->>'weak')::boolean, false) as girl_weak,
      (select max(asked_at) from call_frames
        where session_id = call.session_id and call.state = 'public') as frame_at
    from video_sessions call
    where call.session_id = any (${sessionIds}::bigint[]) and call.status <> 'closed'`.execute(db)
  return new Map(rows.map((row) => [row.session_id, row]))
}

/** The ids that a text of the search names: itself as a number, and those of these users whose nickname begins with it. */
export async function readFound(
  db: Db,
  text: string,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const number = parseId(text)
  const { rows } = await sql<{ id: UserId }>`
    select id from users where id = any (${userIds}::bigint[]) and lower(nick) like ${`${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`.execute(
    db,
  )
  return new Set([...rows.map(({ id }) => id), ...(number === undefined ? [] : [number])])
}

const EVENTS_MAX = 40

export interface CallHappening {
  readonly at: Temporal.Instant
  readonly name: WatchedCall['events'][number]['name']
  readonly detail: string | null
}

/** The events of an open call, the latest first. */
export async function readHappenings(
  db: Db,
  { session_id, guy_id, girl_id, opened_at }: OpenCall,
): Promise<CallHappening[]> {
  const { rows } = await sql<CallHappening>`
    select at, name, detail from (
      select connected_at as at, 'connected' as name, null as detail from video_sessions where session_id = ${session_id}
      union all select private_at, 'private', null
        from video_sessions where session_id = ${session_id}
      union all select to_timestamp((pause->>'from_ms')::float8 / 1000), 'paused', pause->>'why'
        from video_sessions, jsonb_array_elements(paused) pause where session_id = ${session_id}
      union all select at, 'no_face', null from absences
        where user_id = ${girl_id} and kind = 'no_face' and at >= ${opened_at}
      union all select at, 'complaint', null from complaints where session_id = ${session_id}
      union all select statement.at, statement.kind, person.nick from statements statement
        join users person on person.id = statement.user_id
        where statement.user_id in (${guy_id}, ${girl_id}) and statement.session_id = ${session_id}
          and statement.kind in ('warning', 'penalty', 'ban')) happened
    where at is not null order by at desc limit ${EVENTS_MAX}`.execute(db)
  return rows
}

export interface OpenCall {
  readonly session_id: number
  readonly guy_id: UserId
  readonly girl_id: UserId
  readonly state: string
  readonly opened_at: Temporal.Instant
  readonly paid_seconds: number
}

const OPEN_CALL = ['session_id', 'guy_id', 'girl_id', 'state', 'opened_at', 'paid_seconds'] as const

/** A call that is not closed. */
export async function openCallById(db: Db, session_id: number): Promise<OpenCall | undefined> {
  return db
    .selectFrom('video_sessions')
    .select(OPEN_CALL)
    .where('session_id', '=', session_id)
    .where('status', '<>', 'closed')
    .executeTakeFirst()
}

/** A call, also one that has ended. */
export async function anyCallById(db: Db, session_id: number) {
  return db
    .selectFrom('video_sessions')
    .select([...OPEN_CALL, 'closed_at'])
    .where('session_id', '=', session_id)
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
