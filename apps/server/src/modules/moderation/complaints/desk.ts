import type { Answer, Body, Claim, DeskComplaint, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import {
  endClaim,
  readClaims,
  readDeskPeople,
  isLimited,
  leaveClaim,
  ownAccount,
  ownClaims,
  requireNotOwn,
  requireOtherPerson,
} from '../../staff/index.ts'
import { auditedWords, bulkKind, permittedDecision, readEarlierBan } from '../act-on-user.ts'
import { showFrame } from '../frames/show-frame.ts'
import { raiseComplaint } from './act-at-once.ts'
import { isSerious, isSevere, usersOfCase } from './complaint-rules.ts'
import { complaintById, type ComplaintRow, lockComplaint } from './complaint-store.ts'
import { accusedCard, frameOfCase, shownCall, shownFrames } from './case-view.ts'
import { readCourse } from './course.ts'
import { toTimeline } from './timeline.ts'
import { decideComplaint } from './decide-complaint.ts'
import {
  deskStatement,
  countListed,
  earlierComplaints,
  readDecided,
  readQueue,
  overturnedComplaints,
  recentStatements,
  tallyComplaints,
} from './desk-queries.ts'
import { readEvidence } from './evidence.ts'
import { evidenceFiles } from './evidence-store.ts'
import { shownNamed } from './named-content.ts'
import { countReporters } from './reporters.ts'
import { hashOfUpload, markedJpeg, portraitsForStaff, storedPicture } from '../../media/index.ts'
import { removeNamed } from '../removals/remove-named.ts'
import { isForManagers, passedView } from './pass-on.ts'

/** As many messages as the sealed record has. */
const MESSAGES_MAX = 50

/** GET v2/manager/complaints. */
export async function complaintQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/complaints'>,
): Promise<Answer<'GET v2/manager/complaints'>> {
  const page = offsetAndLimit(request)
  const own = await ownAccount(app.db, staff)
  if (request.state === 'decided') {
    const rows = await readDecided(app.db, page, own)
    return paginate(request, await shownComplaints(app, app.db, rows))
  }
  const isMine = request.state === 'mine'
  const part = {
    is_limited: await isLimited(app, staff),
    is_moderator: staff.staff_role === 'moderator',
    own,
    ids: isMine
      ? (await ownClaims(app.db, staff, 'complaints', app.clock.now())).map(Number)
      : undefined,
  }
  const [rows, { waiting }] = await Promise.all([
    readQueue(app.db, part, page),
    countListed(app.db, part),
  ])
  return paginate(request, await shownComplaints(app, app.db, rows), waiting)
}

async function shownComplaints(
  app: App,
  db: Db,
  rows: readonly ComplaintRow[],
): Promise<DeskComplaint[]> {
  const people = rows.flatMap(usersOfCase)
  const person = await readDeskPeople(db, people)
  const portraits = await portraitsForStaff(app, db, people)
  const portrait = (id: UserId) => portraits.get(id) ?? null
  const ids = rows.map(({ complaint_id }) => String(complaint_id))
  const claims = await readClaims(db, 'complaints', ids, app.clock.now())
  const reporters = await countReporters(
    db,
    rows.map(({ accused_id }) => accused_id),
  )
  return rows.map((row) => ({
    ...shownComplaint(row, person, claims.get(String(row.complaint_id))),
    ...reporters(row.accused_id),
    portraits: {
      accused: portrait(row.accused_id),
      complainer: row.complainer_id === null ? null : portrait(row.complainer_id),
    },
  }))
}

function shownComplaint(
  row: ComplaintRow,
  person: Awaited<ReturnType<typeof readDeskPeople>>,
  claim: Claim | undefined,
): Omit<DeskComplaint, 'reporters' | 'paying' | 'portraits'> {
  return {
    id: row.complaint_id,
    reason: row.reason,
    is_panic: row.is_panic,
    is_serious: isSerious(row),
    is_veiled: isSerious(row) || isSevere(row),
    for_managers: isForManagers(row),
    accused: person(row.accused_id),
    complainer: row.complainer_id === null ? null : person(row.complainer_id),
    opened_by: row.opened_by,
    comment: row.comment,
    session_id: row.session_id,
    create_time: wireTime(row.at),
    decision: row.decision as DeskComplaint['decision'],
    decided_at: row.decided_at && wireTime(row.decided_at),
    decided_by: row.decided_by,
    passed: passedView(row),
    claim: claim ?? null,
  }
}

