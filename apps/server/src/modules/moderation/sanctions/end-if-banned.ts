import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
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
  // Not awaited: a recovered call publishes this in its own queue, and the end of the call waits for that queue.
  tx.afterCommit(() => {
    for (const user_id of [guy_id, girl_id])
      app.background('ending the call of a banned user', announceBan(app, user_id), { user_id })
  })
}

/** Announces a standing ban to the other modules again. */
export async function announceBan(app: App, user_id: UserId): Promise<void> {
  if ((await userNow(app, user_id))?.sanction_id == null) return
  await app.transact((tx) => tx.publish('banned', { user_id }))
}
