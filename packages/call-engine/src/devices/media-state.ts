/**
 * The state of one own device, camera or microphone, as a pure machine. A release keeps the user's wish: an `off`
 * device stays off, every other device returns to `wanted`.
 */
export type MediaState =
  /** The user wants the device. The device opens with the next request. */
  | { type: 'wanted' }
  /** The page has asked the browser for the device. The user may have to answer. */
  | { type: 'opening' }
  /** `paused`: the operating system holds the track back (a phone call, another tab). */
  | { type: 'on'; paused: boolean }
  /** Open, and delivers no frames. */
  | { type: 'stalled' }
  /** The user switched the device off. A camera is closed. A microphone may stay open and send silence. */
  | { type: 'off' }
  /** The device was unplugged, taken away or not found. */
  | { type: 'lost' }
  /** The user, the browser or the operating system refuses it. */
  | { type: 'refused' }

export type MediaEvent =
  /** The user wants the device. `isOpen`: the track is open already, like the track of a muted microphone. */
  | { type: 'switched_on'; isOpen: boolean }
  | { type: 'switched_off' }
  | { type: 'requested' }
  | { type: 'opened'; paused: boolean }
  | { type: 'open_failed'; isRefused: boolean }
  | { type: 'pause_changed'; paused: boolean }
  | { type: 'stall_changed'; stalled: boolean }
  /** The track ended by itself: unplugged, or taken away by the system. */
  | { type: 'track_ended' }
  /** The page closed the track in order to open another track. */
  | { type: 'track_closed' }
  /** The page gives all devices back. */
  | { type: 'released' }

const WANTED: MediaState = { type: 'wanted' }
const OFF: MediaState = { type: 'off' }

/** The next state. If the event changes nothing, the same object. */
export function nextMediaState(state: MediaState, event: MediaEvent): MediaState {
  if (event.type === 'switched_off') return OFF
  if (event.type === 'switched_on') {
    if (event.isOpen) return state.type === 'on' ? state : { type: 'on', paused: false }
    return state.type === 'off' ? WANTED : state
  }
  // A device that is switched off changes only by the user: an answer that arrives later does not switch it on.
  if (state.type === 'off') return state
  if (state.type === 'on' || state.type === 'stalled') return nextOfOpen(state, event)
  switch (event.type) {
    case 'requested':
      return { type: 'opening' }
    case 'opened':
      return { type: 'on', paused: event.paused }
    case 'open_failed':
      return { type: event.isRefused ? 'refused' : 'lost' }
    case 'released':
      return WANTED
    default:
      return state
  }
}

/** The next state of a device whose track is open. */
function nextOfOpen(state: MediaState, event: MediaEvent): MediaState {
  switch (event.type) {
    case 'opened':
    case 'pause_changed':
      return { type: 'on', paused: event.paused }
    case 'stall_changed':
      return getStall(state, event.stalled)
    case 'track_ended':
      return { type: 'lost' }
    case 'track_closed':
    case 'released':
      return WANTED
    default:
      return state
  }
}

/** A camera that the system holds back is paused, not stalled. */
function getStall(state: MediaState, stalled: boolean): MediaState {
  if (state.type === 'on' && state.paused) return state
  return stalled ? { type: 'stalled' } : { type: 'on', paused: false }
}

/** The device as screens show it: a wish that was not acted on yet is `off`. */
export type DeviceState = 'off' | 'opening' | 'on' | 'paused' | 'stalled' | 'lost' | 'refused'

export function getDeviceState(state: MediaState): DeviceState {
  if (state.type === 'wanted') return 'off'
  return state.type === 'on' && state.paused ? 'paused' : state.type
}
