import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { isClosed } from './complaint-rules.ts'
import { complaintById } from './complaint-store.ts'

/**
 * An act of staff names the complaint that it answers. A closed complaint is answered in its queue only, where its user
 * learns no more than the reason. Refuses not_found where the complaint is not about this user, invalid.
 */
export async function refuseClosedCase(
  tx: Tx,
  { complaint_id, user_id }: { readonly complaint_id: number; readonly user_id: UserId },
): Promise<void> {
  const complaint = await complaintById(tx, complaint_id)
  if (complaint?.accused_id !== user_id) refuse('not_found')
  if (isClosed(complaint))
    refuse('invalid', {
      fields: [{ path: 'complaint_id', message: 'Decide this case in its queue' }],
    })
}
