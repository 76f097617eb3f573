import type { Db } from '../../core/db.ts'
import type { CallSides } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { QualityEvent, QualitySummary } from './rules/summary.ts'
import type { SideKey } from './store.ts'

export async function findSession(db: Db, { session_id, user_id }: SideKey) {
  return db
    .selectFrom('quality_sessions')
    .select(['summary', 'reports', 'poor_reports', 'opinion', 'connections', 'is_watched'])
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
}

/** The sides of a call that have a record. */
export async function sidesOfCall(db: Db, sessionId: number) {
  return db.selectFrom('quality_sessions').selectAll().where('session_id', '=', sessionId).execute()
}

/** How well each side received the other; null: its page sent no sums. */
export async function scoresOfCall(db: Db, { session_id, guy_id, girl_id }: CallSides) {
  const sides = await sidesOfCall(db, session_id)
  const findScore = (id: UserId) => {
    const summary = sides.find(({ user_id }) => user_id === id)?.summary
    return (summary as QualitySummary | null | undefined)?.score.inbound ?? null
  }
  return { guy_score: findScore(guy_id), girl_score: findScore(girl_id) }
}

/** More than a call of five hours has. */
const EVENTS_MAX = 20_000

/** The record of a side, in the order of its times. */
export async function readEvents(
  db: Db,
  { session_id, user_id }: SideKey,
  limit = EVENTS_MAX,
): Promise<QualityEvent[]> {
  const rows = await db
    .selectFrom('quality_events')
    .select(['at', 'kind', 'name', 'details'])
    .where('user_id', '=', user_id)
    .where('session_id', '=', session_id)
    .orderBy('at')
    .orderBy('event_id')
    .limit(limit)
    .execute()
  return rows as QualityEvent[]
}

/** Sides without sums, of calls with higher ids. */
export async function openSides(db: Db, above: number, limit: number): Promise<SideKey[]> {
  return db
    .selectFrom('quality_sessions')
    .select(['session_id', 'user_id'])
    .where('summary', 'is', null)
    .where('session_id', '>', above)
    .orderBy('session_id')
    .limit(limit)
    .execute()
}

/** The camera failures of a user since a moment, oldest first. */
export async function cameraFailuresSince(db: Db, userId: UserId, since: Temporal.Instant) {
  return db
    .selectFrom('camera_failures')
    .select(['at', 'labels', 'kinds', 'error'])
    .where('user_id', '=', userId)
    .where('at', '>=', since)
    .orderBy('at')
    .limit(20)
    .execute()
}

/** How many calls of the last day have sums, and how they were. */
export async function diagnoseDay(db: Db, since: Temporal.Instant) {
  const row = await db
    .selectFrom('quality_sessions')
    .select(({ fn }) => [
      fn.countAll<number>().as('sides'),
      fn.countAll<number>().filterWhere('reports', '=', 0).as('without_reports'),
      fn.sum<number>('reports').as('reports'),
      fn.sum<number>('poor_reports').as('poor_reports'),
    ])
    .where('began_at', '>', since)
    .executeTakeFirstOrThrow()
  const { failures } = await db
    .selectFrom('camera_failures')
    .select(({ fn }) => fn.countAll<number>().as('failures'))
    .where('at', '>', since)
    .executeTakeFirstOrThrow()
  return { ...row, camera_failures: failures }
}
