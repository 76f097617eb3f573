import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { approvedPortraits, REPORTED_REASON } from '../media/index.ts'
import type { PictureOfComplaint } from '../moderation/index.ts'
import type { ReportRow } from './store.ts'

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

/** Staff let a picture stay for so long, and against any reporter after so many. */
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

/** How many of these uploads a report would hide: they are shown, in no report yet, and no approved portrait. */
export async function countHideable(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const portraits = await approvedPortraits(db, ids)
  const { rows } = await sql<{ hideable: number }>`
    select count(*)::integer as hideable from media
    where id = any(${[...ids]}::uuid[]) and id <> all(${[...portraits]}::uuid[])
      and status = 'ready' and product <> 'support'
      and not exists (select from report_pictures where media_id = media.id)`.execute(db)
  return rows[0]!.hideable
}

/** Uploads that a report hides. */
export async function hiddenUploads(db: Db, report_id: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('report_pictures')
    .innerJoin('media', 'media.id', 'media_id')
    .select('media_id')
    .where('report_id', '=', report_id)
    .where('media.status', '=', 'pending')
    .where('media.reason', '=', REPORTED_REASON)
    .limit(limit)
    .execute()
  return rows.map(({ media_id }) => media_id)
}
