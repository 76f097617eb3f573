import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { SideMedia, SoundOnly } from '@duet/protocol/kernel/entities.ts'
import type { CallDraft, PeerReport } from './call-events.ts'
import type { Call, Side } from './call.ts'

const MEDIA_CHANGES_MAX = 100

/** Reads what a side sends from its last report. Before the first report a side is expected to send everything. */
export function getMedia({
  audio = true,
  video,
  data_mode = 'full',
  weak = false,
}: Call[Side]): SideMedia {
  return { audio, video, data_mode, ...(weak && { weak }) }
}

/** Keeps what a side reports about its devices. The partner learns of each change. */
export function takeMedia(draft: CallDraft, side: Side, report: PeerReport): void {
  const { call, commands, now_ms } = draft
  const party = call[side]
  const { audio, video, data_mode = 'full', weak = false } = report
  const isNews =
    party.audio !== audio ||
    party.video !== video ||
    party.data_mode !== data_mode ||
    (party.weak ?? false) !== weak
  const wasOn = { audio: party.audio ?? true, video: party.video }
  if (wasOn.audio !== audio || wasOn.video !== video) recordMedia(draft, side, { audio, video })
  party.audio = audio
  party.video = video
  party.data_mode = data_mode
  party.weak = weak
  party.video_off_at_ms = video ? null : (party.video_off_at_ms ?? now_ms)
  if (isNews) commands.push({ type: 'notify_media', of: side })
  if (side === 'girl' && video) setAgreed(draft, 'guy', false, 'girl', false)
}

/** Staff see when a device was switched off and on. A page that does it again and again is recorded no longer. */
function recordMedia(
  { call, commands }: CallDraft,
  of: Side,
  media: { readonly audio: boolean; readonly video: boolean },
): void {
  const changes = (call[of].media_changes ?? 0) + 1
  if (changes > MEDIA_CHANGES_MAX) return
  call[of].media_changes = changes
  commands.push({ type: 'record_media', of, ...media })
}

/** One side agrees, or no longer agrees, to go on without the girl's picture. With her picture no side agrees. */
export function answerSoundOnly(draft: CallDraft, side: Side, agree: boolean): void {
  const other = otherRole(side)
  const isOff = !draft.call.girl.video
  setAgreed(draft, side, agree && isOff, other, hasAgreed(draft.call, other))
}

/** Both agree: her camera that is off does not end the call. */
export function isSoundOnly(call: Call): boolean {
  return hasAgreed(call, 'guy') && hasAgreed(call, 'girl')
}

export function getSoundOnly(call: Call, side: Side): SoundOnly {
  return { own: hasAgreed(call, side), partner: hasAgreed(call, otherRole(side)) }
}

function hasAgreed(call: Call, side: Side): boolean {
  return call[side].sound_only === true
}

function setAgreed(
  { call, commands }: CallDraft,
  side: Side,
  agree: boolean,
  other: Side,
  otherAgrees: boolean,
): void {
  if (hasAgreed(call, side) === agree && hasAgreed(call, other) === otherAgrees) return
  call[side].sound_only = agree
  call[other].sound_only = otherAgrees
  commands.push({ type: 'notify_sound_only' })
}
