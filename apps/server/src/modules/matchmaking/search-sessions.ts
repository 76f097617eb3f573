import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { perApp } from '../../core/module.ts'
import { setting } from '../settings/index.ts'
import { pairingRules, type Side } from './queue/pairing-rules.ts'
import { MemoryMatchQueue, type MatchQueue } from './queue/match-queue.ts'

/** Somebody's search from the wish to its end; a new wish makes a new one. Nothing of it outlives the server. */
export interface Search {
  readonly user_id: UserId
  readonly side: Side
  readonly tab_id: string
  readonly locales: readonly string[]
  /** Kept over offers that another let go. */
  waiting_since: Temporal.Instant
  /** The offer that is open, or being made. */
  pair_id: string | undefined
  /** While its main socket is gone: calls off the end that comes of it. It is offered to nobody meanwhile. */
  away: (() => void) | undefined
  /** Nothing may come of it any more. */
  over: boolean
  /** A place being taken, an offer being made: whoever ends the search waits for it. Never rejects. */
  under_way: Promise<void>
}

interface Floor {
  readonly room: MatchQueue
  readonly searches: Map<UserId, Search>
  /** They could not take their place (the database was away): the next sweep tries again. */
  readonly unseated: Set<Search>
  /** Cancels the end of an open offer, by its id. */
  readonly ends: Map<string, () => void>
}

export const floor = perApp(
  'matchmaking: searches',
  'running searches; pages search again after a restart',
  (app): Floor => ({
    room: new MemoryMatchQueue({ rules: () => rulesOf(app) }),
    searches: new Map(),
    unseated: new Set(),
    ends: new Map(),
  }),
)

function rulesOf(app: App) {
  return pairingRules({
    language_first: setting(app, 'language_first'),
    rank_lift: setting(app, 'rank_lift'),
    rematch_minutes: setting(app, 'rematch_minutes'),
    rematch_last_only: setting(app, 'rematch_last_only'),
  })
}

export function searchOf(app: App, user_id: UserId): Search | undefined {
  return floor(app).searches.get(user_id)
}

/** The search for which this offer was made, while it goes on. */
export function searchIn(app: App, user_id: UserId, pair_id: string): Search | undefined {
  const search = searchOf(app, user_id)
  return search?.pair_id === pair_id ? search : undefined
}

/** Both searches for which an offer was made, as far as they go on. */
export function searchesIn(
  app: App,
  of: { pair_id: string; guy_id: UserId; girl_id: UserId },
): Search[] {
  return [of.guy_id, of.girl_id].flatMap((id) => searchIn(app, id, of.pair_id) ?? [])
}

/** Whether it may be offered to somebody now. */
export function isFree(search: Search): boolean {
  return !search.over && search.away === undefined && search.pair_id === undefined
}

/** From here on nothing comes of it, whatever is under way. */
export function forget(app: App, search: Search): void {
  search.over = true
  search.away?.()
  search.away = undefined
  const { searches, unseated } = floor(app)
  unseated.delete(search)
  if (searches.get(search.user_id) === search) searches.delete(search.user_id)
}

/** The tab that asks, when it is still the one that holds the line. */
export function tabOf(
  app: App,
  viewer: Guest | Member,
  { connection }: RequestContext,
): string | undefined {
  const line = app.realtime.local.activeConnection(viewer.id)
  const tab_id =
    connection?.identity?.user_id === viewer.id ? connection.identity.tab_id : undefined
  return line?.main && line.tab_id === tab_id ? tab_id : undefined
}

const turns = perApp(
  'matchmaking: turns',
  'work under way per user; empty after a restart',
  () => new Map<UserId, Promise<void>>(),
)

/** One thing at a time for each user: commands and what his line does are in the order in which they came. */
export function inTurn<T>(app: App, user_id: UserId, work: () => Promise<T>): Promise<T> {
  const waiting = turns(app)
  const turn = (waiting.get(user_id) ?? Promise.resolve()).then(work)
  const done: Promise<void> = turn.then(
    () => {},
    () => {},
  )
  waiting.set(user_id, done)
  void done.then(() => waiting.get(user_id) === done && waiting.delete(user_id))
  return turn
}

/** The same for what nobody waits for. */
export function soonInTurn(
  app: App,
  user_id: UserId,
  what: string,
  work: () => Promise<unknown>,
): void {
  inTurn(app, user_id, work).catch((error: unknown) =>
    app.log.error({ err: error, user_id }, `${what} failed`),
  )
}

/** Until nothing is under way for anybody: a stop waits for it. */
export async function settled(app: App): Promise<void> {
  const { searches } = floor(app)
  while (turns(app).size > 0) await Promise.all(turns(app).values())
  await Promise.all([...searches.values()].map(({ under_way }) => under_way))
}
