import {
  browserClock,
  browserDevices,
  browserNetwork,
  browserRtc,
  browserStrength,
} from './browser-ports.ts'
import { CallEngine } from './engine.ts'
import type { DeviceChoice } from './devices/capture.ts'
import { createLocalMedia } from './devices/local-media.ts'
import type { LocalMedia } from './devices/local-media.ts'
import type { SignalPort } from './signaling/signal-port.ts'

/**
 * The browser's call: a state machine that has never heard of React.
 *
 * Owns     own camera and microphone, the connection to the partner, what PEER_* tells
 * Ignores  search, offers, money, text, screens; how signals are encrypted and sockets reopened (`SignalPort`)
 * Laws     a device is stopped when it is off · PEER_CONNECTED only after a painted frame · the picture gives way before the voice
 */

export type { CallPhase } from './engine-state.ts'
export { CallEngine } from './engine.ts'
export type { CallSnapshot, SessionStart } from './engine.ts'
export type { DeviceChoice } from './devices/capture.ts'
export { canCall } from './browser-ports.ts'
export type {
  DeviceOption,
  DeviceState,
  LocalMedia,
  LocalMediaSnapshot,
} from './devices/local-media.ts'
export { watchLevel } from './devices/microphone-level.ts'
export type { MediaFailure, MediaFailureKind } from './devices/media-failure.ts'
export type { DeviceKind, Watchable } from './ports.ts'
export { overSocket } from './signaling/socket-signaling.ts'
export type { SignalHearing, SignalLine } from './signaling/socket-signaling.ts'
export type {
  NewPeer,
  NotConnectedReason,
  PeerSignal,
  PeerState,
  Signal,
  SignalListener,
  SignalPort,
} from './signaling/signal-port.ts'

/** Own camera and microphone in this browser. Asks for nothing before `acquire()`. `choice` is what an earlier visit chose. */
export function createBrowserMedia(choice?: Partial<DeviceChoice>): LocalMedia {
  return createLocalMedia({ devices: browserDevices, strength: browserStrength, choice })
}

/** The engine in this browser; one for the life of the page. */
export function createBrowserEngine(signal: SignalPort, media: LocalMedia): CallEngine {
  return new CallEngine({
    signal,
    media,
    rtc: browserRtc,
    clock: browserClock,
    network: browserNetwork,
  })
}
