import { zipSync } from 'fflate'
import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { readDeskPeople, requireFresh } from '../../staff/index.ts'
import {
  holdCase,
  lookAt,
  releaseCase,
  requestExport,
  type SealKeeper,
  takeExport,
} from './exports.ts'
import { readSealed, type SealedRow } from './sealed-store.ts'

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
    exports,
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

/** GET v2/manager/sealed/{id}/exports/{export_id}/files. */
export async function exportFiles(
  app: App,
  staff: Staff,
  { id, export_id }: Query<'GET v2/manager/sealed/{id}/exports/{export_id}/files'>,
): Promise<RawResponse> {
  requireFresh(app, staff)
  const files = await takeExport(app, keeper(staff), { complaint_id: id, export_id })
  // Pictures are compressed already.
  const zip = zipSync(Object.fromEntries(files.map((one) => [one.name, one.bytes])), { level: 0 })
  return new RawResponse({
    body: Buffer.from(zip),
    content_type: 'application/zip',
    headers: {
      'Content-Disposition': `attachment; filename="export-${export_id}.zip"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

/** POST v2/manager/sealed/{id}/hold. Refuses not_found, role_forbidden, second_factor. */
export async function changeHold(
  app: App,
  staff: Staff,
  {
    id,
    reason,
    held,
  }: Query<'POST v2/manager/sealed/{id}/hold'> & Body<'POST v2/manager/sealed/{id}/hold'>,
): Promise<Answer<'POST v2/manager/sealed/{id}/hold'>> {
  requireFresh(app, staff)
  const change = held ? holdCase : releaseCase
  await change(app, keeper(staff), { complaint_id: id, reason })
  return {}
}
