import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { approvedPortraits, REPORTED_REASON } from '../media/index.ts'
import type { PictureOfComplaint } from '../moderation/index.ts'
import type { ReportRow } from './store.ts'

/** A form, which anybody can send, about a picture of a verified owner: it stays hidden until a person decides. */
const IS_FOR_PERSON = sql<boolean>`(reports.complaint_id is null and exists (
  select from users where users.id = media.owner_id and verified_at is not null))`

/** The reports of this picture that the complaint made and that wait. */
export function waitingOfComplaint(db: Db, { complaint_id, media_id }: PictureOfComplaint) {
  return db
    .selectFrom('reports')
    .innerJoin('report_pictures', 'report_pictures.report_id', 'reports.report_id')
    .select(['reports.report_id', 'locale'])
    .where('complaint_id', '=', complaint_id)
    .where('media_id', '=', media_id)
    .where('decided_at', 'is', null)
    .execute()
}

/** Uploads whose removal was taken back after the decision of the report. */
export async function letStayUploads(
  db: Db,
  { report_id, decided_at }: Pick<ReportRow, 'report_id' | 'decided_at'>,
): Promise<string[]> {
  const rows = await db
    .selectFrom('report_pictures')
    .select('media_id')
    .where('report_id', '=', report_id)
    .where('let_stay_at', '>=', decided_at)
    .execute()
  return rows.map(({ media_id }) => media_id)
}

/** How long staff let a picture stay, and after how many reporters this counts against any reporter. */
const CLEARED_DAYS = 30
const REPORTERS_MAX = 2

/**
 * Those of these uploads that a report does not hide at once, because staff have let them stay: for the same reporter, or for
 * several. One is not enough, because an owner could report the own picture before its victim does.
 */
export async function clearedUploads(
  tx: Tx,
  ids: readonly string[],
  { reporter_hash }: Pick<ReportRow, 'reporter_hash'>,
): Promise<string[]> {
  const since = tx.now.subtract({ hours: 24 * CLEARED_DAYS })
  const { rows } = await sql<{ media_id: string }>`
    select media_id from report_pictures join reports using (report_id)
    where media_id = any(${[...ids]}::uuid[])
      and ((decision = 'rejected' and decided_at >= ${since}) or let_stay_at >= ${since})
    group by media_id
    having bool_or(reporter_hash = ${reporter_hash})
      or count(distinct coalesce(reporter_hash, secret_hash)) >= ${REPORTERS_MAX}`.execute(tx)
  return rows.map(({ media_id }) => media_id)
}

/** Those of these uploads that a report would hide: they are shown, in no report yet, and no approved portrait. */
export async function hideableUploads(
  db: Db,
  ids: readonly string[],
): Promise<{ owner_id: UserId }[]> {
  if (ids.length === 0) return []
  const portraits = await approvedPortraits(db, ids)
  const { rows } = await sql<{ owner_id: UserId }>`
    select owner_id from media
    where id = any(${[...ids]}::uuid[]) and id <> all(${[...portraits]}::uuid[])
      and status = 'ready' and product <> 'support'
      and not exists (select from report_pictures where media_id = media.id)`.execute(db)
  return rows
}

/** How many pictures of a report everybody sees, and how many only a person removes. */
export async function countUndecided(
  db: Db,
  report_id: number,
): Promise<{ shown: number; kept: number }> {
  const { rows } = await sql<{ shown: number; kept: number }>`
    select (count(*) filter (where status = 'ready'))::integer as shown,
      (count(*) filter (where status = 'pending' and ${IS_FOR_PERSON}))::integer as kept
    from reports join report_pictures using (report_id) join media on media.id = media_id
    where report_id = ${report_id}`.execute(db)
  return rows[0]!
}

/** Uploads that a report hides and that the clock removes. */
export async function hiddenUploads(db: Db, report_id: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('report_pictures')
    .innerJoin('reports', 'reports.report_id', 'report_pictures.report_id')
    .innerJoin('media', 'media.id', 'media_id')
    .select('media_id')
    .where('reports.report_id', '=', report_id)
    .where(sql<boolean>`not ${IS_FOR_PERSON}`)
    .where('media.status', '=', 'pending')
    .where('media.reason', '=', REPORTED_REASON)
    .limit(limit)
    .execute()
  return rows.map(({ media_id }) => media_id)
}
