import type { Db } from '../../core/db.ts'
import { REPORTED_REASON } from '../media/index.ts'
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
