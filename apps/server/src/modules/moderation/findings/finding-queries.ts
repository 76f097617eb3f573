import type { FindingKind } from '@duet/protocol'
import { sql } from 'kysely'
import type { AppContext } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../../core/hooks.ts'
import type { UserId } from '../../../core/ids.ts'
import type { FrameRow } from '../frames/frame-store.ts'
import { medianAnswer } from '../../../platform/database/statements/median-answer.ts'

interface FoundRow {
  readonly user_id: UserId
  readonly kinds: FindingKind[]
  readonly findings: number
  readonly first_at: Temporal.Instant
}

interface FoundPage {
  readonly offset: number
  readonly limit: number
  readonly is_limited: boolean
  /** Not this user. */
  readonly own?: UserId | undefined
}

/** A member of staff with too many severe cases does not list users with a finding of nudity. */
const isFor = (is_limited: boolean) => sql<boolean>`(not ${is_limited}::boolean or user_id not in (
  select user_id from findings where decided_at is null and kind = 'nudity'))`

/** The users with findings that wait: returned banned users first, then by their oldest finding. */
export async function readFoundUsers(
  db: Db,
  { offset, limit, is_limited, own }: FoundPage,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    select user_id, array_agg(distinct kind order by kind) as kinds, count(*)::integer as findings, min(at) as first_at
    from findings where decided_at is null and ${isFor(is_limited)} and user_id is distinct from ${own ?? null}::bigint
    group by user_id order by bool_or(kind like 'banned%') desc, min(finding_id) limit ${limit} offset ${offset}`.execute(
    db,
  )
  return rows
}

export async function countFoundUsers(
  db: Db,
  { is_limited }: CountedRole,
  context: AppContext,
): Promise<WaitingCases> {
  const { rows } = await sql<Omit<WaitingCases, 'queue'>>`
    select count(distinct user_id)::integer as waiting, min(at) as oldest
    from findings where decided_at is null and ${isFor(is_limited)}`.execute(db)
  const median_seconds = await medianAnswer(context, db, {
    table: 'findings',
    asked: 'at',
    answered: 'decided_at',
    by: 'decided_by',
  })
  return { queue: 'findings', ...rows[0]!, median_seconds }
}

const FINDINGS_SHOWN_MAX = 50

export function readFindings(db: Db, user_id: UserId) {
  return db
    .selectFrom('findings')
    .select(['finding_id', 'kind', 'other_id', 'session_id', 'order_id', 'at'])
    .select(
      // Null also when the picture was deleted since.
      sql<string | null>`(select id from media where id = findings.media_id)`.as('media_id'),
    )
    .where('user_id', '=', user_id)
    .where('decided_at', 'is', null)
    .orderBy('finding_id', 'desc')
    .limit(FINDINGS_SHOWN_MAX)
    .execute()
}

interface SharedValue {
  readonly other_id: UserId
  readonly signal: string
  readonly at: Temporal.Instant | null
}

/** The values that a user has in common with these accounts, and when the other account used them last. */
export async function sharedValues(
  db: Db,
  user_id: UserId,
  others: readonly UserId[],
): Promise<readonly SharedValue[]> {
  const { rows } = await sql<SharedValue>`
    select same.user_id as other_id, own.signal, max(same.last_at) as at
    from client_signals own join client_signals same using (signal, value_hash)
    where own.user_id = ${user_id} and same.user_id = any(${others}::bigint[])
    group by same.user_id, own.signal
    union all select same.user_id, 'instrument', max(same.created_at)
    from orders own join orders same using (instrument)
    where own.user_id = ${user_id} and same.user_id = any(${others}::bigint[])
    group by same.user_id
    union all select same.id, 'wallet', null
    from users own join users same using (usdt_wallet)
    where own.id = ${user_id} and same.id = any(${others}::bigint[])
    order by other_id, signal`.execute(db)
  return rows
}

export async function countDecided(db: Db, user_id: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('findings')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', user_id)
    .where('decided_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}

const FRAMES_MAX = 60

/** The latest sampled frames of the calls in which nudity or absences of a girl wait for a decision, the oldest first. */
export async function framesOfFindings(
  db: Db,
  girl_id: UserId,
): Promise<(FrameRow & { readonly is_flagged: boolean })[]> {
  const calls = db
    .selectFrom('findings')
    .select('session_id')
    .where('user_id', '=', girl_id)
    .where('kind', 'in', ['absence', 'nudity'])
    .where('decided_at', 'is', null)
    .orderBy('finding_id', 'desc')
    .limit(FINDINGS_SHOWN_MAX)
  const rows = await db
    .selectFrom('call_frames')
    .selectAll()
    .select(
      sql<boolean>`exists (select from frame_findings
        where frame_findings.frame_id = call_frames.frame_id)`.as('is_flagged'),
    )
    .where('session_id', 'in', calls)
    .where('girl_id', '=', girl_id)
    .orderBy('asked_at', 'desc')
    .limit(FRAMES_MAX)
    .execute()
  return rows.toReversed()
}
