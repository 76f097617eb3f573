import type { Answer, Body, DeskPerson, Query } from '@duet/protocol'
import { isLocale } from '@duet/protocol/kernel/locales.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { QueuedCase, QueueViewer } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { RawResponse } from '../../core/raw-response.ts'
import type { Staff, Viewer } from '../../core/viewer.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { namedUsers } from '../identity/index.ts'
import { markedJpeg, storedPicture } from '../media/index.ts'
import { setting } from '../settings/index.ts'
import {
  endClaim,
  isLimited,
  readClaims,
  readDeskPeople,
  requireNotOwn,
  requireOtherPerson,
} from '../staff/index.ts'
import { decideReport } from './decide-report.ts'
import { countNumbers } from './numbers.ts'
import {
  countPictures,
  readReportHashes,
  belongsToReport,
  ownersOfUploads,
  readSides,
  readPictures,
  readReports,
  reportById,
  reportBySecret,
} from './queries.ts'
import {
  hashOfSecret,
  holidaysBetween,
  isForManagers,
  isSevere,
  kindsFor,
  namedUploads,
} from './rules.ts'
import { openWords } from './sealed-words.ts'
import type { ReportRow } from './store.ts'
import { reporterView, staffView } from './views.ts'

const PICTURES_SHOWN = 200
const NAMED_SHOWN = 20

/** POST reports/state. */
export async function showState(
  app: App,
  _viewer: Viewer,
  { secret }: Body<'POST reports/state'>,
): Promise<Answer<'POST reports/state'>> {
  const row = (await reportBySecret(app.db, hashOfSecret(secret))) ?? refuse('not_found')
  const hashes = await readReportHashes(app.db, row.report_id)
  const isRejected = row.decision === 'rejected'
  const { out_of_view, shown } = await countPictures(app.db, row.report_id)
  return {
    ...reporterView(row),
    pictures: isRejected ? 0 : out_of_view,
    shown: isRejected ? 0 : shown,
    refused_again:
      hashes.length > 0 && (row.decision === null ? !row.copies_wait : row.decision === 'upheld'),
  }
}

/** GET v2/manager/reports. */
export async function listReports(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/reports'>,
): Promise<Answer<'GET v2/manager/reports'>> {
  const rows = await readReports(app.db, request.state, {
    ...offsetAndLimit(request),
    kinds: kindsFor(staff.staff_role),
    is_limited: await isLimited(app, staff),
  })
  const claims = await findClaims(app, rows)
  return paginate(
    request,
    rows.map((row) => staffView(row, claims.get(String(row.report_id)))),
  )
}

function findClaims(app: App, rows: readonly ReportRow[]) {
  const ids = rows.map(({ report_id }) => String(report_id))
  return readClaims(app.db, 'reports', ids, app.clock.now())
}

/** GET v2/manager/reports/{id}. The look is recorded first. */
export async function showReport(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/reports/{id}'>,
): Promise<Answer<'GET v2/manager/reports/{id}'>> {
  const row = await readableReport(app, staff, id)
  await app.transact((tx) => recordLook(tx, staff, row))
  return readDetail(app, row)
}

/** GET v2/manager/reports/{id}/pictures/{media_id}. */
export async function showPicture(
  app: App,
  staff: Staff,
  { id, media_id }: Query<'GET v2/manager/reports/{id}/pictures/{media_id}'>,
): Promise<RawResponse> {
  const row = await readableReport(app, staff, id)
  if (!(await belongsToReport(app.db, id, media_id))) refuse('not_found')
  await app.transact((tx) => recordLook(tx, staff, row, { media_id }))
  const picture = (await storedPicture(app, media_id)) ?? refuse('not_found')
  return markedJpeg(app, staff, picture, `report ${id}`)
}

/** The people of a report that waits. Refuses role_forbidden. */
export async function caseUsers(
  db: Db,
  { queue, id: item }: QueuedCase,
  { staff, is_limited }: QueueViewer,
): Promise<UserId[] | undefined> {
  const id = queue === 'reports' ? parseId(item) : undefined
  const row = id && (await reportById(db, id))
  if (!row || row.decided_at !== null) return undefined
  if (isForManagers(row.kind) && staff.staff_role === 'moderator') refuse('role_forbidden')
  if (is_limited && isSevere(row)) refuse('role_forbidden')
  return readSides(db, row.report_id)
}

