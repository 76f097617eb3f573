import type { PenaltyPlace } from '@duet/protocol/contracts/moderation.ts'
import type { Tx } from '../../../core/app.ts'
import { refuse } from '../../../lib/refusal.ts'
import { addNotice } from '../../notices/index.ts'
import { liftHold } from '../../privacy/index.ts'
import { actOnUser } from '../act-on-user.ts'
import { liftSanction } from '../sanctions/impose-sanction.ts'
import { insertTexts, markTakenBack } from '../sanctions/sanction-store.ts'
import { type ComplaintDecision, isSerious } from './complaint-rules.ts'
import { isPrivateCall } from './desk-queries.ts'
import { changeComplaint, type ComplaintRow, lockComplaint } from './complaint-store.ts'
import { namedText } from './named-content.ts'

export interface DecisionInput {
  readonly decision: ComplaintDecision
  /** The reason of the ban, or the broken rule of a warning. */
  readonly reason: string
  readonly until: Temporal.Instant | null
  /** Units of coins of a penalty. */
  readonly amount?: bigint | undefined
  readonly comment: string
  readonly by: string
}

/** Decides a complaint once: the suspension that it caused ends, and both users are notified. Refuses not_found, decided. */
export async function decideComplaint(
  tx: Tx,
  complaint_id: number,
  input: DecisionInput,
): Promise<{ complaint_id: number; statement_id: number | null }> {
  const complaint = (await lockComplaint(tx, complaint_id)) ?? refuse('not_found')
  if (complaint.decided_at !== null) refuse('decided')
  const { decision, comment, by } = input
  // The ban begins before the suspension ends: the user is at no moment free.
  const statement_id = await state(tx, complaint, input)
  if (complaint.suspension_id !== null)
    await liftSanction(tx, complaint.suspension_id, { by, comment: decision })
  if (complaint.suspension_id !== null && decision === 'no_violation')
    await markTakenBack(tx, complaint.suspension_id, by)
  // The data of a user who broke no rule may be erased again.
  if (decision === 'no_violation' && complaint.hold_id !== null)
    await liftHold(tx, complaint.hold_id)
  await changeComplaint(tx, complaint_id, {
    decision,
    statement_id,
    decided_at: tx.now,
    decided_by: by,
    decision_comment: comment,
  })
  if (complaint.complainer_id !== null)
    await addNotice(tx, {
      user_id: complaint.complainer_id,
      kind: 'complaint',
      facts: { what: decision === 'no_violation' ? 'no_violation' : 'acted', complaint_id },
      key: `complaint:${complaint_id}:decided`,
    })
  return { complaint_id, statement_id }
}

/** Where the rule was broken: the call, the message or the picture of the complaint, else the page of the accused. */
async function findPlace(
  tx: Tx,
  { session_id, message_id, media_id }: ComplaintRow,
): Promise<PenaltyPlace> {
  if (session_id !== null)
    return (await isPrivateCall(tx, session_id)) ? 'private_call' : 'public_call'
  if (message_id !== null) return 'messenger'
  return media_id === null ? 'profile' : 'gallery'
}

async function state(
  tx: Tx,
  complaint: ComplaintRow,
  { decision, ...given }: DecisionInput,
): Promise<number | null> {
  if (decision === 'no_violation') return null
  const place = await findPlace(tx, complaint)
  const { accused_id: user_id } = complaint
  const statement_id = await actOnUser(tx, { ...given, decision, user_id, place })
  // Of a serious case the accused learns the reason only.
  if (!isSerious(complaint))
    await insertTexts(tx, { statement_id, user_id }, await namedText(tx, complaint))
  return statement_id
}
