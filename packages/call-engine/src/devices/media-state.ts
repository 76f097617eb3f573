/**
 * The state of one own device, camera or microphone, as a pure machine. The wish of the user outlives a release: what is `off`
 * stays off, everything else returns to `wanted`.
 */
export type MediaState =
  /** Wanted; it opens with the next request for devices. */
  | { type: 'wanted' }
  /** The browser was asked for it; the user may have to answer. */
  | { type: 'opening' }
  /** `paused`: the operating system holds the track back (a phone call, another tab). */
  | { type: 'on'; paused: boolean }
  /** Switched off by the user. A camera is closed; a microphone may stay open and carry silence. */
  | { type: 'off' }
  /** Unplugged, taken away, or none was found. */
  | { type: 'lost' }
  /** The user, the browser or the operating system refuses it. */
  | { type: 'refused' }

export type MediaEvent =
  /** The user wants it. `isOpen`: its track is open already, as that of a muted microphone. */
  | { type: 'switched_on'; isOpen: boolean }
  | { type: 'switched_off' }
  | { type: 'requested' }
  | { type: 'opened'; paused: boolean }
  | { type: 'open_failed'; isRefused: boolean }
  | { type: 'pause_changed'; paused: boolean }
  /** The track ended by itself: unplugged, or taken away by the system. */
  | { type: 'track_ended' }
  /** The page closed the track to open another one. */
  | { type: 'track_closed' }
  /** The page gives all devices back. */
  | { type: 'released' }

const WANTED: MediaState = { type: 'wanted' }
const OFF: MediaState = { type: 'off' }

/** The next state; the same object when the event changes nothing. */
export function nextMediaState(state: MediaState, event: MediaEvent): MediaState {
  if (event.type === 'switched_off') return OFF
  if (event.type === 'switched_on') {
    if (event.isOpen) return state.type === 'on' ? state : { type: 'on', paused: false }
    return state.type === 'off' ? WANTED : state
  }
  // A device that is switched off changes only by the user: an answer that arrives later does not switch it on.
  if (state.type === 'off') return state
  switch (event.type) {
    case 'requested':
      return state.type === 'on' ? state : { type: 'opening' }
    case 'opened':
      return { type: 'on', paused: event.paused }
    case 'open_failed':
      return state.type === 'on' ? state : { type: event.isRefused ? 'refused' : 'lost' }
    case 'pause_changed':
      return state.type === 'on' ? { type: 'on', paused: event.paused } : state
    case 'track_ended':
      return state.type === 'on' ? { type: 'lost' } : state
    case 'track_closed':
      return state.type === 'on' ? WANTED : state
    case 'released':
      return WANTED
  }
}

/** The device as screens show it: a wish that was not acted on yet is `off`. */
export type DeviceState = 'off' | 'opening' | 'on' | 'paused' | 'lost' | 'refused'

export function deviceStateOf(state: MediaState): DeviceState {
  if (state.type === 'wanted') return 'off'
  return state.type === 'on' && state.paused ? 'paused' : state.type
}
