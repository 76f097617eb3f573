import type { Answer, Body, Claim, QueueName } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { requireOtherPerson } from './own-accounts.ts'
import { readLoad } from './load.ts'
import { putClaim, removeClaim } from './claims-store.ts'

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

/** POST v2/manager/claim. Refuses claimed, with the claim of the other member of staff, and role_forbidden for an own account. */
export async function claimCase(
  app: App,
  staff: Staff,
  { queue, id }: Body<'POST v2/manager/claim'>,
): Promise<Answer<'POST v2/manager/claim'>> {
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, await app.hooks.caseUsers(tx, queue, id))
    const isOwn = await putClaim(tx, staff.id, { queue, id })
    const claim = (await readClaims(tx, queue, [id], tx.now)).get(id)
    return isOwn && claim ? { claim } : refuse('claimed', { claim })
  })
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
 * For the transaction of a decision: the case is of this member of staff or free, and its claim ends.
 * Refuses claimed.
 */
export async function endClaim(tx: Tx, staff: Staff, queue: QueueName, id: string): Promise<void> {
  const claim = (await readClaims(tx, queue, [id], tx.now)).get(id)
  if (claim && claim.staff_id !== staff.id) refuse('claimed', { claim })
  await removeClaim(tx, staff.id, queue, id)
}

/** GET v2/manager/queues: the queues that the mounted modules have. */
export async function showQueues(app: App, staff: Staff): Promise<Answer<'GET v2/manager/queues'>> {
  const queues = await app.hooks.waitingCases(app.db, staff, app.clock.now())
  return {
    load: await readLoad(app, staff),
    queues: queues.map(({ queue, waiting, oldest }) => ({
      queue,
      waiting,
      oldest: oldest && wireTime(oldest),
    })),
  }
}
