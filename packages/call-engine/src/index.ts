import {
  browserClock,
  browserDevices,
  browserNetwork,
  browserPage,
  browserRtc,
  browserStrength,
} from './browser-ports.ts'
import { CallEngine } from './engine.ts'
import type { DeviceChoice } from './devices/capture.ts'
import { createLocalMedia } from './devices/local-media.ts'
import type { LocalMedia, LocalMediaSnapshot } from './devices/local-media-snapshot.ts'
import type { SignalingPort } from './signaling/signaling-port.ts'

/**
 * The call of a browser: a state machine without React.
 *
 * Owns        own camera and microphone, the connection to the partner, the PEER_* messages
 * Ignores     search, offers, money, text, screens; how signals are encrypted and sockets reopened (`SignalingPort`)
 * Invariants  a device is closed when it is off · PEER_CONNECTED only after a painted frame · a weak network reduces the picture before the voice
 */

export type { EnginePhase } from './engine-facts.ts'
export { CallEngine } from './engine.ts'
export type { CallStart, EngineSnapshot } from './engine-parts.ts'
export type { DataUse } from './own-report.ts'
export type { DeviceChoice } from './devices/capture.ts'
export { canCall, savesData } from './browser-ports.ts'
export type {
  DeviceOption,
  LocalMedia,
  LocalMediaSnapshot,
} from './devices/local-media-snapshot.ts'
export type { DeviceState } from './devices/media-state.ts'
export { watchLevel } from './devices/microphone-level.ts'
export type { MediaFailure, MediaFailureKind } from './devices/media-failure.ts'
export type { DeviceKind, ObservableSnapshot } from './ports.ts'
export { createSocketSignaling } from './signaling/socket-signaling.ts'
export type {
  SignalingHandlers,
  SignalingSocket,
  SocketSignaling,
} from './signaling/socket-signaling.ts'
export type {
  NotConnectedReason,
  PeerMessage,
  PeerSignal,
  SignalingListener,
  SignalingPort,
} from './signaling/signaling-port.ts'

/**
 * Own camera and microphone of this browser. Nothing asks the user before `acquire()`. `choice` names the devices of an
 * earlier visit. `wanted` says which devices the user had not switched off.
 */
export function createBrowserMedia(
  choice?: Partial<DeviceChoice>,
  wanted?: Partial<LocalMediaSnapshot['wanted']>,
): LocalMedia {
  return createLocalMedia({
    devices: browserDevices,
    clock: browserClock,
    strength: browserStrength,
    choice,
    wanted,
  })
}

/** The engine of this browser. The engine lives as long as the page. */
export function createBrowserEngine(signaling: SignalingPort, media: LocalMedia): CallEngine {
  return new CallEngine({
    signaling,
    media,
    rtc: browserRtc,
    clock: browserClock,
    network: browserNetwork,
    page: browserPage,
  })
}
