import { zipSync } from 'fflate'
import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { readDeskPeople, requireFresh } from '../../staff/index.ts'
import { type ExportRow, readSealed, type SealedRow } from './export-store.ts'
import {
  approveExport,
  holdCase,
  lookAt,
  releaseCase,
  requestExport,
  type SealKeeper,
  takeExport,
} from './exports.ts'

function keeper(staff: Staff): SealKeeper {
  return { name: staff.email, actor: staff, staff }
}

/** GET v2/manager/sealed. */
export async function sealedQueue(
  app: App,
  _staff: Staff,
  request: Query<'GET v2/manager/sealed'>,
): Promise<Answer<'GET v2/manager/sealed'>> {
  const rows = await readSealed(app.db, offsetAndLimit(request))
  return paginate(request, await shownCases(app.db, rows))
}

async function shownCases(db: Db, rows: readonly SealedRow[]) {
  const person = await readDeskPeople(
    db,
    rows.map(({ accused_id }) => accused_id),
  )
  return rows.map((row) => ({
    id: row.complaint_id,
    reason: row.reason,
    is_panic: row.is_panic,
    accused: person(row.accused_id),
    create_time: wireTime(row.at),
    decided_at: row.decided_at && wireTime(row.decided_at),
    files: row.files,
    seal: row.seal,
    held: row.is_held,
  }))
}

function shownExport(row: ExportRow) {
  return {
    id: row.export_id,
    reason: row.reason,
    requested_by: row.requested_by,
    requested_at: wireTime(row.requested_at),
    approved_by: row.approved_by,
    approved_at: row.approved_at && wireTime(row.approved_at),
    exported_at: row.exported_at && wireTime(row.exported_at),
  }
}

/** GET v2/manager/sealed/{id}. Refuses not_found. */
export async function sealedOne(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/sealed/{id}'>,
): Promise<Answer<'GET v2/manager/sealed/{id}'>> {
  const { sealed, files, exports } = await lookAt(app, keeper(staff), id)
  const [shown] = await shownCases(app.db, [sealed])
  return {
    case: shown!,
    files: files.map(({ file: { kind, source, sha256, bytes, at }, is_whole: whole }) => ({
      kind,
      source,
      sha256,
      bytes,
      at: wireTime(at),
      whole,
    })),
    exports: exports.map((one) => shownExport(one)),
  }
}

/** POST v2/manager/sealed/{id}/exports. Refuses not_found, role_forbidden, second_factor. */
export async function askExport(
  app: App,
  staff: Staff,
  {
    id,
    reason,
  }: Query<'POST v2/manager/sealed/{id}/exports'> & Body<'POST v2/manager/sealed/{id}/exports'>,
): Promise<Answer<'POST v2/manager/sealed/{id}/exports'>> {
  requireFresh(app, staff)
  return { export_id: await requestExport(app, keeper(staff), { complaint_id: id, reason }) }
}

/** POST v2/manager/sealed/exports/{id}/approve. Refuses not_found, role_forbidden, second_factor, decided. */
export async function allowExport(
  app: App,
  staff: Staff,
  { id }: Query<'POST v2/manager/sealed/exports/{id}/approve'>,
): Promise<Answer<'POST v2/manager/sealed/exports/{id}/approve'>> {
  requireFresh(app, staff)
  await approveExport(app, keeper(staff), id)
  return {}
}

/** GET v2/manager/sealed/exports/{id}/files. Refuses not_found, role_forbidden, second_factor. */
export async function exportFiles(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/sealed/exports/{id}/files'>,
): Promise<RawResponse> {
  requireFresh(app, staff)
  const files = await takeExport(app, keeper(staff), id)
  // Pictures are compressed already.
  const zip = zipSync(Object.fromEntries(files.map((one) => [one.name, one.bytes])), { level: 0 })
  return new RawResponse({
    body: Buffer.from(zip),
    content_type: 'application/zip',
    headers: {
      'Content-Disposition': `attachment; filename="export-${id}.zip"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** POST v2/manager/sealed/{id}/hold. Refuses not_found, role_forbidden. */
export async function changeHold(
  app: App,
  staff: Staff,
  {
    id,
    reason,
    held,
  }: Query<'POST v2/manager/sealed/{id}/hold'> & Body<'POST v2/manager/sealed/{id}/hold'>,
): Promise<Answer<'POST v2/manager/sealed/{id}/hold'>> {
  const change = held ? holdCase : releaseCase
  await change(app, keeper(staff), { complaint_id: id, reason })
  return {}
}
