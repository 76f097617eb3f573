import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { changeShare, lockFlagged, type ShareRow } from './store.ts'

/** Two people, as staff know: a locked flagged share is held and paid like every other. */
export async function releaseShare(
  tx: Tx,
  staff: Actor,
  { share_id, inviter_id: user_id }: ShareRow,
  release_comment: string,
): Promise<void> {
  const released = { released_at: tx.now, release_comment }
  await changeShare(tx, share_id, { state: 'held', flag: null, ...released })
  const act = { act: 'referral_release', user_id, reason: release_comment } as const
  await writeAudit(tx, { staff, ...act, facts: { share_id } })
}

/** Staff decided that the inviter and the invited user are two people. */
export async function releaseShares(
  tx: Tx,
  { inviter_id, invited_id, staff, comment }: DomainEvents['invitation_cleared'],
): Promise<void> {
  for (const share of await lockFlagged(tx, inviter_id, invited_id))
    await releaseShare(tx, staff, share, comment)
}
