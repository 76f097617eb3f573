import type { Tx } from '../../core/app.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { toWire } from '../../lib/money.ts'
import { addNotice } from './add-notice.ts'
import * as store from './store.ts'

/** Wishes between two users end with a block. */
export async function endWishesBetweenBlocked(
  tx: Tx,
  { user_id, blocked_id }: DomainEvents['blocked'],
): Promise<void> {
  await store.removeWanted(tx, user_id, blocked_id)
  await store.removeWanted(tx, blocked_id, user_id)
}

export async function noticePremiumEnd(
  tx: Tx,
  { user_id, premium_until }: DomainEvents['premium_ended'],
): Promise<void> {
  // Several processes may find the same end.
  await addNotice(tx, {
    user_id,
    kind: 'premium_ended',
    key: `premium:${premium_until.toString()}`,
  })
}

export async function noticeSecurity(
  tx: Tx,
  { user_id, what, device = '' }: DomainEvents['security_changed'],
): Promise<void> {
  await addNotice(tx, { user_id, kind: 'security', facts: { what, device } })
}

/** An addition that the user asked for is no news to that user. */
export async function noticeAddedBalance(
  tx: Tx,
  { user_id, asset, amount, reason, key, by }: DomainEvents['balance_added'],
): Promise<void> {
  if (by === 'user') return
  await addNotice(tx, {
    user_id,
    kind: reason === 'referral' ? 'referral' : 'operator',
    facts: { reason, asset, amount: toWire(asset, amount) },
    key: `balance:${key}`,
  })
}
