import { BanReason } from '@duet/protocol/kernel/sanctions.ts'
import type { App, Tx } from '../../../core/app.ts'
import { refuse } from '../../../lib/refusal.ts'
import { addNotice } from '../../notices/index.ts'
import { liftHold } from '../../privacy/index.ts'
import { imposeSanction, liftSanction } from '../sanctions/impose-sanction.ts'
import { insertStatement } from '../sanctions/sanction-store.ts'
import type { ComplaintDecision } from './complaint-rules.ts'
import { changeComplaint, type ComplaintRow, lockComplaint } from './complaint-store.ts'

export interface DecisionInput {
  readonly decision: ComplaintDecision
  /** The reason of the ban, or the broken rule of a warning. */
  readonly reason: string
  readonly until: Temporal.Instant | null
  readonly comment: string
  readonly by: string
}

/** Decides a complaint once: the suspension that it caused ends, and both users are notified. Refuses not_found. */
export function decideComplaint(
  app: App,
  complaint_id: number,
  input: DecisionInput,
): Promise<{ complaint_id: number; statement_id: number | null }> {
  return app.transact(async (tx) => {
    const complaint = await lockComplaint(tx, complaint_id)
    if (!complaint || complaint.decided_at !== null) refuse('not_found')
    const { decision, comment, by } = input
    // The ban begins before the suspension ends: the user is at no moment free.
    const statement_id = await state(tx, complaint, input)
    if (complaint.suspension_id !== null)
      await liftSanction(tx, complaint.suspension_id, { by, comment: decision })
    // The data of a user who broke no rule may be erased again.
    if (decision === 'no_violation' && complaint.hold_id !== null)
      await liftHold(tx, complaint.hold_id)
    await changeComplaint(tx, complaint_id, {
      decision,
      decided_at: tx.now,
      decided_by: by,
      decision_comment: comment,
    })
    await addNotice(tx, {
      user_id: complaint.complainer_id,
      kind: 'complaint',
      facts: { what: decision === 'no_violation' ? 'no_violation' : 'acted', complaint_id },
      key: `complaint:${complaint_id}:decided`,
    })
    return { complaint_id, statement_id }
  })
}

async function state(
  tx: Tx,
  { accused_id: user_id, complaint_id }: ComplaintRow,
  { decision, reason, until, comment, by }: DecisionInput,
): Promise<number | null> {
  if (decision === 'no_violation') return null
  const imposed = { user_id, comment, automatic: false }
  if (decision === 'ban')
    return imposeSanction(tx, {
      ...imposed,
      kind: 'ban',
      reason: BanReason.parse(reason),
      until,
      by,
    })
  const statement_id = await insertStatement(tx, {
    ...imposed,
    kind: 'warning',
    reason,
    until: null,
    imposed_by: by,
  })
  await addNotice(tx, {
    user_id,
    kind: 'statement',
    facts: { what: 'warning', statement_id },
    key: `statement:${statement_id}:begun:${complaint_id}`,
  })
  return statement_id
}
