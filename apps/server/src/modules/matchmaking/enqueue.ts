import type { Decision } from '@duet/state-machine/state-machine.ts'
import { newUuid } from '../../lib/ids.ts'
import { isRefusal } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import { readTogether } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { perApp } from '../../core/app-state.ts'
import { createProcessRuntime } from '../../platform/process/process-runtime.ts'
import { hasFreeStart } from '../allowances/index.ts'
import { lockPair } from '../blocks/index.ts'
import { userById } from '../identity/index.ts'
import { isInCall } from '../presence/index.ts'
import { setting } from '../settings/index.ts'
import { getAvailability, sendSearchState, showActivity } from './availability.ts'
import { createOfferProcess, offerRules } from './offers/offer-process.ts'
import { openOffer, type OfferCommand, type OfferOpening } from './offers/offer-rules.ts'
import type { StoredOffer } from './offers/offer-store.ts'
import { isHiddenPair, missingFunds, findOpenPair, readSearcher } from './queries.ts'
import type { MatchedPair } from './queue/match-queue.ts'
import { recordMatch, type MatchRecord } from './queue/match-record.ts'
import {
  currentPairingRules,
  isAvailable,
  joinPair,
  leavePair,
  matchmakingState,
  removeSearch,
  findSearchSession,
  type SearchSession,
} from './search-sessions.ts'
import { recordMeeting } from './store.ts'

/** The open offers of this server process. */
export const offers = perApp(
  'matchmaking: offers',
  'open offers; their rows are cancelled at the next start, because the searches are lost',
  (app) => createProcessRuntime(app, createOfferProcess(enqueueInBackground)),
)

/** Puts a search into the match queue, or creates an offer if a partner is there. */
export function enqueue(app: App, search: SearchSession): Promise<void> {
  return matchmakingState(app).enqueues.runExclusive(search.user_id, async () => {
    const searcher = await readSearcher(app, search)
    if (!isAvailable(search)) return
    matchmakingState(app).unqueued.delete(search)
    if (!searcher) return leaveQueue(app, search)
    const nowMs = app.clock.now().epochMilliseconds
    const matched = await matchmakingState(app).queue.enqueue(searcher, nowMs)
    if (matched) await createOffer(app, matched)
  })
}

/** The same without waiting; after a failure the next sweep tries again. */
export function enqueueInBackground(app: App, search: SearchSession): void {
  enqueue(app, search).catch((error: unknown) => {
    app.log.error({ err: error, user_id: search.user_id }, 'enqueueing a search failed')
    if (isAvailable(search)) matchmakingState(app).unqueued.add(search)
  })
}

/** Creates the offer of two users that the queue has matched, unless one of them left at that moment. */
export async function createOffer(app: App, { guy, girl }: MatchedPair): Promise<void> {
  const guys = findSearchSession(app, guy.user_id)
  const girls = findSearchSession(app, girl.user_id)
  if (!guys || !girls || !isAvailable(guys) || !isAvailable(girls)) {
    enqueueAvailable(app, [guys, girls])
    return
  }
  const nowMs = app.clock.now().epochMilliseconds
  const matchRecord = recordMatch({ guy, girl }, nowMs, currentPairingRules(app))
  const pair = joinPair(app, newUuid(), guys, girls)
  const outcome = await openPairedOffer(app, pair.pair_id, guys, girls, matchRecord)
  if (outcome === 'opened') return
  for (const search of [guys, girls]) if (search.pair === pair) leavePair(app, search)
  try {
    await continueSearch(app, guys, girls, outcome)
  } catch (error) {
    app.log.error({ err: error, pair_id: pair.pair_id }, 'two searches could not go on at once')
    for (const search of [guys, girls])
      if (isAvailable(search)) matchmakingState(app).unqueued.add(search)
  }
}

type CreationOutcome = 'opened' | 'withdrawn' | 'blocked' | 'taken' | 'unable' | 'failed'

/** Continues the two searches after their offer was not opened. */
async function continueSearch(
  app: App,
  guy: SearchSession,
  girl: SearchSession,
  outcome: CreationOutcome,
): Promise<void> {
  if (outcome === 'failed' || (outcome === 'taken' && !(await resolveConflict(app, guy, girl)))) {
    for (const search of [guy, girl])
      if (isAvailable(search)) matchmakingState(app).unqueued.add(search)
    return
  }
  if (outcome === 'unable') await leaveQueue(app, guy, 'no_balance')
  enqueueAvailable(app, [guy, girl])
}

function enqueueAvailable(app: App, searches: (SearchSession | undefined)[]): void {
  for (const search of searches) if (search && isAvailable(search)) enqueueInBackground(app, search)
}

