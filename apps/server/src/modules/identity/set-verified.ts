import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { changeUser } from './users/store.ts'

/** Stores since when a user is verified, or that the user is not; the module verification decides it. */
export async function setVerified(
  tx: Tx,
  user_id: UserId,
  verified_at: Temporal.Instant | null,
): Promise<void> {
  await changeUser(tx, user_id, { verified_at })
  await tx.publish('member_updated', { user_id })
}
