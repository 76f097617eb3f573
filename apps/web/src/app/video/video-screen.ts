import { parseTime } from '@duet/protocol/kernel/time.ts'
import type { SearchState } from '@duet/protocol'
import type { EndedCall, RunningCall } from '../../features/calls/calls-state.ts'
import type { Gate } from '../../features/devices/device-gate.ts'
import type {
  IdleView,
  OfferedPair,
  OfferView,
  PausedView,
  PreviewView,
  SearchingView,
} from '../../features/matchmaking/matchmaking-state.ts'
import type { VideoState } from './video-state.ts'

/** The present screen of search and calls. */
export type VideoScreen =
  | { name: 'loading' }
  | ({ name: 'idle' } & IdleView)
  | { name: 'permission' }
  | { name: 'denied'; call: RunningCall | null }
  | { name: 'enter'; call: RunningCall }
  | ({ name: 'searching'; left: EndedCall | null } & SearchingView)
  | ({ name: 'offered' } & OfferView)
  | ({ name: 'preview' } & PreviewView)
  | { name: 'connecting'; call: RunningCall }
  | { name: 'in_call'; call: RunningCall }
  | { name: 'leaving'; call: RunningCall }
  | { name: 'after'; left: EndedCall }
  | { name: 'break'; left: EndedCall | null }
  | ({ name: 'paused' } & PausedView)

export type VideoScreenName = VideoScreen['name']

/** Screens that hide rail, tab bar and footer. */
export function isImmersive(screen: VideoScreen): boolean {
  return screen.name !== 'idle' && screen.name !== 'loading'
}

export function isCall(
  screen: VideoScreen,
): screen is Extract<VideoScreen, { name: 'connecting' | 'in_call' }> {
  return screen.name === 'connecting' || screen.name === 'in_call'
}

export function chooseScreen(state: VideoState, gate: Gate | null): VideoScreen {
  const { me, calls } = state
  const { call } = calls
  if (!me) return { name: 'loading' }
  if (gate === 'denied') return { name: gate, call }
  if (gate) return { name: gate }
  return call ? screenOfCall(state, call) : screenWithoutCall(state)
}

function screenOfCall(state: VideoState, call: RunningCall): VideoScreen {
  if (!call.leaving && call.entry === 'asking') return { name: 'enter', call }
  if (!call.leaving) return { name: call.is_met ? 'in_call' : 'connecting', call }
  const isOnToNext = call.leaving === 'next' && !call.is_leave_stuck
  return isOnToNext ? searching(state) : { name: 'leaving', call }
}

function screenWithoutCall(state: VideoState): VideoScreen {
  const { left } = state.calls
  const { offer, search, starting, is_lost } = state.matchmaking
  if (offer && offer.answer !== 'skip') return offeredScreen(offer)
  if (search.state === 'break') return { name: 'break', left }
  if (search.state === 'paused') return pausedScreen(search)
  if (starting || search.state !== 'idle') return searching(state)
  if (left) return { name: 'after', left }
  return { name: 'idle', reason: is_lost ? 'away' : (search.reason ?? null) }
}

function pausedScreen({ reason, until }: SearchState): VideoScreen {
  return { name: 'paused', reason: reason ?? null, until_ms: until ? parseTime(until) : null }
}

function searching({ matchmaking, calls }: VideoState): VideoScreen {
  const { waiting_since_ms, offer_closed } = matchmaking
  return { name: 'searching', since_ms: waiting_since_ms, left: calls.left, offer_closed }
}

function offeredScreen({ pair, expires_at_ms, lasts_ms, answer }: OfferedPair): VideoScreen {
  return pair.kind === 'preview'
    ? { name: 'preview', pair, expires_at_ms, lasts_ms }
    : { name: 'offered', pair, expires_at_ms, lasts_ms, answer }
}
