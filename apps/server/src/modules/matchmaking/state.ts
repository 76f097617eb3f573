import type { SearchState } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Db } from '../../core/tx.ts'
import { setActivity } from '../presence/index.ts'
import { isInCall } from './in-call.ts'
import { restOf } from './availability.ts'
import { searchOf } from './search-sessions.ts'

/** Where somebody's search stands now. */
export async function stateOf(app: App, db: Db, user_id: UserId): Promise<SearchState> {
  const search = searchOf(app, user_id)
  if (search) return { state: search.pair_id === undefined ? 'waiting' : 'offered' }
  if (isInCall(app, user_id)) return { state: 'idle', reason: 'in_call' }
  const rest = await restOf(db, user_id)
  if (rest?.paused_until && Temporal.Instant.compare(rest.paused_until, app.clock.now()) > 0)
    return pausedBy(rest.paused_until)
  if (rest?.missed_out) return { state: 'paused', reason: 'missed_offers' }
  return { state: rest?.on_break ? 'break' : 'idle' }
}

export function pausedBy(until: Temporal.Instant): SearchState {
  return { state: 'paused', reason: 'absence', until: wireTime(until) }
}

/** Says to his page where the search stands, after it changed. `reason`: why it is over, where no row says so. */
export async function tellState(
  app: App,
  user_id: UserId,
  reason?: SearchState['reason'],
): Promise<void> {
  const now = await stateOf(app, app.db, user_id)
  // A search began while the row was read: that is told by whoever began it, and must be the last word.
  if (now.state !== 'waiting' && now.state !== 'offered' && searchOf(app, user_id)) return
  app.emit(user_id, 'search_state', now.state === 'idle' && reason ? { ...now, reason } : now)
}

/** What others see of it; a call says so itself. */
export function showDoing(app: App, user_id: UserId, doing: 'searching' | 'free'): void {
  if (!isInCall(app, user_id)) setActivity(app, user_id, doing)
}
