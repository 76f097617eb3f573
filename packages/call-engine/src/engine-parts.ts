import type { EnginePhase, EngineState } from './engine-facts.ts'
import type { LocalMedia } from './devices/local-media-snapshot.ts'
import type { LinkView } from './link/link-watch.ts'
import type { EngineClock, NetworkPort, PagePort, RtcPort } from './ports.ts'
import type { SignalingPort } from './signaling/signaling-port.ts'

export interface EngineSnapshot {
  phase: EnginePhase
  session_id: number | null
  session_guid: string | null
  /** For statistics. Only the engine changes it. */
  connection: RTCPeerConnection | null
  signaling: 'up' | 'lost'
  /**
   * `slow` after 5 s without the partner, `not_connected` after 15 s. `refused` if the server does not let this page
   * into the call.
   */
  trouble: EngineState['trouble']
  /**
   * The partner's picture: `none` before the first frame; `still` after two seconds without a frame (camera off, or a
   * bad network).
   */
  picture: LinkView['picture']
  /** The own connection carries a smaller picture than the camera takes. */
  weak: boolean
  /** The browser plays sound only after a touch: call `play()` from a touch. */
  playback_blocked: boolean
}

export interface CallStart {
  session_id: number
  /**
   * Both from `new_session`, never from `active_session`: with them and servers known from an earlier call the connection
   * is opened while JOIN_SESSION is still unanswered.
   */
  session_guid?: string
  initiator?: boolean
  /** Also from `new_session`: the call begins with the connection that was prepared under this id. */
  prepare_id?: string
}

export const IDLE_SNAPSHOT: EngineSnapshot = Object.freeze({
  phase: 'idle',
  session_id: null,
  session_guid: null,
  connection: null,
  signaling: 'lost',
  trouble: null,
  picture: 'none',
  weak: false,
  playback_blocked: false,
})

export interface EngineParts {
  signaling: SignalingPort
  media: LocalMedia
  rtc: RtcPort
  clock: EngineClock
  network: NetworkPort
  page: PagePort
}
