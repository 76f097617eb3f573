import type { CallsState } from '../../features/calls/calls-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { playSound } from '../../shared/sound.ts'
import type { VideoState } from './video-state.ts'

/** Plays a sound for a new offer, for the partner's first frame, and for a text of the partner. */
export function playSounds(before: VideoState, after: VideoState): void {
  const { offer } = after.matchmaking
  if (offer && offer.pair.pair_id !== before.matchmaking.offer?.pair.pair_id) playSound('found')
  const { call } = after.calls
  const known = before.calls.call
  if (call?.is_met && !known?.is_met) playSound('connected')
  if (!call || call.session.id !== known?.session.id) return
  const latest = call.texts.at(-1)
  if (call.texts.length > known.texts.length && latest?.sender_id !== after.me?.id)
    playSound('message')
}

/** Every call that opens is counted on this device. */
export function followCall(
  { persistence }: AppServices,
  before: CallsState,
  after: CallsState,
): void {
  const { call } = after
  if (call?.is_fresh && call.session.id !== before.call?.session.id)
    persistence.set('chat_count', (persistence.get('chat_count') ?? 0) + 1)
}
