import type { AuthSuccess } from '@duet/protocol'
import { reduceCalls } from '../../features/calls/call-reducer.ts'
import {
  INITIAL_CALLS,
  type CallsEvent,
  type CallsState,
  type RunningCall,
} from '../../features/calls/calls-state.ts'
import {
  isMatchmakingEvent,
  reduceMatchmaking,
} from '../../features/matchmaking/matchmaking-reducer.ts'
import {
  INITIAL_MATCHMAKING,
  type MatchmakingEvent,
  type MatchmakingState,
  type Ring,
} from '../../features/matchmaking/matchmaking-state.ts'
import type { OwnUser } from '../../shared/account/own-user.tsx'

/** The common state of search and calls. Each feature reduces its own events. This file connects the two features. */
export interface VideoState {
  me: OwnUser | null
  matchmaking: MatchmakingState
  calls: CallsState
}

export type VideoEvent =
  | {
      type: 'authenticated'
      auth: AuthSuccess
      me: OwnUser
      at_ms: number
      /** The call that ran in this tab before a reload. */
      call_here?: number | undefined
    }
  | { type: 'own_record_changed'; me: OwnUser }
  | { type: 'logged_out' }
  | MatchmakingEvent
  | CallsEvent

export const INITIAL_VIDEO: VideoState = {
  me: null,
  matchmaking: INITIAL_MATCHMAKING,
  calls: INITIAL_CALLS,
}

export function reduceVideo(state: VideoState, event: VideoEvent): VideoState {
  if (event.type === 'authenticated') return authenticate(state, event)
  if (event.type === 'logged_out') return INITIAL_VIDEO
  if (event.type === 'own_record_changed') return changeOwnRecord(state, event.me)
  return isMatchmakingEvent(event) ? searchEvent(state, event) : callEvent(state, event)
}

/** These events begin something new, so the receipt of the last call is closed. */
const CLOSES_RECEIPT: ReadonlySet<string> = new Set([
  'start_pressed',
  'stop_pressed',
  'search_pair',
])

function searchEvent(state: VideoState, event: MatchmakingEvent): VideoState {
  const matchmaking = reduceMatchmaking(state.matchmaking, event)
  // A ring is beside the receipt.
  const isRing = event.type === 'search_pair' && event.payload.kind === 'direct'
  const calls =
    CLOSES_RECEIPT.has(event.type) && !isRing
      ? reduceCalls(state.calls, { type: 'receipt_closed' })
      : state.calls
  return matchmaking === state.matchmaking && calls === state.calls
    ? state
    : { ...state, matchmaking, calls }
}

/** A call that opens ends the search. A call that ends may requeue the user. */
function callEvent(state: VideoState, event: CallsEvent): VideoState {
  const calls = reduceCalls(state.calls, event)
  if (calls === state.calls) return state
  const next = { ...state, calls }
  if (calls.call && calls.call.session.id !== state.calls.call?.session.id)
    return searchEvent(withAbout(next), {
      type: 'call_opened',
      ends_ring: endsRing(calls.call, state.matchmaking.ring),
    })
  if (calls.left?.is_requeued && calls.left !== state.calls.left)
    return searchEvent(next, { type: 'requeue_expected', at_ms: calls.left.at_ms })
  return next
}

/** A user who is in a public call can still be called by another user. */
function endsRing({ session }: RunningCall, ring: Ring | null): boolean {
  if (session.kind === 'direct' || session.state === 'private') return true
  const { role_in_call, user_interlocutor } = ring?.pair ?? {}
  return role_in_call === 'caller' || user_interlocutor?.id === session.user_interlocutor.id
}

/** The session does not repeat the facts about the partner from the card. */
function withAbout(state: VideoState): VideoState {
  const { call } = state.calls
  const { offer, ring } = state.matchmaking
  const pair = call?.session.kind === 'direct' ? ring?.pair : offer?.pair
  if (!call || !pair || pair.kind === 'preview') return state
  if (pair.user_interlocutor.id !== call.session.user_interlocutor.id) return state
  return { ...state, calls: { ...state.calls, call: { ...call, about: pair.about ?? null } } }
}

/** AUTH is complete: a search or a call that it does not name is over. Another identity starts from the initial state. */
function authenticate(
  before: VideoState,
  { auth, me, at_ms, call_here }: Extract<VideoEvent, { type: 'authenticated' }>,
): VideoState {
  const isSameUser = !before.me || before.me.id === me.id
  const { pair = null, ...search } = auth.search ?? { state: 'idle' as const }
  const state = isSameUser ? { ...before, me } : { ...INITIAL_VIDEO, me }
  const searching = searchEvent(state, { type: 'search_restored', search, pair, at_ms })
  const offered =
    pair && pair.kind !== 'direct'
      ? { ...searching, calls: reduceCalls(searching.calls, { type: 'receipt_closed' }) }
      : searching
  return callEvent(offered, {
    type: 'call_restored',
    own: { id: me.id, role: me.role },
    session: auth.active_session ?? null,
    at_ms,
    is_own_tab: auth.active_session?.id === call_here,
  })
}

function changeOwnRecord(state: VideoState, me: OwnUser): VideoState {
  if (state.me?.id !== me.id) return { ...INITIAL_VIDEO, me }
  if (me.balance === state.me.balance) return { ...state, me }
  return {
    ...state,
    me,
    calls: reduceCalls(state.calls, { type: 'balance_changed', balance: me.balance }),
  }
}
