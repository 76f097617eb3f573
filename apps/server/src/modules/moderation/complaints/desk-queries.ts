import { sql } from 'kysely'
import type { AppContext } from '../../../core/app.ts'
import type { DeskStatement } from '@duet/protocol'
import type { Db } from '../../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { IS_UPHELD, REPORTERS } from './reporters.ts'
import { SEVERE_REASONS } from './complaint-rules.ts'
import { type ComplaintRow, IS_SERIOUS } from './complaint-store.ts'
import { medianAnswer } from '../../../platform/database/statements/median-answer.ts'

/** The reads of the desk of complaints. */

/** The waiting complaints that a member of staff lists. */
export interface ListedPart {
  /** Without severe ones, which others decide for now. */
  readonly is_limited: boolean
  /** Without those that were passed to managers; of those about minors moderators see that they wait. */
  readonly is_moderator: boolean
  /** Only these; undefined: all. */
  readonly ids?: readonly number[] | undefined
  /** Without the cases of this account. */
  readonly own: UserId | undefined
}

const excludesOwn = (own: UserId | undefined) =>
  sql<boolean>`(${own ?? null}::bigint is null or
    (complaints.accused_id <> ${own ?? null} and complainer_id is distinct from ${own ?? null}))`

/** A case about a minor is listed to everybody, and only managers decide it. */
function isListed({ is_limited, is_moderator, ids, own }: ListedPart) {
  return sql<boolean>`(decided_at is null
    and (not ${is_limited}::boolean or reason <> all(${SEVERE_REASONS}::text[]))
    and (not ${is_moderator}::boolean or passed_at is null or reason = 'child')
    and ${excludesOwn(own)}
    and (${ids ?? null}::bigint[] is null or complaint_id = any(${ids ?? null}::bigint[])))`
}

interface QueuePage {
  readonly offset: number
  readonly limit: number
}

export function readDecided(
  db: Db,
  { offset, limit }: QueuePage,
  own: UserId | undefined,
): Promise<ComplaintRow[]> {
  return db
    .selectFrom('complaints')
    .selectAll()
    .where('decided_at', 'is not', null)
    .where(excludesOwn(own))
    .orderBy('decided_at', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
}

/**
 * Complaints that wait for a decision: serious complaints of people who had contact first, then the other serious
 * complaints, then those of reliable reporters, then the oldest. Cases about minors come before those of the panic key.
 */
export function readQueue(
  db: Db,
  part: ListedPart,
  { offset, limit }: QueuePage,
): Promise<ComplaintRow[]> {
  return db
    .selectFrom('complaints')
    .selectAll('complaints')
    .leftJoin(REPORTERS, 'reporters.accused_id', 'complaints.accused_id')
    .where(isListed(part))
    .orderBy(sql`hold_id is not null`, 'desc')
    .orderBy(sql`${IS_SERIOUS}`, 'desc')
    .orderBy(sql`reason = 'child'`, 'desc')
    .orderBy(sql`opened_by is not null`, 'desc')
    .orderBy('reporters.weight', 'desc')
    .orderBy('at')
    .orderBy('complaint_id')
    .offset(offset)
    .limit(limit)
    .execute()
}

export async function countListed(
  db: Db,
  part: ListedPart,
): Promise<{ waiting: number; oldest: Temporal.Instant | null }> {
  return db
    .selectFrom('complaints')
    .select([sql<number>`count(*)::integer`.as('waiting'), (fn) => fn.fn.min('at').as('oldest')])
    .where(isListed(part))
    .executeTakeFirstOrThrow()
}

/** As many as the queue lists to this member of staff. */
export async function countWaiting(
  db: Db,
  { staff_role, is_limited }: CountedRole,
  context: AppContext,
): Promise<readonly WaitingCases[]> {
  // All of a role share the count, so it includes cases of an own account.
  const part = { is_limited, is_moderator: staff_role === 'moderator', own: undefined }
  const median_seconds = await medianAnswer(context, db, {
    table: 'complaints',
    asked: 'at',
    answered: 'decided_at',
    by: 'decided_by',
  })
  return [{ queue: 'complaints', ...(await countListed(db, part)), median_seconds }]
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

/** The complaints among these whose act was taken back. */
export async function overturnedComplaints(
  db: Db,
  complaints: readonly ComplaintRow[],
): Promise<ReadonlySet<number>> {
  const ids = complaints.flatMap(({ statement_id }) => statement_id ?? [])
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('statements')
    .select('statement_id')
    .where('statement_id', 'in', ids)
    .where('taken_back_at', 'is not', null)
    .execute()
  const overturned = new Set(rows.map(({ statement_id }) => statement_id))
  return new Set(
    complaints.flatMap(({ complaint_id, statement_id }) =>
      statement_id !== null && overturned.has(statement_id) ? complaint_id : [],
    ),
  )
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
      sql<number>`(count(*) filter (where ${IS_UPHELD}))::integer`.as('upheld'),
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

/** The statements that a user has and that were not taken back, the newest first. */
export function recentStatements(db: Db, user_id: UserId) {
  return db
    .selectFrom('statements')
    .leftJoin('penalties', 'penalties.statement_id', 'statements.statement_id')
    .select(['statements.statement_id', 'statements.at', 'kind', 'reason', 'comment'])
    .select(['penalties.amount', 'penalties.place'])
    .where('user_id', '=', user_id)
    .where('taken_back_at', 'is', null)
    .orderBy('statements.statement_id', 'desc')
    .limit(STATEMENTS_MAX)
    .execute()
}

type RecentStatement = Awaited<ReturnType<typeof recentStatements>>[number]

/** A statement as the cases about a user show it. */
export const deskStatement = (row: RecentStatement): DeskStatement => ({
  id: row.statement_id,
  kind: row.kind,
  reason: row.reason,
  comment: row.comment,
  at: wireTime(row.at),
  amount: row.amount === null ? null : toWire('coin', row.amount),
  place: row.place as DeskStatement['place'],
})
