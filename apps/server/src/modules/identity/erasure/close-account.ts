import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { closeUser } from './erasure-store.ts'
import { endLogins } from '../login/logins-store.ts'

/**
 * Closes the account of a member for good: no user sees it, every token is dead at the commit, and what runs ends through
 * `account_deleted`. Its data stays until the modules erase it. Repeating it changes nothing.
 */
export async function closeAccount(tx: Tx, user_id: UserId): Promise<void> {
  if (!(await closeUser(tx, user_id))) return
  await endLogins(tx, user_id, 'all')
  await tx.publish('account_deleted', { user_id })
  tx.afterCommit(async () => {
    tx.app.emit(user_id, 'force_close_connection', { reason: 'erased' })
    await tx.app.realtime.endLogin({ user_id })
  })
}
