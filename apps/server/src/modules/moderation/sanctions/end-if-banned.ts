import type { Tx } from '../../../core/app.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import { userNow } from '../../identity/index.ts'

/**
 * A ban that is committed while two users accept finds no call to end. So each call that opens looks for the ban, also a call
 * that a new server process continues.
 */
export async function endIfBanned(
  tx: Tx,
  { guy_id, girl_id }: DomainEvents['call_opened'],
): Promise<void> {
  const { app } = tx
  tx.afterCommit(async () => {
    for (const user_id of [guy_id, girl_id])
      if ((await userNow(app, user_id))?.sanction_id != null)
        await app.transact((next) => next.publish('banned', { user_id }))
  })
}
