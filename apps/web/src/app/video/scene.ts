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

/** What is on screen; one scene at a time. */
export type Scene =
  | { name: 'loading' }
  | ({ name: 'idle' } & IdleView)
  | { name: 'permission'; resumes: boolean }
  | { name: 'denied'; resumes: boolean }
  | ({ name: 'searching'; left: EndedCall | null } & SearchingView)
  | ({ name: 'offered' } & OfferView)
  | ({ name: 'preview' } & PreviewView)
  | { name: 'connecting'; call: RunningCall }
  | { name: 'in_call'; call: RunningCall }
  | { name: 'after'; left: EndedCall }
  | { name: 'break'; left: EndedCall | null }
  | ({ name: 'paused' } & PausedView)

export type SceneName = Scene['name']

/** Scenes that hide rail, tab bar and footer. */
export function isImmersive(scene: Scene): boolean {
  return scene.name !== 'idle' && scene.name !== 'loading'
}

export function isCall(scene: Scene): scene is Extract<Scene, { call: RunningCall }> {
  return scene.name === 'connecting' || scene.name === 'in_call'
}

export function sceneOf(state: VideoState, gate: Gate | null): Scene {
  const { me, calls, matchmaking } = state
  const { call, left } = calls
  if (!me) return { name: 'loading' }
  if (gate) return { name: gate, resumes: call !== null }
  if (call && call.leaving !== 'next') return { name: call.is_met ? 'in_call' : 'connecting', call }
  if (call) return searching(state)
  const { offer, search, starting } = matchmaking
  if (offer && offer.answer !== 'skip') return offeredScene(offer)
  if (search.state === 'break') return { name: 'break', left }
  if (search.state === 'paused') {
    return {
      name: 'paused',
      reason: search.reason ?? null,
      until_ms: search.until ? Date.parse(search.until) : null,
    }
  }
  if (starting || search.state !== 'idle') return searching(state)
  if (left) return { name: 'after', left }
  return { name: 'idle', reason: search.reason ?? null }
}

function searching({ matchmaking, calls }: VideoState): Scene {
  const { waiting_since_ms, offer_closed } = matchmaking
  return { name: 'searching', since_ms: waiting_since_ms, left: calls.left, offer_closed }
}

function offeredScene({ pair, expires_at_ms, answer }: OfferedPair): Scene {
  return pair.kind === 'preview'
    ? { name: 'preview', pair, expires_at_ms }
    : { name: 'offered', pair, expires_at_ms, answer }
}
