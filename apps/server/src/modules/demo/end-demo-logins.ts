import type { App } from '../../core/app.ts'
import { endLogins } from '../logins/index.ts'
import { demoUsers } from './queries.ts'

/**
 * Ends the logins of the demo users. In a demo every visitor could get such a login, and it would open
 * accounts of verified girls.
 */
export async function endDemoLogins(app: App): Promise<void> {
  const users = await demoUsers(app.db)
  if (users.length === 0) return
  await app.transact(async (tx) => {
    for (const { user_id } of users) await endLogins(tx, user_id, 'all')
  })
  app.log.info({ users: users.length }, 'the logins of the demo users have ended')
}
