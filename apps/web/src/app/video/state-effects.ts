import type { Persisted } from '@duet/client'
import type { AuthSuccess } from '@duet/protocol'
import type { CallsState } from '../../features/calls/calls-state.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import type { OwnUser } from '../../shared/video/own-user.tsx'
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

type LeftCall = Persisted['left_call']

function getLeft({ call, abandoned }: CallsState): LeftCall | null {
  return call?.leaving ? { session_id: call.session.id, how: call.leaving } : abandoned
}

/** From the press until the receipt: a page that is loaded again neither enters the call nor opens a device for it. */
export function storeLeftCall(
  { persistence }: AppServices,
  before: CallsState,
  after: CallsState,
): void {
  const left = getLeft(after)
  const known = getLeft(before)
  if (left?.session_id !== known?.session_id || left?.how !== known?.how)
    persistence.set('left_call', left ?? undefined)
}

/** The call of AUTH that was left before this page was loaded. No search follows by itself, so a girl has a break. */
export function findLeftCall(
  { persistence }: AppServices,
  { active_session }: AuthSuccess,
  role: OwnUser['role'],
): LeftCall | undefined {
  const left = persistence.get('left_call')
  if (left?.session_id !== active_session?.id) persistence.set('left_call', undefined)
  if (!left || left.session_id !== active_session?.id) return undefined
  return left.how === 'next' ? { ...left, how: role === 'girl' ? 'break' : 'end' } : left
}
