import {
  type Answer,
  type Body,
  type Claim,
  type CountedPage,
  endpoints,
  type QueueName,
} from '@duet/protocol'
import { CaseId, queueNames } from '@duet/protocol/contracts/staff-desk.ts'
import { mayRequest } from '@duet/protocol/kernel/who.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { WaitingCases } from '../../core/hooks.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { isRefusal, refuse } from '../../lib/refusal.ts'
import { sharedRead } from '../../platform/database/statements/shared-read.ts'
import { writeAudit } from '../audit/index.ts'
import { requireOtherPerson } from './own-accounts.ts'
import { isLimited, readLoad } from './load.ts'
import { keepNewestClaims, putClaim, removeClaim } from './claims-store.ts'
import { recordCase } from './misuse/misuse-store.ts'

/** The claims of these cases of a queue at this moment. */
export async function readClaims(
  db: Db,
  queue: QueueName,
  items: readonly string[],
  now: Temporal.Instant,
): Promise<ReadonlyMap<string, Claim>> {
  if (items.length === 0) return new Map()
  const rows = await db
    .selectFrom('staff_claims as claim')
    .innerJoin('staff_members as member', 'member.id', 'claim.staff_id')
    .select(['claim.item', 'claim.staff_id', 'claim.until', 'member.email'])
    .where('claim.queue', '=', queue)
    .where('claim.item', 'in', items)
    .where('claim.until', '>', now)
    .execute()
  return new Map(
    rows.map(({ item, staff_id, email, until }) => [
      item,
      { staff_id, email, until: wireTime(until) },
    ]),
  )
}

/** A case of the queue may be decided by this role. */
function mayDecide(staff: Staff, queue: CountedPage): boolean {
  const contract =
    queue === 'approvals'
      ? endpoints['POST v2/manager/approvals/{id}/allow']
      : endpoints[`POST v2/manager/${queue}/{id}/decide`]
  return mayRequest(staff, contract) === null
}

/** The cases of a queue that a member of staff has now. */
export async function ownClaims(
  db: Db,
  { id: staff_id }: Staff,
  queue: QueueName,
  now: Temporal.Instant,
): Promise<string[]> {
  const rows = await db
    .selectFrom('staff_claims')
    .select('item')
    .where('staff_id', '=', staff_id)
    .where('queue', '=', queue)
    .where('until', '>', now)
    .execute()
  return rows.map(({ item }) => item)
}

/**
 * POST v2/manager/claim: of a case that waits and that this role may decide. Managers and owners may take over the case of
 * another. Refuses not_found, role_forbidden, also for a severe case to those who had many of them, and claimed with the claim of the other member of staff.
 */
export async function claimCase(
  app: App,
  staff: Staff,
  { queue, id, take_over }: Body<'POST v2/manager/claim'>,
): Promise<Answer<'POST v2/manager/claim'>> {
  const mayTakeOver = mayRequest(staff, { who: 'manager' }) === null
  if (!mayDecide(staff, queue) || (take_over && !mayTakeOver)) refuse('role_forbidden')
  const isLimitedNow = await isLimited(app, staff)
  return app.transact(async (tx) => {
    const former = (await readClaims(tx, queue, [id], tx.now)).get(id)
    // A case that is open already is decided to its end.
    const is_limited = former?.staff_id !== staff.id && isLimitedNow
    const users = await app.hooks.caseUsers(tx, { queue, id }, { staff, now: tx.now, is_limited })
    if (!users) refuse('not_found')
    await requireOtherPerson(tx, staff, users)
    const isOwn = await putClaim(tx, staff.id, { queue, id, take_over })
    const claim = (await readClaims(tx, queue, [id], tx.now)).get(id)
    if (!isOwn || !claim) refuse('claimed', { claim })
    await keepNewestClaims(tx, staff.id, { queue, id })
    await recordCase(tx, staff.id, users)
    if (former && former.staff_id !== staff.id)
      await writeAudit(tx, {
        staff,
        act: 'claim_take',
        facts: { queue, id, from: former.staff_id },
      })
    return { claim }
  })
}

/** The cases with this id that wait and that this member of staff may decide, of every queue. */
export async function findWaiting(app: App, staff: Staff, id: string) {
  const found = []
  const viewer = { staff, now: app.clock.now(), is_limited: await isLimited(app, staff) }
  const own = CaseId.safeParse(id).success ? queueNames : []
  for (const queue of own.filter((each) => mayDecide(staff, each))) {
    // A case of another person, or one that waits for another role, is not found.
    const users = await app.hooks
      .caseUsers(app.db, { queue, id }, viewer)
      .catch((error: unknown) =>
        isRefusal(error, 'role_forbidden') ? undefined : Promise.reject(error),
      )
    if (users) found.push({ kind: queue, id, users, is_waiting: true })
  }
  return found
}

/** POST v2/manager/release. Repeating it changes nothing. */
export async function releaseCase(
  app: App,
  { id: staff_id }: Staff,
  { queue, id }: Body<'POST v2/manager/release'>,
): Promise<Answer<'POST v2/manager/release'>> {
  await app.transact((tx) => removeClaim(tx, staff_id, queue, id))
  return {}
}

/**
 * For the transaction of a decision: the case is of this member of staff or free, and its claim ends. Without a claim the
 * member must be permitted to take the case now. Refuses claimed, role_forbidden.
 */
export async function endClaim(tx: Tx, staff: Staff, queue: QueueName, id: string): Promise<void> {
  const isOwn = await leaveClaim(tx, staff, queue, id)
  if (isOwn || !(await isLimited(tx.app, staff, tx))) return
  await tx.app.hooks.caseUsers(tx, { queue, id }, { staff, now: tx.now, is_limited: true })
}

/**
 * The same for an act that hands the case to others, which is open to everybody at any time. Returns whether the member had
 * the case. Refuses claimed.
 */
export async function leaveClaim(
  tx: Tx,
  staff: Staff,
  queue: QueueName,
  id: string,
): Promise<boolean> {
  const claim = (await readClaims(tx, queue, [id], tx.now)).get(id)
  if (claim && claim.staff_id !== staff.id) refuse('claimed', { claim })
  await removeClaim(tx, staff.id, queue, id)
  tx.afterCommit(() => waitingCounts.drop(tx.app))
  return claim !== undefined
}

/** Twenty members of staff poll every few seconds, and each counts the cases of all queues. A decision is counted at once. */
const COUNT_EVERY_MS = 2000
const waitingCounts = sharedRead<readonly WaitingCases[]>('staff: waiting cases', COUNT_EVERY_MS)

/** GET v2/manager/queues: the queues of the mounted modules that this member of staff works on. */
export async function showQueues(app: App, staff: Staff): Promise<Answer<'GET v2/manager/queues'>> {
  const load = await readLoad(app, staff)
  const { staff_role } = staff
  const is_limited = staff_role === 'moderator' && load.is_limited
  const queues = await waitingCounts.get(app, `${staff_role} ${is_limited}`, () =>
    app.hooks.waitingCases(app.db, { staff_role, now: app.clock.now(), is_limited }),
  )
  return {
    load,
    queues: queues
      .filter(({ queue }) => mayDecide(staff, queue))
      .map(({ queue, waiting, oldest, median_seconds = null }) => ({
        queue,
        waiting,
        oldest: oldest && wireTime(oldest),
        median_seconds,
      })),
  }
}
