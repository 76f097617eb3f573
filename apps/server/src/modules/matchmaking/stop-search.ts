import type { Ack, SearchState } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { isInCall } from '../presence/index.ts'
import {
  beginBreak,
  getAvailability,
  resume,
  sendSearchState,
  showActivity,
  showStoredBreak,
} from './availability.ts'
import { breakAfterCall } from './break-after-call.ts'
import { offers } from './enqueue.ts'
import { endPreview, findPreview } from './preview.ts'
import {
  leavePair,
  matchmakingState,
  removeSearch,
  runExclusive,
  runInBackground,
  findSearchSession,
  getWithdrawal,
  type SearchEndCause,
  type SearchSession,
} from './search-sessions.ts'

/**
 * Leaves the search: after the acknowledgement no offer and no call follows from the search. It also ends a
 * girl's break and the state after missed offers. During a call it is her wish for a break.
 */
export function stopSearch(app: App, viewer: Guest | Member): Promise<Ack<'OUT_FROM_SEARCH'>> {
  return runExclusive(app, viewer.id, async () => {
    await endBoth(app, viewer.id)
    if (viewer.kind === 'member' && viewer.role === 'girl') {
      if (isInCall(app, viewer.id)) await requestBreak(app, viewer.id)
      else await leaveBreak(app, viewer.id)
    }
    return {}
  })
}

/** Durable before the acknowledgement: a wish that cannot be stored is an error, and her page repeats it. */
async function requestBreak(app: App, girl_id: UserId): Promise<void> {
  if (await breakAfterCall.get(app)(app, girl_id, true)) return
  // Her call ended while she asked: the break begins now.
  await app.transact((tx) => beginBreak(tx, girl_id))
}

/**
 * A girl's break begins although her call put her back into search; that search ends with it. `claim` stores what allows
 * the break, in the same transaction; without it nothing happens.
 */
export function beginBreakNow(
  app: App,
  girl_id: UserId,
  claim: (tx: Tx) => Promise<boolean>,
): Promise<void> {
  return runExclusive(app, girl_id, async () => {
    // The next call has opened since: the break follows that call.
    if (isInCall(app, girl_id))
      return (await app.transact(claim)) ? requestBreak(app, girl_id) : undefined
    const hasBegun = await app.transact(async (tx) => {
      if (!(await claim(tx))) return false
      await beginBreak(tx, girl_id)
      return true
    })
    if (!hasBegun) return
    await endBoth(app, girl_id)
    await showStoredBreak(app, girl_id)
  })
}

async function leaveBreak(app: App, girl_id: UserId): Promise<void> {
  const row = await getAvailability(app.db, girl_id)
  if (!row?.on_break && !row?.missed_out) return
  await resume(app, girl_id)
  showActivity(app, girl_id, 'free')
  await sendSearchState(app, girl_id)
}

/** The same for a user who logged out, was banned or became another identity. */
export function leaveSearch(app: App, user_id: UserId): void {
  runInBackground(app, user_id, 'leaving the search', () => endBoth(app, user_id))
}

async function endBoth(app: App, user_id: UserId): Promise<void> {
  const preview = findPreview(app, user_id)
  if (preview) endPreview(app, preview, 'cancelled')
  const search = findSearchSession(app, user_id)
  if (search) await endSearch(app, search, 'stopped')
}

/**
 * Ends a search and withdraws from its offer. After the promise resolves, nothing follows from the search
 * (MA2). The withdrawal waits for an offer that is being created, and for an answer of the other side with
 * its events.
 */
export async function endSearch(
  app: App,
  search: SearchSession,
  cause: SearchEndCause,
  reason: SearchState['reason'] = cause === 'call' ? 'in_call' : undefined,
): Promise<void> {
  const { user_id, side } = search
  search.endCause = cause
  removeSearch(app, search)
  await matchmakingState(app).queue.remove(user_id)
  const { pair } = search
  if (pair) {
    await offers(app).dispatch(pair.pair_id, getWithdrawal(side, cause))
    leavePair(app, search)
  }
  if (findSearchSession(app, user_id)) return
  showActivity(app, user_id, 'free')
  await sendSearchState(app, user_id, reason)
}
