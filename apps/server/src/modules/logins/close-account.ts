import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { endLoginsAndSockets } from './devices/end-logins.ts'
import { askDeletion, closeUser } from '../identity/index.ts'

/** Stores the wish of a member to leave and ends every login; until a login or the closing, others do not see the user. */
export async function setDeletionAsked(tx: Tx, user_id: UserId): Promise<void> {
  await askDeletion(tx, user_id)
  await endLoginsAndSockets(tx, user_id, 'all')
}

/**
 * Closes the account of a member who wants to leave. No user sees the account, every token is invalid at
 * the commit, and running processes end through `account_deleted`. The data stays until the modules erase
 * it. False if the user has come back.
 */
export async function closeAccount(tx: Tx, user_id: UserId): Promise<boolean> {
  if (!(await closeUser(tx, user_id))) return false
  tx.afterCommit(() => tx.app.emit(user_id, 'force_close_connection', { reason: 'erased' }))
  await endLoginsAndSockets(tx, user_id, 'all')
  await tx.publish('account_deleted', { user_id })
  return true
}
