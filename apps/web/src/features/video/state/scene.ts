import type { PairClosedReason, SearchPair, SearchState } from '@duet/protocol'
import type { CallState, Left, Offer, RunningCall } from './call-state.ts'

type Person = Exclude<SearchPair, { kind: 'preview' }>
type Preview = Extract<SearchPair, { kind: 'preview' }>

/** What is on screen; one at a time. */
export type Scene =
  | { name: 'loading' }
  | { name: 'idle'; reason: SearchState['reason'] | null }
  | { name: 'permission'; resumes: boolean }
  | { name: 'denied'; resumes: boolean }
  | {
      name: 'searching'
      since_ms: number
      left: Left | null
      offer_closed: PairClosedReason | null
    }
  | { name: 'offered'; pair: Person; expires_at_ms: number; answer: Offer['answer'] }
  | { name: 'preview'; pair: Preview; expires_at_ms: number }
  | { name: 'connecting'; call: RunningCall }
  | { name: 'in_call'; call: RunningCall }
  | { name: 'after'; left: Left }
  | { name: 'break'; left: Left | null }
  | { name: 'paused'; reason: SearchState['reason'] | null; until_ms: number | null }

export type SceneName = Scene['name']

/** Scenes around which rail, tab bar and footer are away. */
export function isImmersive(scene: Scene): boolean {
  return scene.name !== 'idle' && scene.name !== 'loading'
}

export function isCall(scene: Scene): scene is Extract<Scene, { call: RunningCall }> {
  return scene.name === 'connecting' || scene.name === 'in_call'
}

export function sceneOf(state: CallState): Scene {
  const { me, call, offer, gate, search, left } = state
  if (!me) return { name: 'loading' }
  if (gate) return { name: gate, resumes: call !== null }
  if (call && call.leaving !== 'next') return { name: call.is_met ? 'in_call' : 'connecting', call }
  if (call) return searching(state)
  if (offer && offer.answer !== 'skip') return offeredScene(offer)
  if (search.state === 'break') return { name: 'break', left }
  if (search.state === 'paused') {
    return {
      name: 'paused',
      reason: search.reason ?? null,
      until_ms: search.until ? Date.parse(search.until) : null,
    }
  }
  if (state.starting || search.state !== 'idle') return searching(state)
  if (left) return { name: 'after', left }
  return { name: 'idle', reason: search.reason ?? null }
}

function searching({ waiting_since_ms, left, offer_closed }: CallState): Scene {
  return { name: 'searching', since_ms: waiting_since_ms, left, offer_closed }
}

function offeredScene({ pair, expires_at_ms, answer }: Offer): Scene {
  return pair.kind === 'preview'
    ? { name: 'preview', pair, expires_at_ms }
    : { name: 'offered', pair, expires_at_ms, answer }
}
