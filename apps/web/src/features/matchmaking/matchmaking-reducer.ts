import type { SearchPair, SearchState } from '@duet/protocol'
import type { MatchmakingEvent, MatchmakingState } from './matchmaking-state.ts'

/** What the page knows of its search, as a pure function of events. An event that is applied twice changes nothing. */
export function reduceMatchmaking(
  state: MatchmakingState,
  event: MatchmakingEvent,
): MatchmakingState {
  switch (event.type) {
    case 'search_restored':
      return restore(state, event)
    case 'search_state':
      return applySearch(state, event.payload, event.at_ms)
    case 'search_pair':
      return applyPair(state, event.payload, event.at_ms)
    case 'search_pair_closed':
      return closeOffer(state, event.payload.pair_id, event.payload.reason)
    case 'offer_expired':
      return closeOffer(state, event.pair_id, 'expired')
    case 'offer_answered':
      return state.offer?.pair.pair_id === event.pair_id
        ? { ...state, offer: { ...state.offer, answer: event.answer } }
        : state
    case 'start_pressed':
      return { ...state, starting: 'pressed', waiting_since_ms: event.at_ms, offer_closed: null }
    case 'start_failed':
      return { ...state, starting: null }
    case 'stop_pressed':
    case 'call_opened':
      return {
        ...state,
        starting: null,
        search: { state: 'idle' },
        offer: null,
        offer_closed: null,
      }
    case 'requeue_expected':
      return state.search.state === 'idle'
        ? { ...state, starting: 'expected', waiting_since_ms: event.at_ms }
        : state
  }
}

/** AUTH is complete: a search that it does not name is over. */
function restore(
  state: MatchmakingState,
  { search, pair, at_ms }: Extract<MatchmakingEvent, { type: 'search_restored' }>,
): MatchmakingState {
  const searching = applySearch({ ...state, starting: null }, search, at_ms)
  return pair ? applyPair(searching, pair, at_ms) : { ...searching, offer: null }
}

function applySearch(
  state: MatchmakingState,
  search: SearchState,
  at_ms: number,
): MatchmakingState {
  const wasWaiting = isLooking(state.search) || state.starting !== null
  // A preview is shown while the search continues; only an offer has a search state of its own.
  const isPreview = state.offer?.pair.kind === 'preview' && search.state === 'waiting'
  return {
    ...state,
    search,
    offer: search.state === 'offered' || isPreview ? state.offer : null,
    // An idle state that the server sent before the press arrived does not cancel the press.
    starting: state.starting === 'pressed' && search.state === 'idle' ? 'pressed' : null,
    waiting_since_ms: isLooking(search) && !wasWaiting ? at_ms : state.waiting_since_ms,
  }
}

function isLooking({ state }: SearchState): boolean {
  return state === 'waiting' || state === 'offered'
}

function applyPair(state: MatchmakingState, pair: SearchPair, at_ms: number): MatchmakingState {
  const known = state.offer?.pair.pair_id === pair.pair_id ? state.offer : null
  return {
    offer_closed: null,
    starting: null,
    waiting_since_ms: state.waiting_since_ms,
    search: pair.kind === 'preview' ? state.search : { state: 'offered' },
    offer: { pair, expires_at_ms: at_ms + pair.expires_in_ms, answer: known?.answer ?? null },
  }
}

function closeOffer(
  state: MatchmakingState,
  pair_id: string,
  reason: NonNullable<MatchmakingState['offer_closed']>,
): MatchmakingState {
  if (state.offer?.pair.pair_id !== pair_id) return state
  return { ...state, offer: null, offer_closed: state.offer.answer === 'skip' ? null : reason }
}