/** Never rejects. */
async function openPairedOffer(
  app: App,
  pair_id: string,
  guy: SearchSession,
  girl: SearchSession,
  matchRecord: MatchRecord,
): Promise<CreationOutcome> {
  let obstacle: CreationOutcome = 'taken'
  try {
    const pairing = await findPairing(app, guy.user_id, girl.user_id)
    if (!pairing) return 'unable'
    // From here on a withdrawal waits for this creation. An earlier withdrawal has found no offer.
    if ([guy, girl].some(({ is_over, is_held }) => is_over || is_held)) return 'withdrawn'
    const isOpened = await offers(app).create(pair_id, async (tx) => {
      if (isInCall(app, guy.user_id) || isInCall(app, girl.user_id)) return undefined
      if (await isForbidden(tx, guy.user_id, girl.user_id)) {
        obstacle = 'blocked'
        return undefined
      }
      return firstDecision(tx, { pair_id, guy, girl, ...pairing }, matchRecord)
    })
    return isOpened ? 'opened' : obstacle
  } catch (error) {
    if (isOpeningRefused(error)) return 'taken'
    app.log.error({ err: error, pair_id }, 'an offer could not be created')
    return 'failed'
  }
}

/** A block between the two commits before this transaction or after it. */
async function isForbidden(tx: Tx, guy_id: UserId, girl_id: UserId): Promise<boolean> {
  await lockPair(tx, guy_id, girl_id)
  return isHiddenPair(tx, { guy_id, girl_id })
}

/**
 * The data of an offer besides the two searches. Undefined if the guy cannot pay. Read before the
 * transaction, in few statements, because no lock protects the data inside it either: an acceptance reads
 * the money again.
 */
async function findPairing(
  app: App,
  guy_id: UserId,
  girl_id: UserId,
): Promise<Pick<OfferOpening, PairingField> | undefined> {
  const { db } = app
  const [missing, isFree, guy, girl, rest] = await readTogether(db, [
    () => missingFunds(app, db, guy_id),
    () => hasFreeStart(app, db, { guy_id, girl_id, at: app.clock.now() }),
    () => userById(db, guy_id),
    () => userById(db, girl_id),
    () => getAvailability(db, girl_id),
  ])
  if (missing > 0n) return undefined
  return {
    free_seconds: isFree ? setting(app, 'paid_after') : 0,
    guy_auto_accept: guy?.auto_accept ?? false,
    girl_auto_accept: girl?.auto_accept ?? false,
    missed_before: rest?.missed_offers ?? 0,
  }
}

type PairingField = 'free_seconds' | 'guy_auto_accept' | 'girl_auto_accept' | 'missed_before'

function firstDecision(
  tx: Tx,
  {
    guy,
    girl,
    ...opening
  }: Pick<OfferOpening, PairingField | 'pair_id'> & { guy: SearchSession; girl: SearchSession },
  matchRecord: MatchRecord,
): Decision<StoredOffer, OfferCommand> {
  const { state, commands } = openOffer(
    {
      ...opening,
      guy_id: guy.user_id,
      girl_id: girl.user_id,
      guy_waiting_since: guy.waiting_since,
      girl_waiting_since: girl.waiting_since,
    },
    tx.now,
    offerRules(tx.app),
  )
  const stored: StoredOffer = {
    kind: 'random',
    offer: state,
    guy_locales: guy.locales,
    girl_locales: girl.locales,
    match_record: matchRecord,
  }
  return { state: stored, commands }
}

/**
 * A side that is in another offer or call leaves the search. If neither side leaves, a meeting is recorded,
 * because the same refusal would follow at once. False if the two must wait for the next sweep. After a
 * long wait even users who have met are matched again.
 */
async function resolveConflict(
  app: App,
  guy: SearchSession,
  girl: SearchSession,
): Promise<boolean> {
  if (await hasLostOffer(app, [guy, girl])) return false
  let isResolved = false
  for (const search of [guy, girl]) {
    if (!(await isTakenElsewhere(app, search))) continue
    isResolved = true
    await leaveQueue(app, search, 'in_call')
  }
  if (!isResolved) await app.transact((tx) => recordMeeting(tx, guy.user_id, girl.user_id, tx.now))
  return isResolved
}

/**
 * One of them is in an open offer that has no searches. The recovery closes the offer of another server process. An offer
 * of this process has lost its searches with the answer of the commit that created it: no user sees it, so it ends now.
 */
async function hasLostOffer(app: App, searches: readonly SearchSession[]): Promise<boolean> {
  let isLost = false
  for (const { user_id, side } of searches) {
    const pairId = await findOpenPair(app.db, user_id, side)
    if (pairId === undefined || matchmakingState(app).pairs.has(pairId)) continue
    isLost = true
    if (offers(app).get(pairId)) await offers(app).dispatch(pairId, { type: 'server_started' })
  }
  return isLost
}

async function isTakenElsewhere(app: App, { user_id, side }: SearchSession): Promise<boolean> {
  return isInCall(app, user_id) || (await findOpenPair(app.db, user_id, side)) !== undefined
}

/** Ends a search that has no offer. */
async function leaveQueue(
  app: App,
  search: SearchSession,
  reason?: 'no_balance' | 'in_call',
): Promise<void> {
  if (search.is_over) return
  removeSearch(app, search)
  await matchmakingState(app).queue.remove(search.user_id)
  showActivity(app, search.user_id, 'free')
  await sendSearchState(app, search.user_id, reason)
}

/** A subscriber refused to open the call, or a unique index found a party in another call. */
export function isOpeningRefused(error: unknown): boolean {
  return isRefusal(error) || (error instanceof Error && 'code' in error && error.code === '23505')
}
