import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Staff } from '../../../core/viewer.ts'
import { productDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import { setting } from '../../settings/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { actAtOnce, requestFrames } from './act-at-once.ts'
import {
  changeComplaint,
  type ComplaintRow,
  insertComplaint,
  latestCall,
  suspendingCase,
} from './complaint-store.ts'
import { orderCopies } from './evidence.ts'

const STANDING = { is_member: true, has_contact: true, is_doubtful: false } as const

interface ChildSign {
  readonly user_id: UserId
  /** Where staff saw the sign, for the one who decides. */
  readonly note: string
  /** The picture in which staff saw it. */
  readonly media_id?: string | undefined
  readonly actor: Actor
  /** The mail of the member of staff, or the name of an operator. */
  readonly by: string
}

/**
 * Opens a case about a minor without a complaint: the call ends, the user is suspended, and what there is of the user is
 * sealed and held. While a case suspends this user already, that case is the answer. Refuses not_found for who is no member,
 * bulk_stopped.
 */
export async function openChildCase(
  tx: Tx,
  { user_id, note, media_id, actor, by }: ChildSign,
): Promise<{ readonly complaint_id: number; readonly is_new: boolean }> {
  const user = await userById(tx, user_id)
  if (!user?.role || user.erased_at) refuse('not_found')
  // Of two starts at once the second finds the case of the first.
  await lockUser(tx, user_id)
  const former = await suspendingCase(tx, user_id)
  if (former?.is_suspended) {
    await addSign(tx, former, { user_id, note, media_id, actor })
    return { complaint_id: former.complaint_id, is_new: false }
  }
  await checkBulk(tx, actor, 'ban')
  if (former) {
    // Its suspension was lifted, and the case still waits.
    await actAtOnce(tx, former, STANDING, by)
    await keepPicture(tx, former, media_id)
    const facts = { complaint_id: former.complaint_id }
    await writeAudit(tx, { staff: actor, act: 'child_case_open', user_id, reason: note, facts })
    return { complaint_id: former.complaint_id, is_new: false }
  }
  const since = tx.now.subtract({ hours: setting(tx.app, 'frame_keep_hours') })
  const complaint = await insertComplaint(tx, {
    complainer_id: null,
    opened_by: by,
    accused_id: user_id,
    reason: 'child',
    comment: note,
    session_id: await latestCall(tx, user_id, since),
    media_id: media_id ?? null,
    day: productDay(tx.now),
  })
  if (!complaint) throw new Error(`a second case about user ${user_id} under the lock of the user`)
  requestFrames(tx, complaint)
  await actAtOnce(tx, complaint, STANDING)
  const { complaint_id } = complaint
  const facts = { complaint_id, ...(media_id !== undefined && { media_id }) }
  await writeAudit(tx, { staff: actor, act: 'child_case_open', user_id, reason: note, facts })
  return { complaint_id, is_new: true }
}

/** Another sign in a case that suspends the user: the note is in the audit log, and the picture in the evidence. */
async function addSign(
  tx: Tx,
  former: ComplaintRow,
  { user_id, note, media_id, actor }: Omit<ChildSign, 'by'>,
): Promise<void> {
  const { complaint_id } = former
  const isNewPicture = await keepPicture(tx, former, media_id)
  if (note === former.comment && !isNewPicture) return
  const facts = { complaint_id, ...(media_id !== undefined && { media_id }) }
  await writeAudit(tx, { staff: actor, act: 'child_sign', user_id, reason: note, facts })
}

/** A case names the picture of its first sign; the pictures of all signs are sealed. False: the case names this one already. */
async function keepPicture(
  tx: Tx,
  { complaint_id, accused_id, media_id: known }: ComplaintRow,
  media_id: string | undefined,
): Promise<boolean> {
  if (media_id === undefined || media_id === known) return false
  if (known === null) await changeComplaint(tx, complaint_id, { media_id })
  await orderCopies(tx, { complaint_id, accused_id }, media_id)
  return true
}

/** POST v2/manager/child-cases. Refuses not_found, role_forbidden, bulk_stopped. */
export function openOnDesk(
  app: App,
  staff: Staff,
  { user_id, note }: Body<'POST v2/manager/child-cases'>,
): Promise<Answer<'POST v2/manager/child-cases'>> {
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    return openChildCase(tx, { user_id, note, actor: staff, by: staff.email })
  })
}
