import { limits } from '@duet/protocol'
import { perApp } from '../../../core/app-state.ts'
import { setNewest } from '../../../lib/bounded-map.ts'
import type { AppContext, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { addEmptyTombstone, eraseGuest } from '../../identity/index.ts'
import { takeTombstone } from '../credentials/login-limits.ts'

/**
 * Ends a guest, so that no token of this id is accepted again, also after a restart. The guest's row
 * becomes a tombstone. A guest without a row leaves an empty tombstone for as long as a token may be valid.
 * Creating guests is free, so empty tombstones are limited. This process remembers the guests beyond the
 * limit.
 */
export async function endGuest(tx: Tx, id: UserId, address: string): Promise<void> {
  if (await eraseGuest(tx, id)) return
  if (await takeTombstone(tx.app, address)) await addEmptyTombstone(tx, id)
  else tx.afterCommit(() => rememberEndedGuest(tx.app, id))
}

const IDS_MAX = 100_000

/**
 * Guests who ended beyond the limit of tombstones, with the time until which their tokens could be valid.
 * Nothing is stored about such a guest. So a token that becomes valid again after a restart opens nothing.
 */
const endedGuests = perApp(
  'logins: ended guests',
  'ids of guests who ended beyond the limit of tombstones; after a restart their tokens are valid until they expire',
  () => new Map<UserId, Temporal.Instant>(),
)

/** From now on no token of this guest is accepted. */
function rememberEndedGuest(app: AppContext, id: UserId): void {
  const until = app.clock.now().add({ hours: limits.guest_hours })
  setNewest(endedGuests(app), id, until, IDS_MAX)
}

export function isEndedGuest(app: AppContext, id: UserId): boolean {
  const until = endedGuests(app).get(id)
  return until !== undefined && Temporal.Instant.compare(app.clock.now(), until) <= 0
}
