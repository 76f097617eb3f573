import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { WaitingCases } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { REPORTERS } from './reporters.ts'
import { type ComplaintRow, IS_SERIOUS } from './complaint-store.ts'

/** The reads of the desk of complaints. */

export interface QueuePart {
  readonly state: 'waiting' | 'decided'
  readonly offset: number
  readonly limit: number
  /** Reasons of waiting complaints that are left to others. */
  readonly without: readonly string[]
  /** Also those that moderators passed to managers. */
  readonly with_passed: boolean
}

export function readQueue(
  db: Db,
  { state, offset, limit, without, with_passed }: QueuePart,
): Promise<ComplaintRow[]> {
  const rows = db.selectFrom('complaints').selectAll('complaints').offset(offset).limit(limit)
  if (state === 'decided')
    return rows.where('decided_at', 'is not', null).orderBy('decided_at', 'desc').execute()
  return rows
    .innerJoin(REPORTERS, 'reporters.accused_id', 'complaints.accused_id')
    .where('decided_at', 'is', null)
    .$if(without.length > 0, (waiting) => waiting.where('reason', 'not in', without))
    .$if(!with_passed, (waiting) => waiting.where('passed_at', 'is', null))
    .orderBy(sql`hold_id is not null`, 'desc')
    .orderBy(sql`${IS_SERIOUS}`, 'desc')
    .orderBy(sql`reason = 'child'`, 'desc')
    .orderBy('reporters.weight', 'desc')
    .orderBy('at')
    .orderBy('complaint_id')
    .execute()
}

export async function countWaiting(db: Db): Promise<readonly WaitingCases[]> {
  const row = await db
    .selectFrom('complaints')
    .select([sql<number>`count(*)::integer`.as('waiting'), (fn) => fn.fn.min('at').as('oldest')])
    .where('decided_at', 'is', null)
    .executeTakeFirstOrThrow()
  return [{ queue: 'complaints', ...row }]
}

const EARLIER_MAX = 10

/** Other complaints about the same user, the newest first. */
export function earlierComplaints(
  db: Db,
  { complaint_id, accused_id }: ComplaintRow,
): Promise<ComplaintRow[]> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .where('accused_id', '=', accused_id)
    .where('complaint_id', '!=', complaint_id)
    .orderBy('complaint_id', 'desc')
    .limit(EARLIER_MAX)
    .execute()
}

export interface Tally {
  readonly waiting: number
  readonly upheld: number
  readonly rejected: number
}

/** How the complaints of a user, or about one, were decided: reports alone never ban. */
export async function tallyComplaints(
  db: Db,
  column: 'complainer_id' | 'accused_id',
  user_id: UserId,
): Promise<Tally> {
  return db
    .selectFrom('complaints')
    .select([
      sql<number>`(count(*) filter (where decision is null))::integer`.as('waiting'),
      sql<number>`(count(*) filter (where decision <> 'no_violation'))::integer`.as('upheld'),
      sql<number>`(count(*) filter (where decision = 'no_violation'))::integer`.as('rejected'),
    ])
    .where(column, '=', user_id)
    .executeTakeFirstOrThrow()
}

export async function isPrivateCall(db: Db, session_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('video_sessions')
    .select('state')
    .where('session_id', '=', session_id)
    .executeTakeFirst()
  return row?.state === 'private'
}

const STATEMENTS_MAX = 20

/** The statements that a user has, the newest first. */
export function recentStatements(db: Db, user_id: UserId) {
  return db
    .selectFrom('statements')
    .select(['statement_id', 'kind', 'reason', 'comment', 'until', 'at'])
    .where('user_id', '=', user_id)
    .orderBy('statement_id', 'desc')
    .limit(STATEMENTS_MAX)
    .execute()
}

type RecentStatement = Awaited<ReturnType<typeof recentStatements>>[number]

/** A statement as the cases about a user show it. */
export const deskStatement = ({
  statement_id: id,
  kind,
  reason,
  comment,
  at,
}: RecentStatement) => ({
  id,
  kind,
  reason,
  comment,
  at: wireTime(at),
})
