import { isDeepStrictEqual } from 'node:util'
import type { Answer, Query } from '@duet/protocol'
import type { ApprovalAct, ApprovalFact } from '@duet/protocol/contracts/approvals.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { CommandArguments } from '../../core/module.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { requireFresh, requireOtherPerson } from '../staff/index.ts'
import {
  type ApprovalRow,
  changeApproval,
  insertApproval,
  lockApproval,
  openApprovals,
} from './approval-store.ts'

/** A request that was not allowed, and an allowed act that was not done, end after a day. */
const APPROVAL_HOURS = 24
const LISTED_MAX = 100

export interface AskedAct {
  readonly act: ApprovalAct
  readonly user_id: UserId | null
  /** Everything that the act depends on: the second person reads it, and only the same act is done. */
  readonly facts: Readonly<Partial<Record<ApprovalFact, string | number | null>>>
  readonly reason: string
}

/** The answer of a command that must wait. */
export interface WaitingAct {
  readonly approval_id: number
  readonly waits: string
}

/**
 * Call it in the transaction of an act of the shell that one person may not do alone. An answer: the act is not done and
 * waits for the office. Undefined: it was allowed, and is done now; the allowance is used up. With SECOND_PERSON=off nothing
 * waits. Refuses as CommandRefused an allowance that does not exist, is of another act, was not given, was used, or is too old.
 */
export async function needSecondPerson(
  tx: Tx,
  given: CommandArguments,
  asked: AskedAct,
): Promise<WaitingAct | undefined> {
  if (!tx.app.config.second_person) return undefined
  const { approval } = given.options
  if (approval !== undefined) return useApproval(tx, given, asked)
  const { act, user_id, reason, facts } = asked
  const asked_by = operatorName(given)
  const approval_id = await insertApproval(tx, { act, user_id, reason, facts, asked_by })
  await writeAudit(tx, {
    staff: shellActor(given),
    act: 'approval_ask',
    user_id,
    reason,
    facts: { approval_id, about: act },
  })
  return {
    approval_id,
    waits: `A second person allows it in the office, page "Stopped acts", within ${APPROVAL_HOURS} hours. Then repeat the command with --approval ${approval_id}.`,
  }
}

async function useApproval(tx: Tx, given: CommandArguments, asked: AskedAct): Promise<undefined> {
  const word = given.options.approval
  const id = typeof word === 'string' ? parseId(word) : undefined
  const row = id === undefined ? undefined : await lockApproval(tx, id)
  if (!row) throw new CommandRefused('There is no request with the number of --approval.')
  const { act, user_id, facts } = asked
  if (!isDeepStrictEqual([row.act, row.user_id, row.facts], [act, user_id, facts]))
    throw new CommandRefused(`Request ${row.approval_id} is about another act.`)
  if (row.allowed_at === null)
    throw new CommandRefused(`No second person has allowed request ${row.approval_id}.`)
  if (row.used_at !== null) throw new CommandRefused(`Request ${row.approval_id} was used already.`)
  if (isOver(row.allowed_at, tx.now))
    throw new CommandRefused(`Request ${row.approval_id} is too old: ask again.`)
  await changeApproval(tx, row.approval_id, { used_at: tx.now })
  const { approval_id, allowed_by } = row
  await writeAudit(tx, {
    staff: shellActor(given),
    act: 'approval_use',
    user_id,
    facts: { approval_id, about: act, allowed_by: allowed_by! },
  })
}

function isOver(since: Temporal.Instant, now: Temporal.Instant): boolean {
  return Temporal.Instant.compare(since.add({ hours: APPROVAL_HOURS }), now) <= 0
}

/** GET v2/manager/approvals. */
export async function listApprovals(app: App): Promise<Answer<'GET v2/manager/approvals'>> {
  const since = app.clock.now().subtract({ hours: APPROVAL_HOURS })
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

/** POST v2/manager/approvals/{id}/allow. A repeat changes nothing. Refuses not_found, role_forbidden, decided, second_factor. */
export async function allowApproval(
  app: App,
  staff: Staff,
  { id }: Query<'POST v2/manager/approvals/{id}/allow'>,
): Promise<Answer<'POST v2/manager/approvals/{id}/allow'>> {
  requireFresh(app, staff)
  await app.transact(async (tx) => {
    const row = (await lockApproval(tx, id)) ?? refuse('not_found')
    const { user_id, act } = row
    if (user_id !== null) await requireOtherPerson(tx, staff, [user_id])
    if (row.allowed_by === staff.email) return
    if (row.allowed_by !== null) refuse('decided')
    if (isOver(row.asked_at, tx.now)) refuse('not_found')
    await changeApproval(tx, id, { allowed_by: staff.email, allowed_at: tx.now })
    const facts = { approval_id: id, about: act }
    await writeAudit(tx, { staff, act: 'approval_allow', user_id, facts })
  })
  return {}
}
