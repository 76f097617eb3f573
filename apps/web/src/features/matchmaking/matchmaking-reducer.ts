import type { PairClosedReason, SearchPair, SearchState } from '@duet/protocol'
import { reduceBy, type ReducerMap } from '../../shared/connection/event-reducers.ts'
import type {
  DirectPair,
  MatchmakingEvent,
  MatchmakingPageEvent,
  MatchmakingServerEvent,
  MatchmakingState,
} from './matchmaking-state.ts'

/** The contract requires a reducer for each event. A new event without a reducer does not compile. */
export const MATCHMAKING_SERVER_EVENTS: ReducerMap<MatchmakingState, MatchmakingServerEvent> = {
  search_state: (state, { payload, at_ms }) => applySearch(state, payload, at_ms),
  search_pair: (state, { payload, at_ms }) => applyPair(state, payload, at_ms),
  search_pair_closed: (state, { payload }) =>
    closeRing(closeOffer(state, payload.pair_id, payload.reason), payload.pair_id, payload.reason),
}

const PAGE_EVENTS: ReducerMap<MatchmakingState, MatchmakingPageEvent> = {
  search_restored: restore,
  offer_expired: (state, { pair_id }) => closeOffer(state, pair_id, 'expired'),
  offer_answered: (state, { pair_id, answer }) =>
    state.offer?.pair.pair_id === pair_id ? { ...state, offer: { ...state.offer, answer } } : state,
  languages_chosen: (state, { languages }) => ({ ...state, wanted_languages: languages }),
  start_pressed: (state, { at_ms }) => ({
    ...state,
    starting: 'pressed',
    is_lost: false,
    waiting_since_ms: at_ms,
    offer_closed: null,
  }),
  start_failed: (state) => ({ ...state, starting: null }),
  stop_pressed: toIdle,
  search_left: toIdle,
  search_lost: (state) => ({ ...toIdle(state), is_lost: true }),
  ring_answered: (state, { pair_id, answer }) =>
    state.ring?.pair.pair_id === pair_id ? { ...state, ring: { ...state.ring, answer } } : state,
  ring_silenced: (state) => (state.ring ? { ...state, ring: null } : state),
  ring_closed: (state) => ({ ...state, ended_ring: null }),
  call_opened: (state, { ends_ring }) => ({
    ...toIdle(state),
    ring: ends_ring ? null : state.ring,
    ended_ring: null,
  }),
  requeue_expected: (state, { at_ms }) =>
    state.search.state === 'idle'
      ? { ...state, starting: 'expected', waiting_since_ms: at_ms }
      : state,
}

const REDUCERS: ReducerMap<MatchmakingState, MatchmakingEvent> = {
  ...MATCHMAKING_SERVER_EVENTS,
  ...PAGE_EVENTS,
}

export function isMatchmakingEvent(event: { type: string }): event is MatchmakingEvent {
  return Object.hasOwn(REDUCERS, event.type)
}

/** The search of this page as a pure function of events. An event that is applied twice changes nothing. */
export function reduceMatchmaking(
  state: MatchmakingState,
  event: MatchmakingEvent,
): MatchmakingState {
  return reduceBy(REDUCERS, state, event)
}

function toIdle(state: MatchmakingState): MatchmakingState {
  const nothing = { starting: null, is_lost: false, offer: null, offer_closed: null } as const
  return { ...state, ...nothing, search: { state: 'idle' } }
}

/** AUTH is complete: a search that it does not name is over. */
function restore(
  state: MatchmakingState,
  { search, pair, at_ms }: Extract<MatchmakingPageEvent, { type: 'search_restored' }>,
): MatchmakingState {
  const searching = applySearch({ ...state, starting: null }, search, at_ms)
  if (pair && isDirect(pair)) return applyPair({ ...searching, offer: null }, pair, at_ms)
  const silent = { ...searching, ring: null }
  return pair ? applyPair(silent, pair, at_ms) : { ...silent, offer: null }
}

function isDirect(pair: SearchPair): pair is DirectPair {
  return pair.kind === 'direct'
}

function applySearch(state: MatchmakingState, search: SearchState, atMs: number): MatchmakingState {
  const wasWaiting = isLooking(state.search) || state.starting !== null
  // The search continues during a preview. Only an offer has its own search state.
  const isPreview = state.offer?.pair.kind === 'preview' && search.state === 'waiting'
  return {
    ...state,
    search,
    is_lost: state.is_lost && search.state === 'idle',
    offer: search.state === 'offered' || isPreview ? state.offer : null,
    // An idle state that the server sent before the press arrived does not cancel the press.
    starting: state.starting === 'pressed' && search.state === 'idle' ? 'pressed' : null,
    waiting_since_ms: isLooking(search) && !wasWaiting ? atMs : state.waiting_since_ms,
  }
}

function isLooking({ state }: SearchState): boolean {
  return state === 'waiting' || state === 'offered'
}

function applyPair(state: MatchmakingState, pair: SearchPair, atMs: number): MatchmakingState {
  if (isDirect(pair)) return applyRing(state, pair, atMs)
  const known = state.offer?.pair.pair_id === pair.pair_id ? state.offer : null
  return {
    ...state,
    offer_closed: null,
    starting: null,
    search: pair.kind === 'preview' ? state.search : { state: 'offered' },
    offer: {
      pair,
      expires_at_ms: atMs + pair.expires_in_ms,
      // An offer that AUTH names again after a reconnection keeps its whole time.
      lasts_ms: Math.max(known?.lasts_ms ?? 0, pair.expires_in_ms),
      answer: known?.answer ?? null,
    },
  }
}

/** A ring is beside the search, which goes on. */
function applyRing(state: MatchmakingState, pair: DirectPair, atMs: number): MatchmakingState {
  const known = state.ring?.pair.pair_id === pair.pair_id ? state.ring : null
  return {
    ...state,
    ended_ring: null,
    ring: {
      pair,
      expires_at_ms: atMs + pair.expires_in_ms,
      lasts_ms: Math.max(known?.lasts_ms ?? 0, pair.expires_in_ms),
      answer: known?.answer ?? null,
    },
  }
}

/** The caller reads how the ring ended, unless the caller ended it; so does a callee who accepted. A missed ring has a notice. */
function closeRing(
  state: MatchmakingState,
  pair_id: string,
  reason: PairClosedReason,
): MatchmakingState {
  const { ring } = state
  if (ring?.pair.pair_id !== pair_id) return state
  const isTold =
    ring.pair.role_in_call === 'caller' ? ring.answer !== 'end' : ring.answer === 'accept'
  return { ...state, ring: null, ended_ring: isTold ? { pair: ring.pair, reason } : null }
}

function closeOffer(
  state: MatchmakingState,
  pair_id: string,
  reason: NonNullable<MatchmakingState['offer_closed']>,
): MatchmakingState {
  if (state.offer?.pair.pair_id !== pair_id) return state
  return { ...state, offer: null, offer_closed: state.offer.answer === 'skip' ? null : reason }
}
