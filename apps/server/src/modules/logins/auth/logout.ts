import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { endLogins } from '../devices/logins-store.ts'
import { endGuest } from './end-guest.ts'

/** Ends this login, or all logins of the user. Their tokens are invalid before the acknowledgement is sent. */
export async function logout(
  app: App,
  viewer: Guest | Member,
  { everywhere }: Input<'LOGOUT'>,
  { connection, address }: RequestContext,
): Promise<Ack<'LOGOUT'>> {
  await app.transact(async (tx) => {
    if (viewer.kind === 'guest') await endGuest(tx, viewer.id, address)
    else await endLogins(tx, viewer.id, everywhere ? 'all' : { only: viewer.login_id })
    await tx.publish('logged_out', { user_id: viewer.id })
    tx.afterCommit(async () => {
      if (connection) await app.realtime.detach(connection)
      if (everywhere) await app.realtime.endLogin({ user_id: viewer.id })
    })
  })
  return {}
}
