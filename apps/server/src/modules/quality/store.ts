import { sql } from 'kysely'
import { limits } from '@duet/protocol'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { jsonb } from '../../platform/database/values.ts'
import type { StatsSample } from './rules/stats-sample.ts'
import type { EventKind, QualitySummary } from './rules/summary.ts'

/** One side of a call. */
export interface SideKey {
  readonly session_id: number
  readonly user_id: UserId
}

export interface NewSession extends SideKey {
  readonly app_version: string
  readonly meta: unknown
  readonly is_watched: boolean
}

/** Begins the record of a side. False if there is one already: the page was loaded again. */
export async function insertSession(tx: Tx, { meta, ...row }: NewSession): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('quality_sessions')
    .values({ ...row, meta: jsonb(meta), device: jsonb({}), began_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** One report of a page. */
export interface NewReport {
  readonly events: readonly {
    readonly at: Temporal.Instant
    readonly kind: EventKind
    readonly name: string
    readonly details: unknown
  }[]
  readonly stats?: {
    readonly is_poor: boolean
    readonly sample: StatsSample
    readonly raw: unknown
  }
  /** The report is about this connection, which must be known. */
  readonly connection_id?: string | undefined
  /** This connection is known from now on. */
  readonly added_id?: string
  readonly removed_id?: string
  readonly is_end?: boolean
  readonly device?: unknown
}

const CONNECTIONS_MAX = 20

/**
 * Stores a report in one statement, if the record of its side is open and has room, and its connection is known. The
 * statistics of a listed user are also stored as they came.
 */
export async function addReport(
  db: Db,
  key: SideKey,
  now: Temporal.Instant,
  report: NewReport,
): Promise<boolean> {
  const { stats, connection_id = null, added_id = null, removed_id = null } = report
  const events = JSON.stringify(report.events.map((event) => ({ ...event, at: String(event.at) })))
  const raw = stats ? JSON.stringify(stats.raw) : null
  const latest = stats ? JSON.stringify(stats.sample) : null
  const device = JSON.stringify(report.device ?? {})
  const { quality_session_bytes: bytesMax, quality_watched_session_bytes: watchedBytesMax } = limits
  const added = sql`bytes + ${events.length + device.length}::bigint
    + case when is_watched then ${raw?.length ?? 0}::bigint else 0 end`
  const { rows } = await sql`
    with session as (
      update quality_sessions set
        bytes = ${added},
        reports = reports + ${stats ? 1 : 0}::integer,
        poor_reports = poor_reports + ${stats?.is_poor ? 1 : 0}::integer,
        latest = coalesce(${latest}::jsonb, latest),
        latest_at = case when ${latest}::jsonb is null then latest_at else ${now}::timestamptz end,
        closed_at = case when ${report.is_end ?? false}::boolean then ${now}::timestamptz end,
        device = device || ${device}::jsonb,
        connections = case
          when ${added_id}::text is not null and ${added_id}::text <> all (connections)
            then connections || ${added_id}::text
          when ${removed_id}::text is not null then array_remove(connections, ${removed_id}::text)
          else connections end
      where session_id = ${key.session_id} and user_id = ${key.user_id} and summary is null
        and ${added} <= case when is_watched then ${watchedBytesMax}::bigint else ${bytesMax}::bigint end
        and (${connection_id}::text is null or ${connection_id}::text = any (connections))
        and (${added_id}::text is null or ${added_id}::text = any (connections)
          or cardinality(connections) < ${CONNECTIONS_MAX}::integer)
      returning session_id, user_id, began_at, is_watched
    ), events as (
      insert into quality_events (session_id, user_id, at, kind, name, details)
      select session_id, user_id, greatest(event.at, began_at), kind, name, details from session,
        jsonb_to_recordset(${events}::jsonb) as event (at timestamptz, kind text, name text, details jsonb)
    ), raw_report as (
      insert into quality_reports (session_id, user_id, at, report)
      select session_id, user_id, ${now}::timestamptz, ${raw}::jsonb from session
      where is_watched and ${raw}::jsonb is not null
    )
    select 1 from session`.execute(db)
  return rows.length > 0
}

/** Stores the sums of a side, once. */
export async function storeSummary(
  tx: Tx,
  { session_id, user_id }: SideKey,
  summary: QualitySummary | Record<never, never>,
): Promise<void> {
  await tx
    .updateTable('quality_sessions')
    .set({ summary: jsonb(summary) })
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .where('summary', 'is', null)
    .execute()
}

/** Takes the question of the day for a call. Returns the call of the day's question. */
export async function takeQuestion(
  tx: Tx,
  { session_id, user_id }: SideKey,
  asked_on: Temporal.PlainDate,
): Promise<number> {
  const { rows } = await sql<{ session_id: number }>`
    insert into quality_questions as question (user_id, asked_on, session_id)
    values (${user_id}, ${asked_on}, ${session_id})
    -- The update changes nothing, but makes an existing row return its call.
    on conflict (user_id, asked_on) do update set session_id = question.session_id
    returning session_id`.execute(tx)
  return rows[0]!.session_id
}

/** Stores the opinion of a side about its call; the first one counts. False: the side has no record. */
export async function storeOpinion(
  db: Db,
  { session_id, user_id }: SideKey,
  opinion: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('quality_sessions')
    .set((row) => ({ opinion: row.fn.coalesce('opinion', row.val(opinion)) }))
    .where('session_id', '=', session_id)
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export interface CameraFailure {
  readonly user_id: UserId
  readonly labels: readonly string[]
  readonly kinds: readonly string[]
  readonly error: string
}

/** Reports of one user in a day. A page repeats a failure only after a press. */
const CAMERA_FAILURES_A_DAY = 50

export async function insertCameraFailure(
  db: Db,
  now: Temporal.Instant,
  { user_id, labels, kinds, error }: CameraFailure,
): Promise<void> {
  await sql`
    insert into camera_failures (user_id, at, labels, kinds, error)
    select ${user_id}, ${now}, ${[...labels]}::text[], ${[...kinds]}::text[], ${error}
    where (select count(*) from camera_failures where user_id = ${user_id} and at > ${now.subtract({ hours: 24 })})
      < ${CAMERA_FAILURES_A_DAY}`.execute(db)
}
