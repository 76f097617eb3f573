import type { Answer, Body } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { endLogins } from './logins-store.ts'

/** Ends a login of the viewer, or all logins but the present login. Refuses not_found. */
export async function endLogin(
  app: App,
  viewer: Member,
  which: Body<'POST account/sessions/end'>,
): Promise<Answer<'POST account/sessions/end'>> {
  await app.transact(async (tx) => {
    const ended = await endLoginsAndSockets(
      tx,
      viewer.id,
      'id' in which ? { only: which.id } : { except: viewer.login_id },
    )
    if ('id' in which && ended === 0) refuse('not_found')
  })
  return {}
}

/** Ends logins and closes their sockets after the commit; returns how many there were. A call of theirs is left. */
export async function endLoginsAndSockets(
  tx: Tx,
  user_id: UserId,
  which: { only: number } | { except: number } | 'all',
): Promise<number> {
  const { realtime } = tx.app
  const ended = await endLogins(tx, user_id, which)
  const active = await realtime.activeConnection(user_id)
  if (active?.login_id != null && ended.includes(active.login_id))
    await tx.publish('logged_out', { user_id })
  tx.afterCommit(async () => {
    if (which === 'all') await realtime.endLogin({ user_id })
    else if ('only' in which) await realtime.endLogin({ user_id, login_id: which.only })
    else await realtime.endLogin({ user_id, except_login_id: which.except })
  })
  return ended.length
}