/** GET v2/manager/complaints/{id}. The look is recorded before anything is read. */
export async function complaintCase(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/complaints/{id}'>,
): Promise<Answer<'GET v2/manager/complaints/{id}'>> {
  const row = (await complaintById(app.db, id)) ?? refuse('not_found')
  await app.transact((tx) => auditView(tx, staff, row))
  const [earlier, statements, course, files, frames] = await Promise.all([
    earlierComplaints(app.db, row),
    recentStatements(app.db, row.accused_id),
    readCourse(app.db, row, MESSAGES_MAX),
    evidenceFiles(app.db, id),
    shownFrames(app.db, row),
  ])
  const [complaint, ...others] = await shownComplaints(app, app.db, [row, ...earlier])
  const overturned = await overturnedComplaints(app.db, earlier)
  return {
    complaint: complaint!,
    earlier: others.map((one) => ({ ...one, is_taken_back: overturned.has(one.id) })),
    evidence: files.map(({ kind, source, user_id, sha256, is_sealed, at }) => ({
      kind: kind as 'record',
      source,
      user_id,
      sha256,
      sealed: is_sealed,
      at: wireTime(at),
    })),
    named: await shownNamed(app.db, row),
    call: await shownCall(app, row, course.call),
    frames,
    accused_card: await accusedCard(app, row.accused_id),
    timeline: toTimeline(row, course, frames),
    statements: statements.map(deskStatement),
    about_accused: await tallyComplaints(app.db, 'accused_id', row.accused_id),
    by_complainer:
      row.complainer_id === null
        ? null
        : await tallyComplaints(app.db, 'complainer_id', row.complainer_id),
  }
}

/** GET v2/manager/complaints/{id}/frames/{frame}. */
export async function complaintFrame(
  app: App,
  staff: Staff,
  { id, frame }: Query<'GET v2/manager/complaints/{id}/frames/{frame}'>,
): Promise<RawResponse> {
  const row = (await complaintById(app.db, id)) ?? refuse('not_found')
  const shown = (await frameOfCase(app.db, row, frame)) ?? refuse('not_found')
  return showFrame(app, staff, shown)
}

async function auditView(
  tx: Tx,
  staff: Staff,
  { complaint_id, accused_id, complainer_id }: ComplaintRow,
): Promise<void> {
  const facts = { complaint_id }
  await requireNotOwn(tx, staff, usersOfCase({ accused_id, complainer_id }))
  await writeAudit(tx, { staff, act: 'complaint_view', user_id: accused_id, facts })
}

/** GET v2/manager/complaints/{id}/evidence/{kind}: the picture names its viewer. */
export async function complaintPicture(
  app: App,
  staff: Staff,
  { id, kind, source }: Query<'GET v2/manager/complaints/{id}/evidence/{kind}'>,
): Promise<RawResponse> {
  const row = (await complaintById(app.db, id)) ?? refuse('not_found')
  const files = await evidenceFiles(app.db, id)
  const file = files.find((one) => one.kind === kind && one.source === source)
  // The reported picture is shown from the start, and its copy of the evidence when it is gone.
  if (!file && (kind !== 'picture' || source !== row.media_id)) refuse('not_found')
  await app.transact((tx) => auditView(tx, staff, row))
  const bytes = await (file ? readEvidence(app, file) : storedPicture(app, source))
  return markedJpeg(app, staff, bytes ?? refuse('not_found'), `complaint ${id}`)
}

/** POST v2/manager/complaints/{id}/decide. */
export async function decideOnComplaint(
  app: App,
  staff: Staff,
  {
    id,
    comment,
    remove = false,
    ...given
  }: Query<'POST v2/manager/complaints/{id}/decide'> &
    Body<'POST v2/manager/complaints/{id}/decide'>,
): Promise<Answer<'POST v2/manager/complaints/{id}/decide'>> {
  const { decision } = given
  const permitted = permittedDecision(app, staff, given)
  if (remove && decision === 'no_violation') refuse('invalid')
  const picture = remove ? (await complaintById(app.db, id))?.media_id : null
  // Reading a picture again takes long: it happens before the transaction.
  const hash = picture ? await hashOfUpload(app, picture) : undefined
  return app.transact(async (tx) => {
    // Of a raise and a decision at once the second sees what the first has made of the complaint.
    const row = (await lockComplaint(tx, id)) ?? refuse('not_found')
    await requireOtherPerson(tx, staff, usersOfCase(row))
    if (isForManagers(row) && staff.staff_role === 'moderator') refuse('role_forbidden')
    await endClaim(tx, staff, 'complaints', String(id))
    const input = { decision, ...permitted, comment, by: staff.email }
    await checkBulk(tx, staff, bulkKind(decision))
    if (remove) await removeNamed(tx, staff, row, { reason: permitted.reason, comment, hash })
    const { statement_id } = await decideComplaint(tx, id, input)
    const earlier = await readEarlierBan(tx, row.accused_id, { decision, statement_id })
    await writeAudit(tx, {
      staff,
      act: 'complaint_decide',
      user_id: row.accused_id,
      ...auditedWords(statement_id, input),
      facts: { complaint_id: id, decision, ...earlier },
      load: isSevere(row) ? 'severe' : 'plain',
    })
    return { statement_id }
  })
}

/** POST v2/manager/complaints/{id}/raise. */
export async function raiseOnDesk(
  app: App,
  staff: Staff,
  {
    id,
    note,
  }: Query<'POST v2/manager/complaints/{id}/raise'> & Body<'POST v2/manager/complaints/{id}/raise'>,
): Promise<Answer<'POST v2/manager/complaints/{id}/raise'>> {
  await app.transact(async (tx) => {
    const row = (await lockComplaint(tx, id)) ?? refuse('not_found')
    await requireOtherPerson(tx, staff, usersOfCase(row))
    await leaveClaim(tx, staff, 'complaints', String(id))
    await raiseComplaint(tx, staff, { complaint_id: id, note, by: staff.email })
  })
  return {}
}
