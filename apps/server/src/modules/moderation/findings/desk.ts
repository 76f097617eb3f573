import type { Answer, Body, FindingKind, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RawResponse } from '../../../core/raw-response.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import {
  endClaim,
  isLimited,
  ownAccount,
  readClaims,
  readDeskPeople,
  requireNotOwn,
  requireOtherPerson,
} from '../../staff/index.ts'
import {
  actOnUser,
  auditedWords,
  bulkKind,
  permittedDecision,
  readEarlierBan,
} from '../act-on-user.ts'
import { deskStatement, recentStatements } from '../complaints/desk-queries.ts'
import { showFrame } from '../frames/show-frame.ts'
import { picturesWithFaces } from './face-queries.ts'
import {
  countDecided,
  framesOfFindings,
  readFindings,
  readFoundUsers,
  sharedValues,
} from './finding-queries.ts'
import { type ClosedFinding, closeFindings, setStatement } from './finding-store.ts'

/** GET v2/manager/findings. */
export async function findingsQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/findings'>,
): Promise<Answer<'GET v2/manager/findings'>> {
  const is_limited = await isLimited(app, staff)
  const own = await ownAccount(app.db, staff)
  const rows = await readFoundUsers(app.db, { ...offsetAndLimit(request), is_limited, own })
  const ids = rows.map(({ user_id }) => user_id)
  const person = await readDeskPeople(app.db, ids)
  const claims = await readClaims(app.db, 'findings', ids.map(String), app.clock.now())
  const items = rows.map(({ user_id, first_at, ...row }) => ({
    user: person(user_id),
    ...row,
    first_at: wireTime(first_at),
    claim: claims.get(String(user_id)) ?? null,
  }))
  return paginate(request, items)
}

/** GET v2/manager/findings/{id}. The look is recorded before anything is read. */
export async function findingsCase(
  app: App,
  staff: Staff,
  { id: user_id }: Query<'GET v2/manager/findings/{id}'>,
): Promise<Answer<'GET v2/manager/findings/{id}'>> {
  if (!(await userById(app.db, user_id))) refuse('not_found')
  await requireNotOwn(app.db, staff, [user_id])
  await app.transact((tx) => writeAudit(tx, { staff, act: 'findings_view', user_id }))
  const rows = await readFindings(app.db, user_id)
  const statements = await recentStatements(app.db, user_id)
  const frames = await framesOfFindings(app.db, user_id)
  const framesIn = (call: number | null) =>
    frames
      .filter((frame) => frame.session_id === call)
      .map(({ frame_id, asked_at, is_flagged }) => ({
        id: frame_id,
        at: wireTime(asked_at),
        is_flagged,
      }))
  const others = rows.flatMap(({ other_id }) => other_id ?? [])
  const person = await readDeskPeople(app.db, [user_id, ...others])
  const values = await sharedValues(app.db, user_id, others)
  const faces = rows.flatMap(({ kind, other_id }) =>
    kind === 'banned_face' ? (other_id ?? []) : [],
  )
  const stored = await picturesWithFaces(app.db, faces)
  const picturesToCompare = (media_id: string | null, other: number | null) => [
    { user_id, media_id },
    ...stored.filter((picture) => picture.user_id === other),
  ]
  const sharedWith = (other: number | null) =>
    values
      .filter(({ other_id }) => other_id === other)
      .map(({ signal, at }) => ({ signal, at: at && wireTime(at) }))
  return {
    user: person(user_id),
    findings: rows.map(({ finding_id, kind, other_id, session_id, order_id, media_id, at }) => ({
      id: finding_id,
      kind: kind as FindingKind,
      other: other_id === null ? null : person(other_id),
      shared: sharedWith(other_id),
      session_id,
      order_id,
      at: wireTime(at),
      pictures: kind === 'banned_face' ? picturesToCompare(media_id, other_id) : [],
      frames: kind === 'absence' || kind === 'nudity' ? framesIn(session_id) : [],
    })),
    earlier: await countDecided(app.db, user_id),
    statements: statements.map(deskStatement),
  }
}

/** GET v2/manager/findings/{id}/frames/{frame}. */
export async function findingsFrame(
  app: App,
  staff: Staff,
  { id: user_id, frame }: Query<'GET v2/manager/findings/{id}/frames/{frame}'>,
): Promise<RawResponse> {
  await requireNotOwn(app.db, staff, [user_id])
  const frames = await framesOfFindings(app.db, user_id)
  const row = frames.find(({ frame_id }) => frame_id === frame) ?? refuse('not_found')
  return showFrame(app, staff, row)
}

/**
 * POST v2/manager/findings/{id}/decide: the act and the end of the case are one transaction. What was found later still
 * waits.
 */
export async function decideOnFindings(
  app: App,
  staff: Staff,
  {
    id: user_id,
    until_finding,
    comment,
    decision,
    ...given
  }: Query<'POST v2/manager/findings/{id}/decide'> & Body<'POST v2/manager/findings/{id}/decide'>,
): Promise<Answer<'POST v2/manager/findings/{id}/decide'>> {
  const permitted = permittedDecision(app, staff, { decision, ...given })
  const { email: by } = staff
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    // Of two decisions at once the second finds nothing that waits.
    await lockUser(tx, user_id)
    await endClaim(tx, staff, 'findings', String(user_id))
    const closed = await closeFindings(tx, { user_id, until_finding, decision, by })
    const newest = closed[0] ?? refuse('decided')
    await checkBulk(tx, staff, bulkKind(decision))
    const place = newest.session_id === null ? 'profile' : 'public_call'
    const act = { user_id, ...permitted, comment, place, by } as const
    const statement_id =
      decision === 'no_violation' ? null : await actOnUser(tx, { ...act, decision })
    if (statement_id !== null) {
      const ids = closed.map(({ finding_id }) => finding_id)
      await setStatement(tx, ids, statement_id)
    }
    if (decision === 'no_violation') await clearInvitations(tx, staff, { user_id, comment }, closed)
    const load = closed.some(({ kind }) => kind === 'nudity') ? 'severe' : 'plain'
    const earlier = await readEarlierBan(tx, user_id, { decision, statement_id })
    const facts = { decision, until_finding, ...earlier }
    const words = auditedWords(statement_id, act)
    await writeAudit(tx, { staff, act: 'findings_decide', user_id, ...words, facts, load })
    return { statement_id }
  })
}

/** The shares of an invitation that was no own account are held no longer than all others. */
async function clearInvitations(
  tx: Tx,
  { id, address }: Staff,
  { user_id: inviter_id, comment }: { readonly user_id: UserId; readonly comment: string },
  closed: readonly ClosedFinding[],
): Promise<void> {
  for (const { kind, other_id: invited_id } of closed)
    if (kind === 'referral' && invited_id !== null)
      await tx.publish('invitation_cleared', {
        inviter_id,
        invited_id,
        staff: { id, address },
        comment,
      })
}
