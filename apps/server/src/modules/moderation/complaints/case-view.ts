import { sql } from 'kysely'
import type { ComplaintCase } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { productDay, wireTime } from '../../../lib/clock.ts'
import { ageOn } from '../../identity/index.ts'
import { flaggedFrames, type FrameRow, framesOfCall } from '../frames/frame-store.ts'
import type { ComplaintRow } from './complaint-store.ts'
import type { Course } from './course.ts'

/** The parts of a case that come from other records than the complaint. */

const FRAMES_MAX = 20
const CARD_DAYS = 90
/** More are shown as this many. */
const COUNTED_MAX = 10_000

/** The call of the case, with the figures that other modules have of it. */
export async function shownCall(
  { db, hooks }: App,
  { accused_id }: ComplaintRow,
  call: Course['call'],
): Promise<ComplaintCase['call']> {
  if (call === null) return null
  const { gifts = 0, guy_score = null, girl_score = null } = await hooks.callFigures(db, call)
  const isGuyAccused = call.guy_id === accused_id
  return {
    session_id: call.session_id,
    kind: call.kind,
    opened_at: wireTime(call.opened_at),
    connected_at: call.connected_at && wireTime(call.connected_at),
    closed_at: call.closed_at && wireTime(call.closed_at),
    reason: call.reason,
    is_private: call.state === 'private',
    paid_seconds: call.paid_seconds,
    gifts,
    accused_score: isGuyAccused ? guy_score : girl_score,
    complainer_score: isGuyAccused ? girl_score : guy_score,
  }
}

/** The latest sampled frames of the call, the oldest first. */
export async function shownFrames(
  db: Db,
  { session_id }: ComplaintRow,
): Promise<ComplaintCase['frames']> {
  if (session_id === null) return []
  const [frames, flagged] = await Promise.all([
    framesOfCall(db, session_id, FRAMES_MAX),
    flaggedFrames(db, session_id),
  ])
  return frames.toReversed().map(({ frame_id, asked_at, nudity }) => ({
    id: frame_id,
    at: wireTime(asked_at),
    nudity,
    is_flagged: flagged.has(frame_id),
  }))
}

/** A frame among those that the case shows. */
export async function frameOfCase(
  db: Db,
  { session_id }: ComplaintRow,
  frame_id: string,
): Promise<FrameRow | undefined> {
  if (session_id === null) return undefined
  const frames = await framesOfCall(db, session_id, FRAMES_MAX)
  return frames.find((frame) => frame.frame_id === frame_id)
}

/** The accused beside the case, with figures of the last 90 days. */
export async function accusedCard(
  { db, hooks, clock }: App,
  user_id: UserId,
): Promise<ComplaintCase['accused_card']> {
  const now = clock.now()
  const since = now.subtract({ hours: 24 * CARD_DAYS })
  const [fields, { rows }] = await Promise.all([
    // As the accused: others may see a blurred one.
    hooks.publicFields(db, user_id, [user_id]),
    sql<CardRow>`
      select birthday, coalesce(registered_at, created_at) as create_time,
        (select (count(*) filter (where opened_at >= ${since}))::integer from (
          (select opened_at from video_sessions where guy_id = ${user_id}
            order by session_id desc limit ${COUNTED_MAX})
          union all
          (select opened_at from video_sessions where girl_id = ${user_id}
            order by session_id desc limit ${COUNTED_MAX})) calls) as sessions,
        (select count(*)::integer from complaints
          where accused_id = ${user_id} and at >= ${since}) as complaints,
        (select count(*)::integer from penalties
          where girl_id = ${user_id} and at >= ${since} and returned_at is null) as penalties,
        (select count(*)::integer from statements
          where user_id = ${user_id} and at >= ${since} and not automatic and taken_back_at is null
            and kind in ('ban', 'penalty', 'warning', 'call_end')) as sanctions
      from users where id = ${user_id}`.execute(db),
  ])
  const { birthday, create_time, ...figures } = rows[0] ?? NO_FIGURES
  return {
    age: birthday && ageOn(birthday, productDay(now)),
    since: create_time && wireTime(create_time),
    avatar: fields.get(user_id)?.avatar ?? null,
    ...figures,
  }
}

interface CardRow {
  readonly birthday: Temporal.PlainDate | null
  readonly create_time: Temporal.Instant | null
  readonly sessions: number
  readonly complaints: number
  readonly penalties: number
  readonly sanctions: number
}
const NO_FIGURES: CardRow = {
  birthday: null,
  create_time: null,
  sessions: 0,
  complaints: 0,
  penalties: 0,
  sanctions: 0,
}
