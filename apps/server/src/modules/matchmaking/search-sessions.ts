import type { Role } from '@duet/protocol/kernel/roles.ts'
import { createSerialQueue } from '@duet/state-machine/serial-queue.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { perApp } from '../../core/app-state.ts'
import { setting } from '../settings/index.ts'
import type { OfferEvent } from './offers/offer-rules.ts'
import { pairingRules, type PairingRules } from './queue/pairing-rules.ts'
import { MemoryMatchQueue, type MatchQueue } from './queue/match-queue.ts'

/**
 * A search of a user, from MATCH_AWAIT to its end. The next MATCH_AWAIT creates a new search. It ends with
 * the server.
 */
export interface SearchSession {
  readonly user_id: UserId
  readonly side: Role
  readonly tab_id: string
  readonly locales: readonly string[]
  /** Kept when an offer ends that this user did not decline. */
  waiting_since: Temporal.Instant
  /** The offer that is open, or being created, with the other side's search. */
  pair: SessionPair | undefined
  /** Set while the main socket is disconnected: cancels the end of the search. During that time the user is in no queue. */
  cancelGrace: (() => void) | undefined
  /** The user calls another user: until the ring is stored or refused, no offer is created from this search. */
  is_held?: boolean
  /** Nothing may follow from this search any more. */
  is_over: boolean
  /** Why the search ended while it had an offer. */
  endCause?: SearchEndCause
}

export type SearchEndCause = 'stopped' | 'went_offline' | 'call'

/** The two searches of one offer: one object that both share, found by the id of the offer. A side that left is undefined. */
export interface SessionPair {
  readonly pair_id: string
  guy: SearchSession | undefined
  girl: SearchSession | undefined
}

export const matchmakingState = perApp(
  'matchmaking: searches',
  'searches, the match queue, and which searches an offer has; a page asks again',
  (app) => ({
    queue: new MemoryMatchQueue({ rules: () => currentPairingRules(app) }) as MatchQueue,
    searches: new Map<UserId, SearchSession>(),
    pairs: new Map<string, SessionPair>(),
    /** Available searches that are in no queue (the database was unreachable, or an offer ended): the next sweep enqueues them. */
    unqueued: new Set<SearchSession>(),
    /** Commands and connection changes of a user, in the order of their arrival. */
    commands: createSerialQueue<UserId>(),
    /** A user is enqueued once at a time. */
    enqueues: createSerialQueue<UserId>(),
  }),
)

/** The rules of pairing with the current values of the settings. */
export function currentPairingRules(app: App): PairingRules {
  return pairingRules({
    language_first: setting(app, 'language_first'),
    rank_lift: setting(app, 'rank_lift'),
    rematch_minutes: setting(app, 'rematch_minutes'),
    rematch_last_only: setting(app, 'rematch_last_only'),
    rematch_anyone: setting(app, 'rematch_anyone'),
  })
}

export function findSearchSession(app: App, user_id: UserId): SearchSession | undefined {
  return matchmakingState(app).searches.get(user_id)
}

/** The search of one side of an offer, while it goes on. */
export function searchInPair(app: App, pair_id: string, side: Role): SearchSession | undefined {
  const search = matchmakingState(app).pairs.get(pair_id)?.[side]
  return search?.is_over ? undefined : search
}

/** Whether the user may be offered to another user now. */
export function isAvailable(search: SearchSession): boolean {
  const isFree = search.pair === undefined && search.cancelGrace === undefined
  return isFree && !search.is_held && !search.is_over
}

/** From here on nothing follows from this search. An offer that it has keeps it until `leavePair`. */
export function removeSearch(app: App, search: SearchSession): void {
  search.is_over = true
  search.cancelGrace?.()
  search.cancelGrace = undefined
  const { searches, unqueued } = matchmakingState(app)
  unqueued.delete(search)
  if (searches.get(search.user_id) === search) searches.delete(search.user_id)
}

/** Both searches belong to this offer from now on. */
export function joinPair(
  app: App,
  pair_id: string,
  guy: SearchSession,
  girl: SearchSession,
): SessionPair {
  const pair: SessionPair = { pair_id, guy, girl }
  guy.pair = girl.pair = pair
  matchmakingState(app).pairs.set(pair_id, pair)
  return pair
}

/** The event by which a search that ended withdraws from its offer. */
export function getWithdrawal(side: Role, cause: SearchEndCause): OfferEvent {
  return cause === 'call' ? { type: 'taken', side, by: 'call' } : { type: cause, side }
}

export function leavePair(app: App, search: SearchSession): void {
  const { pair } = search
  if (!pair) return
  search.pair = undefined
  pair[search.side] = undefined
  if (!pair.guy && !pair.girl) matchmakingState(app).pairs.delete(pair.pair_id)
}

/** The tab that sent the request, if it still has the user's connection. */
export function connectedTab(
  app: App,
  viewer: Guest | Member,
  { connection }: RequestContext,
): string | undefined {
  const active = app.realtime.local.activeConnection(viewer.id)
  const tab_id =
    connection?.identity?.user_id === viewer.id ? connection.identity.tab_id : undefined
  return active?.main && active.tab_id === tab_id ? tab_id : undefined
}

/** One command or connection change of a user at a time. */
export function runExclusive<T>(app: App, user_id: UserId, work: () => Promise<T>): Promise<T> {
  return matchmakingState(app).commands.runExclusive(user_id, work)
}

/** The same without waiting. `what` names the work in the log line of a failure. */
export function runInBackground(
  app: App,
  user_id: UserId,
  what: string,
  work: () => Promise<unknown>,
): void {
  app.background(what, runExclusive(app, user_id, work), { user_id })
}

/** Resolves when no work of any user runs or waits; a stop waits for it. */
export async function drain(app: App): Promise<void> {
  const { commands, enqueues } = matchmakingState(app)
  while (commands.size + enqueues.size > 0) {
    await commands.drain()
    await enqueues.drain()
  }
}
