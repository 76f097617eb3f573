import { isDeepStrictEqual } from 'node:util'
import type { Answer, Query } from '@duet/protocol'
import type {
  ApprovalAct,
  ApprovalFact,
  ApprovalState,
} from '@duet/protocol/contracts/approvals.ts'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CountedRole, WaitingCases } from '../../core/hooks.ts'
import type { UserId } from '../../core/ids.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { requireFresh, requireIndependent, requireOtherPerson } from '../staff/index.ts'
import {
  type ApprovalRow,
  changeApproval,
  countOpen,
  insertApproval,
  lockApproval,
  openApprovals,
} from './approval-store.ts'

/** A request that was not allowed, and an allowed act that was not done, end after a day. */
export const APPROVAL_HOURS = 24
const LISTED_MAX = 100

export interface AskedAct {
  readonly act: ApprovalAct
  readonly user_id: UserId | null
  /** The other user of a case, who may not allow the act either. */
  readonly other_user_id?: UserId | null
  /** Everything that the act depends on: the second person reads it, and only the same act is done. */
  readonly facts: Readonly<Partial<Record<ApprovalFact, string | number | null>>>
}

/** The person who asks for an act or does it: a member of staff by the mail, or an operator by the name. */
export interface ActingPerson {
  readonly name: string
  readonly actor: Actor
}

/** Asks for an act that one person may not do alone. Returns the number of the request, which waits in the office. */
export async function askApproval(
  tx: Tx,
  { name, actor: staff }: ActingPerson,
  { act, user_id, other_user_id = null, facts, reason }: AskedAct & { readonly reason: string },
): Promise<number> {
  const asked = { act, user_id, other_user_id, reason, facts, asked_by: name }
  const approval_id = await insertApproval(tx, asked)
  await writeAudit(tx, {
    staff,
    act: 'approval_ask',
    user_id,
    reason,
    facts: { approval_id, about: act, ...facts },
  })
  return approval_id
}

type Unusable = 'missing' | 'other_act' | Exclude<ApprovalState, 'allowed'>

/** In the transaction of the act: uses the allowance up, or answers why it cannot be used. */
export async function useApproval(
  tx: Tx,
  actor: Actor,
  approval_id: number,
  { act, user_id, facts }: AskedAct,
): Promise<ApprovalRow | Unusable> {
  const row = await lockApproval(tx, approval_id)
  if (!row) return 'missing'
  if (!isDeepStrictEqual([row.act, row.user_id, row.facts], [act, user_id, facts]))
    return 'other_act'
  const state = approvalState(row, tx.now)
  if (state !== 'allowed') return state
  await changeApproval(tx, approval_id, { used_at: tx.now })
  await writeAudit(tx, {
    staff: actor,
    act: 'approval_use',
    user_id,
    facts: { approval_id, about: act, ...facts, allowed_by: row.allowed_by! },
  })
  return row
}

export function approvalState(
  { asked_at, allowed_at, used_at }: ApprovalRow,
  now: Temporal.Instant,
): ApprovalState {
  if (used_at) return 'used'
  const end = (allowed_at ?? asked_at).add({ hours: APPROVAL_HOURS })
  if (Temporal.Instant.compare(end, now) <= 0) return 'over'
  return allowed_at ? 'allowed' : 'waiting'
}

const firstOpen = (now: Temporal.Instant) => now.subtract({ hours: APPROVAL_HOURS })

/** How many requests wait. */
export async function countWaiting(db: Db, { now }: CountedRole): Promise<WaitingCases[]> {
  return [{ queue: 'approvals', ...(await countOpen(db, firstOpen(now))) }]
}

/** GET v2/manager/approvals. */
export async function listApprovals(app: App): Promise<Answer<'GET v2/manager/approvals'>> {
  const since = firstOpen(app.clock.now())
  const rows = await openApprovals(app.db, { since, limit: LISTED_MAX })
  return { approvals: rows.map(shown) }
}

function shown({ approval_id, act, user_id, facts, reason, asked_by, asked_at }: ApprovalRow) {
  return {
    id: approval_id,
    act: act as ApprovalAct,
    user_id,
    facts: Object.entries(facts as AskedAct['facts']).flatMap(([name, value]) =>
      value === null ? [] : { name: name as ApprovalFact, value: String(value) },
    ),
    reason,
    asked_by,
    at: wireTime(asked_at),
  }
}

/** POST v2/manager/approvals/{id}/allow. A repeat changes nothing. Refuses role_forbidden to the person who asked. */
export async function allowApproval(
  app: App,
  staff: Staff,
  { id }: Query<'POST v2/manager/approvals/{id}/allow'>,
): Promise<Answer<'POST v2/manager/approvals/{id}/allow'>> {
  requireFresh(app, staff)
  await app.transact(async (tx) => {
    const row = (await lockApproval(tx, id)) ?? refuse('not_found')
    const { user_id, other_user_id, act, facts } = row
    const users = [user_id, other_user_id].filter((user) => user !== null)
    await requireOtherPerson(tx, staff, users)
    if (mailbox(row.asked_by) === mailbox(staff.email)) refuse('role_forbidden')
    if (row.allowed_by === staff.email) return
    if (row.allowed_by !== null) refuse('decided')
    if (approvalState(row, tx.now) !== 'waiting') refuse('not_found')
    await requireIndependent(tx, staff, row.asked_by)
    await changeApproval(tx, id, { allowed_by: staff.email, allowed_at: tx.now })
    await writeAudit(tx, {
      staff,
      act: 'approval_allow',
      user_id,
      facts: { approval_id: id, about: act, ...(facts as AskedAct['facts']) },
    })
  })
  return {}
}

/** Addresses that differ in case, or in what follows a plus, are names of one mailbox. The database checks the same. */
function mailbox(name: string): string {
  return name.toLowerCase().replace(/\+[^@]*@/, '@')
}
