import { limits } from '@duet/protocol'
import type { AppContext } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import { setNewest } from '../../../lib/bounded-map.ts'

const IDS_MAX = 100_000

/**
 * Guests who ended beyond the limit of tombstones, with the time until which a token of theirs could be valid. Nothing is
 * stored about such a guest, so a token that becomes valid again, after a restart, opens nothing.
 */
const endedGuests = perApp(
  'identity: ended guests',
  'ids of guests who ended beyond the limit of tombstones; after a restart their tokens are valid until they expire',
  () => new Map<UserId, Temporal.Instant>(),
)

/** From now on no token of this guest is accepted. */
export function rememberEndedGuest(app: AppContext, id: UserId): void {
  const until = app.clock.now().add({ hours: limits.guest_hours })
  setNewest(endedGuests(app), id, until, IDS_MAX)
}

export function isEndedGuest(app: AppContext, id: UserId): boolean {
  const until = endedGuests(app).get(id)
  return until !== undefined && Temporal.Instant.compare(app.clock.now(), until) <= 0
}
