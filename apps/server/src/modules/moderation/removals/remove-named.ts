import type { PhotoVerdict } from '@duet/protocol'
import { RuleName } from '@duet/protocol/contracts/moderation.ts'
import type { Tx } from '../../../core/app.ts'
import type { Staff } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { removePicture } from '../../media/index.ts'
import { writtenMessage } from '../../messenger/index.ts'
import { isClosed, isSerious } from '../complaints/complaint-rules.ts'
import type { ComplaintRow } from '../complaints/complaint-store.ts'
import { pictureReports } from '../complaints/picture-reports.ts'
import { removeStated } from './remove-message.ts'

const VERDICTS: Readonly<Record<string, PhotoVerdict>> = {
  nudity: 'nudity',
  intimate_image: 'intimate_image',
  impersonation: 'not_you',
}

interface NamedRemoval {
  /** The reason of the decision. */
  readonly reason: string
  readonly comment: string
  /** Of the picture, read before the transaction. */
  readonly hash: string | undefined
}

/**
 * Removes the picture or the message that a complaint names, as a part of its decision; what is gone stays so. A serious case
 * tells its accused nothing but the reason, so it names nothing. Refuses invalid, second_person.
 */
export async function removeNamed(
  tx: Tx,
  staff: Staff,
  complaint: ComplaintRow,
  { reason, comment, hash }: NamedRemoval,
): Promise<void> {
  const { complaint_id, message_id, media_id } = complaint
  if (isSerious(complaint) || (media_id ?? message_id) === null) refuse('invalid')
  const words = isClosed(complaint) ? '' : comment
  if (media_id !== null) {
    const reports = pictureReports.get(tx.app)
    await reports?.uphold(tx, { complaint_id, media_id }, staff)
    const verdict = VERDICTS[complaint.reason] ?? 'other'
    const removal = { id: media_id, reason: verdict, comment: words, by: staff.email, hash }
    return removePicture(tx, staff, removal)
  }
  const message = await writtenMessage(tx, message_id!)
  const rule = RuleName.safeParse(reason).data ?? 'other'
  if (message) await removeStated(tx, staff, message, { reason: rule, comment: words })
}
