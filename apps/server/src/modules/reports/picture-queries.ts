import type { Db } from '../../core/db.ts'
import { REPORTED_REASON } from '../media/index.ts'
import type { PictureOfComplaint } from '../moderation/index.ts'

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
