import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input, SearchState } from '@duet/protocol'
import { isRefusal, refuse } from '../../lib/refusal.ts'
import { perApp } from '../../core/app-state.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { requireRecentCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { toNetwork } from '../../platform/http/client-address.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { assertAgeProven, needsAgeProof } from '../verification/index.ts'
import { isInCall } from '../presence/index.ts'
import { setting } from '../settings/index.ts'
import {
  getAvailability,
  getSearchState,
  pausedState,
  readPause,
  resume,
  sendSearchState,
  showActivity,
} from './availability.ts'
import { breakAfterCall } from './break-after-call.ts'
import { enqueue } from './enqueue.ts'
import { findOwnInvitation } from './invitations/invitation-process.ts'
import { findPreview, startPreview } from './preview.ts'
import { assertMaySearch, lastLocales, mayBeOffered, missingFunds } from './queries.ts'
import {
  connectedTab,
  matchmakingState,
  runExclusive,
  runInBackground,
  findSearchSession,
  type SearchSession,
} from './search-sessions.ts'
import { endSearch } from './stop-search.ts'

/** Enters the search, or stays in it: repeating it changes nothing. */
export function startSearch(
  app: App,
  viewer: Guest | Member,
  { locales = [] }: Input<'MATCH_AWAIT'>,
  context: RequestContext,
): Promise<Ack<'MATCH_AWAIT'>> {
  return runExclusive(app, viewer.id, async () => {
    if (!viewer.age_confirmed) refuse('age_unconfirmed')
    // Only new searches are counted. Pages repeat the request of a running search, and such a search must
    // not pause.
    if (viewer.kind === 'guest') {
      if (!findPreview(app, viewer.id)) await refuseFlood(app, viewer, context)
      return startPreview(app, viewer, locales, context)
    }
    // Before what a new search needs: a user who is in a call or searches already keeps that state.
    if (isInCall(app, viewer.id)) {
      if (viewer.role === 'girl') await breakAfterCall.get(app)(app, viewer.id, false)
      refuse('in_call', { who: 'you' })
    }
    if (findOwnInvitation(app, viewer.id)) refuse('in_call', { who: 'you' })
    if (findSearchSession(app, viewer.id)) return getSearchState(app, viewer.id)
    await refuseFlood(app, viewer, context)
    if (viewer.role === 'guy') await assertAgeProven(app, viewer)
    await assertMaySearch(app, app.db, viewer.id, viewer.role)
    const tab_id = connectedTab(app, viewer, context)
    // The page disconnected while its request waited.
    if (tab_id === undefined) return getSearchState(app, viewer.id)
    return beginSearch(app, { user_id: viewer.id, side: viewer.role, tab_id, locales })
  })
}

const USERS_MAX = 100_000
/** Guests who share an address may search as often as this many of them. */
const GUESTS_OF_NETWORK = 10
const searchLimiter = perApp(
  'matchmaking: searches of users',
  'token buckets of users who start searches; start full',
  (app) => app.createRateLimiter(USERS_MAX),
)

/** Someone who looks at a card after the other may be a machine that collects them: the search pauses for a captcha. */
async function refuseFlood(
  app: App,
  viewer: Guest | Member,
  context: RequestContext,
): Promise<void> {
  const burst = setting(app, 'searches_an_hour')
  const nowMs = app.clock.now().epochMilliseconds
  const isFree = async (key: string, count: number) =>
    (await searchLimiter(app).take(key, { burst: count, per_second: count / 3600 }, nowMs)) === 0
  const ofNetwork = `network ${toNetwork(context.address)}`
  const isPermitted =
    (await isFree(String(viewer.id), burst)) &&
    // A guest chooses the id: without a token the next AUTH gives another id.
    (viewer.kind === 'member' || (await isFree(ofNetwork, burst * GUESTS_OF_NETWORK)))
  if (isPermitted) return
  try {
    await requireRecentCaptcha(app, { purpose: 'search', viewer, context })
  } catch (error) {
    if (isRefusal(error))
      context.connection?.send('search_state', { state: 'paused', reason: 'captcha' })
    throw error
  }
}

/** For a user without a search, inside `runExclusive`. Returns the state: waiting, offered, or paused. */
async function beginSearch(
  app: App,
  of: Pick<SearchSession, 'user_id' | 'side' | 'tab_id' | 'locales'>,
): Promise<SearchState> {
  const readOrResume = of.side === 'girl' ? resume : readPause
  const paused_until = await readOrResume(app, of.user_id)
  if (paused_until) return pausedState(app, of.user_id, paused_until)
  const search: SearchSession = {
    ...of,
    locales: [...new Set(of.locales)],
    waiting_since: app.clock.now(),
    pair: undefined,
    cancelGrace: undefined,
    is_over: false,
  }
  matchmakingState(app).searches.set(of.user_id, search)
  showActivity(app, of.user_id, 'searching')
  await sendSearchState(app, of.user_id)
  try {
    await enqueue(app, search)
  } catch (error) {
    await endSearch(app, search, 'stopped')
    throw error
  }
  return getSearchState(app, of.user_id)
}

/**
 * Starts a new search after a call, with the languages of the last search. A user without a connected page,
 * with a break or without money for a second does not search again.
 */
export function searchAgain(app: App, user_id: UserId): void {
  runInBackground(app, user_id, 'searching again after a call', async () => {
    const active = app.realtime.local.activeConnection(user_id)
    if (!active?.main || findSearchSession(app, user_id) || isInCall(app, user_id)) return
    if (findOwnInvitation(app, user_id)) return
    const row = await userById(app.db, user_id)
    if (!row?.role || row.erased_at) return
    const side = row.role === 'girl' ? 'girl' : 'guy'
    const obstacle = await findObstacle(app, row, side)
    if (obstacle) return sendSearchState(app, user_id, obstacle.reason)
    const locales = await lastLocales(app.db, user_id, side)
    const { state } = await beginSearch(app, { user_id, side, tab_id: active.tab_id, locales })
    if (state === 'paused') await sendSearchState(app, user_id)
  })
}

/** Why a user is not put into search again after a call; undefined: nothing prevents it. */
async function findObstacle(
  app: App,
  row: UserRow,
  side: Role,
): Promise<{ readonly reason: 'no_balance' | undefined } | undefined> {
  if (side === 'girl') {
    const isReady =
      (await mayBeOffered(app.db, row)) && !(await getAvailability(app.db, row.id))?.on_break
    return isReady ? undefined : { reason: undefined }
  }
  if ((await missingFunds(app, app.db, row.id)) > 0n) return { reason: 'no_balance' }
  return (await needsAgeProof(app, app.db, row.id)) ? { reason: undefined } : undefined
}
