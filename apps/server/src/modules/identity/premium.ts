import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'
import { assert } from '../../lib/assert.ts'
import { notifyUserInfo } from './own-record.ts'
import { userById } from './queries.ts'
import { changeUser } from './store.ts'

/** Extends a user's Premium from its current end, or from now if it has ended. Returns the new end. */
export async function givePremium(
  tx: Tx,
  user_id: UserId,
  days: number,
): Promise<Temporal.Instant> {
  const row = await userById(tx, user_id)
  assert(row, 'a user who gets Premium has a row')
  const isRunning =
    row.premium_until !== null && Temporal.Instant.compare(row.premium_until, tx.now) > 0
  const premium_until = (isRunning ? row.premium_until! : tx.now).add({ hours: 24 * days })
  await changeUser(tx, user_id, { premium_until })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
  return premium_until
}
