import type { Tx } from '../../../core/app.ts'
import { refuse } from '../../../lib/refusal.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { endByStaff, isRunning } from '../../calls/index.ts'
import { placeHold } from '../../privacy/index.ts'
import { createNonce } from '../frames/frame-nonce.ts'
import { imposeSanction } from '../sanctions/impose-sanction.ts'
import { type ComplaintStanding, holdsData, suspends, usersOfCase } from './complaint-rules.ts'
import {
  changeComplaint,
  type ComplaintRow,
  haveHadContact,
  lockComplaint,
  passComplaint,
} from './complaint-store.ts'
import { sealRecord } from './evidence.ts'
import { sealEvidence } from './evidence-store.ts'

/**
 * Asks both pages for a frame while the call runs, right after the commit and before the call may end. The accused is asked
 * for a sample: the page of the accused does not learn of the complaint.
 */
export function requestFrames(
  tx: Tx,
  { complaint_id, complainer_id, accused_id, session_id, is_panic }: ComplaintRow,
): void {
  const { app } = tx
  if (session_id === null || !isRunning(app, session_id)) return
  tx.afterCommit(() => {
    for (const user_id of usersOfCase({ accused_id, complainer_id })) {
      const nonce = createNonce(app, {
        purpose: 'complaint',
        number: complaint_id,
        user_id,
        session_id,
      })
      const isComplainer = user_id === complainer_id
      app.emit(user_id, 'frame_request', {
        session_id,
        nonce,
        reason: !isComplainer ? 'sample' : is_panic ? 'panic' : 'complaint',
        side: isComplainer ? 'both' : 'own',
      })
    }
  })
}

export function endCall(tx: Tx, session_id: number | null): void {
  const { app } = tx
  if (session_id !== null) tx.afterCommit(() => endByStaff(app, session_id, 'complaint'))
}

/**
 * A serious complaint has consequences before staff decide.
 *
 * @param by the one of staff who suspends: another decides the appeal. Without it the complaint suspends by itself.
 */
export async function actAtOnce(
  tx: Tx,
  complaint: ComplaintRow,
  standing: ComplaintStanding,
  by: string | null = complaint.opened_by,
): Promise<void> {
  const { complaint_id, accused_id, session_id } = complaint
  endCall(tx, session_id)
  const hasRecord = standing.has_contact || session_id !== null
  if (standing.is_member && hasRecord) await sealRecord(tx, complaint)
  if (!holdsData(standing)) return
  const hold_id =
    complaint.hold_id ??
    (await placeHold(tx, {
      user_id: accused_id,
      reason: `complaint ${complaint_id}`,
      placed_by: 'complaints',
    }))
  if (!suspends(complaint, standing)) return changeComplaint(tx, complaint_id, { hold_id })
  const suspension_id = await imposeSanction(tx, {
    user_id: accused_id,
    kind: 'suspension',
    reason: 'under_review',
    until: null,
    comment: '',
    automatic: by === null,
    by: by ?? `complaint ${complaint_id}`,
  })
  await changeComplaint(tx, complaint_id, { hold_id, suspension_id })
}

/**
 * Staff see signs of a minor in a complaint about something else. It counts as a ban. Without contact of the two the complaint
 * is sealed and stands first, and suspends no one. The manager who decides reads the note. A repeat changes nothing. Refuses
 * not_found, decided, bulk_stopped.
 */
export async function raiseComplaint(
  tx: Tx,
  staff: Actor,
  { complaint_id, note, by }: { complaint_id: number; note: string; by: string },
): Promise<void> {
  const complaint = (await lockComplaint(tx, complaint_id)) ?? refuse('not_found')
  if (complaint.decided_at !== null) refuse('decided')
  const hasContact = await haveHadContact(tx, complaint)
  const { reason, hold_id, suspension_id } = complaint
  if (reason === 'child' && (hasContact ? suspension_id : hold_id) !== null) return
  await checkBulk(tx, staff, 'ban')
  await changeComplaint(tx, complaint_id, { reason: 'child' })
  await passComplaint(tx, complaint_id, { note, by })
  await writeAudit(tx, {
    staff,
    act: 'complaint_raise',
    user_id: complaint.accused_id,
    reason: note,
    facts: { complaint_id },
  })
  await sealEvidence(tx, complaint_id)
  requestFrames(tx, complaint)
  const standing = { is_member: true, has_contact: true, is_doubtful: !hasContact }
  await actAtOnce(tx, { ...complaint, reason: 'child' }, standing, by)
}
