import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { assert } from '../../lib/assert.ts'
import { notifyUserInfo } from './account.ts'
import { userById } from './queries.ts'
import { changeUser } from './store.ts'

/** Lengthens somebody's Premium from its present end, or from now. Answers its new end. */
export async function givePremium(
  tx: Tx,
  user_id: UserId,
  days: number,
): Promise<Temporal.Instant> {
  const row = await userById(tx, user_id)
  assert(row, 'whoever gets Premium has a record')
  const runs = row.premium_until !== null && Temporal.Instant.compare(row.premium_until, tx.now) > 0
  const premium_until = (runs ? row.premium_until! : tx.now).add({ hours: 24 * days })
  await changeUser(tx, user_id, { premium_until })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
  return premium_until
}
