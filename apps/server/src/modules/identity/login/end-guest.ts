import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { rememberEndedGuest } from './ended-guests.ts'
import { addEmptyTombstone, eraseGuest } from './guests-store.ts'
import { takeTombstone } from './login-limits.ts'

/**
 * Ends a guest, so that no token of this id is accepted again, also after a restart: the guest's row becomes a tombstone,
 * and a guest without a row leaves an empty one for as long as a token may be valid. Guests cost nothing, so the empty
 * ones are limited; this process remembers the guests beyond that.
 */
export async function endGuest(tx: Tx, id: UserId, address: string): Promise<void> {
  if (await eraseGuest(tx, id)) return
  if (await takeTombstone(tx.app, address)) await addEmptyTombstone(tx, id)
  else tx.afterCommit(() => rememberEndedGuest(tx.app, id))
}
