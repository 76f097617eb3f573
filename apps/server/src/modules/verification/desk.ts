import { sql } from 'kysely'
import type { Answer, Body, Query } from '@duet/protocol'
import {
  askAgainReasons,
  type CheckPoint,
  checkPoints,
} from '@duet/protocol/kernel/identity-checks.ts'
import type { DeskCheck } from '@duet/protocol/contracts/verification-desk.ts'
import type { App, AppContext, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../core/hooks.ts'
import type { RawResponse } from '../../core/raw-response.ts'
import type { Staff } from '../../core/viewer.ts'
import { startOfProductDay, wireTime } from '../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../lib/paging/pagination.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import { parseDay, userById } from '../identity/index.ts'
import { markedJpeg } from '../media/index.ts'
import {
  endClaim,
  ownAccount,
  readClaims,
  readDeskPeople,
  requireFresh,
  requireNotOwn,
  requireOtherPerson,
} from '../staff/index.ts'
import type { IdentityCheck } from './check/check-rules.ts'
import { approveCheck, auditDecision, declineCheck } from './decide-check.ts'
import { readDocument } from './documents/store-documents.ts'
import { checkById, readDeskChecks, readDocuments } from './queries.ts'
import { recordView } from './store.ts'
import { medianAnswer } from '../../platform/database/statements/median-answer.ts'

/** GET v2/manager/verifications. */
export async function checkQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/verifications'>,
): Promise<Answer<'GET v2/manager/verifications'>> {
  const checks = await readDeskChecks(app.db, request.state, {
    ...offsetAndLimit(request),
    own: await ownAccount(app.db, staff),
  })
  return paginate(request, await shownChecks(app, checks))
}

async function shownChecks(app: App, checks: readonly IdentityCheck[]): Promise<DeskCheck[]> {
  const person = await readDeskPeople(
    app.db,
    checks.map(({ user_id }) => user_id),
  )
  const ids = checks.map(({ check_id }) => String(check_id))
  const claims = await readClaims(app.db, 'verifications', ids, app.clock.now())
  return checks.map((check) => ({
    id: check.check_id,
    user: person(check.user_id),
    provider: check.provider,
    state: check.state,
    document_type: check.request?.document_type ?? null,
    country: check.request?.document_country ?? null,
    create_time: wireTime(check.opened_at),
    decided_by: check.decided_by,
    claim: claims.get(String(check.check_id)) ?? null,
  }))
}

export async function countChecking(
  db: Db,
  _role: CountedRole,
  context: AppContext,
): Promise<readonly WaitingCases[]> {
  const row = await db
    .selectFrom('identity_checks')
    .select([
      sql<number>`count(*)::integer`.as('waiting'),
      (fn) => fn.fn.min('opened_at').as('oldest'),
    ])
    .where('state', '=', 'checking')
    .executeTakeFirstOrThrow()
  return [
    {
      queue: 'verifications',
      ...row,
      median_seconds: await medianAnswer(context, db, {
        table: 'identity_checks',
        asked: 'opened_at',
        answered: 'decided_at',
        by: 'decided_by',
      }),
    },
  ]
}

/** The check, after the look at it was recorded. Refuses second_factor, not_found, role_forbidden. */
async function openCheck(app: App, staff: Staff, check_id: number): Promise<IdentityCheck> {
  requireFresh(app, staff)
  const check = (await checkById(app.db, check_id)) ?? refuse('not_found')
  const { user_id } = check
  await requireNotOwn(app.db, staff, [user_id])
  await app.transact(async (tx) => {
    await recordView(tx, { check_id, user_id, viewer: staff.email })
    await writeAudit(tx, { staff, act: 'documents_view', user_id, facts: { check_id } })
  })
  return check
}

/** GET v2/manager/verifications/{id}. */
export async function checkCase(
  app: App,
  staff: Staff,
  { id }: Query<'GET v2/manager/verifications/{id}'>,
): Promise<Answer<'GET v2/manager/verifications/{id}'>> {
  const check = await openCheck(app, staff, id)
  const [shown] = await shownChecks(app, [check])
  const user = await userById(app.db, check.user_id)
  return {
    check: shown!,
    birthday: user?.birthday?.toString() ?? null,
    gesture: check.request?.gesture ?? null,
    sides: (await readDocuments(app.db, id)).map(({ side }) => side),
  }
}

/** GET v2/manager/verifications/{id}/documents/{side}. */
export async function documentPicture(
  app: App,
  staff: Staff,
  { id, side }: Query<'GET v2/manager/verifications/{id}/documents/{side}'>,
): Promise<RawResponse> {
  await openCheck(app, staff, id)
  const documents = await readDocuments(app.db, id)
  const row = documents.find((one) => one.side === side) ?? refuse('not_found')
  const picture = (await readDocument(app, row)) ?? refuse('not_found')
  return markedJpeg(app, staff, picture, `check ${id}`)
}

/** POST v2/manager/verifications/{id}/decide. */
export async function decideOnCheck(
  app: App,
  staff: Staff,
  {
    id,
    verified,
    expires,
    checked = [],
    reason,
    again = false,
    comment,
  }: Query<'POST v2/manager/verifications/{id}/decide'> &
    Body<'POST v2/manager/verifications/{id}/decide'>,
): Promise<Answer<'POST v2/manager/verifications/{id}/decide'>> {
  requireFresh(app, staff)
  const check = (await checkById(app.db, id)) ?? refuse('not_found')
  const inside = async (tx: Tx) => {
    await requireOtherPerson(tx, staff, [check.user_id])
    await endClaim(tx, staff, 'verifications', String(id))
    await auditDecision(tx, staff, check, { reason: answer?.reason ?? null, asked_again, checked })
  }
  const by = staff.email
  const answer = verified ? undefined : readAnswer({ reason, again, comment })
  const asked_again = answer?.asked_again ?? false
  if (answer) await declineCheck(app, id, { by, ...answer, inside })
  else {
    requireChecked(check, checked)
    await approveCheck(app, id, { by, expires_at: neededEnd(app, expires), inside })
  }
  return {}
}

type DecidedBody = Body<'POST v2/manager/verifications/{id}/decide'>

/** A user who is asked for better documents reads what to change: a reason that says it, or the words of staff. */
function readAnswer({
  reason = missing('reason'),
  again = false,
  comment,
}: Pick<DecidedBody, 'reason' | 'again' | 'comment'>) {
  if (again && !(askAgainReasons as readonly string[]).includes(reason)) missing('reason')
  if (again && reason === 'other' && comment === undefined) missing('comment')
  return { reason, asked_again: again, comment }
}

/** Every point of the list was found right. */
function requireChecked({ request }: IdentityCheck, checked: readonly CheckPoint[]): void {
  const isMissing = checkPoints.some(
    (point) => !checked.includes(point) && (point !== 'gesture' || request !== null),
  )
  if (isMissing) missing('checked')
}

/** The first instant after the last day of a document. */
function neededEnd(app: App, expires: string | undefined): Temporal.Instant {
  const day = expires === undefined ? undefined : parseDay(expires)
  const end = day && startOfProductDay(day.add({ days: 1 }))
  return end && Temporal.Instant.compare(end, app.clock.now()) > 0 ? end : missing('expires')
}

function missing(path: string): never {
  return refuse('invalid', { fields: [{ path, message: `The decision needs its ${path}` }] })
}
