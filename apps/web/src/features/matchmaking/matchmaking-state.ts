import type {
  Locale,
  PairClosedReason,
  Receipt,
  SearchPair,
  SearchState,
  UserInterlocutor,
} from '@duet/protocol'
import type { ModuleEvent, ServerEvent } from '../../shared/connection/event-reducers.ts'

/** A pair that the server offers, or a preview of a pair for visitors. */
export interface OfferedPair {
  pair: SearchPair
  expires_at_ms: number
  /** The time that the server gave the offer when this page received the offer. */
  lasts_ms: number
  answer: 'accept' | 'skip' | null
}

/** A call that rings on this page: the own call, or the call of another user. */
export interface Ring {
  pair: DirectPair
  expires_at_ms: number
  lasts_ms: number
  /** `no_devices`: the user accepted, and the browser gave neither camera nor microphone. */
  answer: 'accept' | 'end' | 'no_devices' | null
}

/** The own call came to nothing: the user reads why. */
export interface EndedRing {
  pair: DirectPair
  reason: PairClosedReason
}

export type DirectPair = Exclude<SearchPair, { kind: 'preview' }>

export interface MatchmakingState {
  search: SearchState
  waiting_since_ms: number
  /** Start was pressed, or the end of a call requeues (`expected`), and the server has not confirmed it yet. */
  starting: 'pressed' | 'expected' | null
  /** The search ended during an absence of the user. */
  is_lost: boolean
  offer: OfferedPair | null
  offer_closed: PairClosedReason | null
  ring: Ring | null
  ended_ring: EndedRing | null
  /**
   * The languages that the next partner should speak. An empty list means any language. The page keeps the list until
   * the page closes.
   */
  wanted_languages: readonly Locale[]
}

export const INITIAL_MATCHMAKING: MatchmakingState = {
  search: { state: 'idle' },
  waiting_since_ms: 0,
  starting: null,
  is_lost: false,
  offer: null,
  offer_closed: null,
  ring: null,
  ended_ring: null,
  wanted_languages: [],
}

export function isSearching({ search, starting }: MatchmakingState): boolean {
  return starting !== null || search.state === 'waiting' || search.state === 'offered'
}

export type MatchmakingServerEvent = ServerEvent<ModuleEvent<'matchmaking'>>

/** Changes of the search that come from this page: the user, a timer, or a call. */
export type MatchmakingPageEvent =
  /** The search that AUTH names, or idle. */
  | { type: 'search_restored'; search: SearchState; pair: SearchPair | null; at_ms: number }
  | { type: 'languages_chosen'; languages: readonly Locale[] }
  | { type: 'start_pressed'; at_ms: number }
  | { type: 'start_failed' }
  | { type: 'stop_pressed' }
  /** The page of the search was left: offers cannot be answered elsewhere. */
  | { type: 'search_left' }
  /** The server has forgotten the search while the user was away. */
  | { type: 'search_lost' }
  | { type: 'offer_answered'; pair_id: string; answer: OfferedPair['answer'] }
  | { type: 'offer_expired'; pair_id: string }
  | { type: 'ring_answered'; pair_id: string; answer: Ring['answer'] }
  /** The time of the ring is over, or another tab took over: nothing rings here. */
  | { type: 'ring_silenced' }
  /** The user has read how the own call ended. */
  | { type: 'ring_closed' }
  /** With `ends_ring` the server has ended the ring too. Otherwise the ring continues beside the call. */
  | { type: 'call_opened'; ends_ring: boolean }
  /** A call ended and the server puts this user back in search by itself. */
  | { type: 'requeue_expected'; at_ms: number }

export type MatchmakingEvent = MatchmakingServerEvent | MatchmakingPageEvent

/** The call before the current search, for the line under the title and for the receipt of a break. */
export interface PreviousCall {
  receipt: Receipt
  person: UserInterlocutor
  /** Null when the partner or the server ended it. */
  how: string | null
}

export interface IdleView {
  reason: SearchState['reason'] | 'away' | null
}

export interface SearchingView {
  since_ms: number
  left: PreviousCall | null
  offer_closed: PairClosedReason | null
}

export interface OfferView {
  pair: Exclude<SearchPair, { kind: 'preview' }>
  expires_at_ms: number
  lasts_ms: number
  answer: OfferedPair['answer']
}

export interface PreviewView {
  pair: Extract<SearchPair, { kind: 'preview' }>
  expires_at_ms: number
  lasts_ms: number
}

export interface PausedView {
  reason: SearchState['reason'] | null
  until_ms: number | null
}
