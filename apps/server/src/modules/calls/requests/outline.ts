import type { CloseReason } from '@duet/protocol'
import { inKeys } from '../../../platform/database/statements/batched-read.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { callById } from '../queries.ts'

/** When a call was, and its two parties, for the modules that describe it to the operator. */
export interface CallOutline {
  readonly guy_id: UserId
  readonly girl_id: UserId
  readonly opened_at: Temporal.Instant
  readonly connected_at: Temporal.Instant | null
  readonly closed_at: Temporal.Instant | null
  readonly reason: CloseReason | null
}

export async function callOutline(db: Db, sessionId: number): Promise<CallOutline | undefined> {
  const stored = await callById(db, sessionId)
  if (!stored) return undefined
  const { guy_id, girl_id, opened_at, connected_at, closed_at, reason } = stored.call
  return { guy_id, girl_id, opened_at, connected_at, closed_at, reason }
}

/** Those of these calls that closed before a moment. */
export async function callsClosedBefore(
  db: Db,
  sessionIds: readonly number[],
  before: Temporal.Instant,
): Promise<number[]> {
  const rows = await db
    .selectFrom('video_sessions')
    .select('session_id')
    .where('session_id', 'in', [...sessionIds])
    .where('closed_at', '<', before)
    .execute()
  return rows.map(({ session_id }) => session_id)
}

/** The first lines that the pages of a call logged about their connections, oldest first. */
export async function callLogLines(
  db: Db,
  sessionId: number,
  { opened_at, closed_at }: Pick<CallOutline, 'opened_at' | 'closed_at'>,
) {
  return db
    .selectFrom('session_logs')
    .select(['user_id', 'at', 'level', 'text'])
    .where('session_id', '=', sessionId)
    .where('at', '>=', opened_at)
    .$if(closed_at !== null, (query) => query.where('at', '<=', closed_at!))
    .orderBy('id')
    .limit(500)
    .execute()
}

export interface CallEnd {
  readonly connected: boolean
  readonly reason: string
}

/** How those of these calls ended that are over. */
export async function callEnds(
  db: Db,
  sessionIds: readonly number[],
): Promise<ReadonlyMap<number, CallEnd>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('video_sessions')
    .select(['session_id', 'connected_at', 'reason'])
    .where('session_id', '=', inKeys(sessionIds))
    .where('status', '=', 'closed')
    .execute()
  return new Map(
    rows.map(({ session_id, connected_at, reason }) => [
      session_id,
      { connected: connected_at !== null, reason: reason! },
    ]),
  )
}