/** POST v2/manager/reports/{id}/decide. */
export async function decideAsStaff(
  app: App,
  staff: Staff,
  {
    id,
    decision,
    answer,
  }: Query<'POST v2/manager/reports/{id}/decide'> & Body<'POST v2/manager/reports/{id}/decide'>,
): Promise<Answer<'POST v2/manager/reports/{id}/decide'>> {
  await app.transact(async (tx) => {
    const row = await reportFor(tx, staff, id)
    const { contact, where } = openWords(app, row.sealed)
    if (contact.toLowerCase() === staff.email) refuse('role_forbidden')
    await requireOtherPerson(tx, staff, [
      ...(await readSides(tx, id)),
      ...(await idsOfNamed(tx, where)),
    ])
    await endClaim(tx, staff, 'reports', String(id))
    await decideReport(tx, id, { decision, answer, by: staff.email, actor: staff })
  })
  return {}
}

/** GET v2/manager/report-numbers. */
export function showNumbers(
  app: App,
  _staff: Staff,
  { month }: Query<'GET v2/manager/report-numbers'>,
): Promise<Answer<'GET v2/manager/report-numbers'>> {
  return countNumbers(app, month)
}

async function reportFor(db: Db, { staff_role }: Staff, id: number): Promise<ReportRow> {
  const row = (await reportById(db, id)) ?? refuse('not_found')
  if (isForManagers(row.kind) && staff_role === 'moderator') refuse('role_forbidden')
  return row
}

/** The report, unless it is about the own account. */
async function readableReport(app: App, staff: Staff, id: number): Promise<ReportRow> {
  const row = await reportFor(app.db, staff, id)
  const { where } = openWords(app, row.sealed)
  await requireNotOwn(app.db, staff, [
    ...(await readSides(app.db, id)),
    ...(await idsOfNamed(app.db, where)),
  ])
  return row
}

/** Records that a report was read, which has what its reporter wrote in confidence. */
export async function recordLook(
  tx: Tx,
  staff: Actor,
  { report_id }: ReportRow,
  facts: { readonly media_id?: string } = {},
): Promise<void> {
  await writeAudit(tx, { staff, act: 'report_view', facts: { report_id, ...facts } })
}

/** A report with what its reporter wrote, for staff. */
export async function readDetail(
  app: App,
  row: ReportRow,
): Promise<Answer<'GET v2/manager/reports/{id}'>> {
  const pictures = await readPictures(app.db, row.report_id, PICTURES_SHOWN)
  const words = openWords(app, row.sealed)
  return {
    ...staffView(row, (await findClaims(app, [row])).get(String(row.report_id))),
    ...words,
    named: await findNamed(app.db, words.where, pictures),
    locale: isLocale(row.locale) ? row.locale : null,
    holidays: holidaysBetween(setting(app, 'public_holidays'), row),
    answer: row.answer ?? '',
    has_hash: (await readReportHashes(app.db, row.report_id)).length > 0,
    pictures: pictures.map(({ media_id, owner_id, status }) => ({ media_id, owner_id, status })),
  }
}

/** The members that the words of a report name, by an account or by the address of a picture. */
export async function idsOfNamed(db: Db, where: string): Promise<UserId[]> {
  const owners = await ownersOfUploads(db, namedUploads(where))
  return [...(await namedUsers(db, where)), ...owners]
}

/** The members that a report names by its words or its pictures: staff see the accused at once. */
async function findNamed(
  db: Db,
  where: string,
  pictures: readonly { readonly owner_id: UserId | null }[],
): Promise<DeskPerson[]> {
  const ids = [
    ...(await idsOfNamed(db, where)),
    ...pictures.flatMap(({ owner_id }) => owner_id ?? []),
  ]
  const people = [...new Set(ids)].slice(0, NAMED_SHOWN)
  return people.map(await readDeskPeople(db, people))
}
