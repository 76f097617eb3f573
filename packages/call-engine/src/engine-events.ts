import type { NotConnectedReason } from './signaling/signaling-port.ts'
import type { IceParams } from './link/turn-params.ts'

export type LinkState = 'connecting' | 'connected' | 'disconnected' | 'failed'
export type EngineTimer = 'restart' | 'slow' | 'give_up' | 'rejoin'

export interface Peer {
  session_guid: string
  initiator: boolean
  turn: IceParams
}

export type EngineEvent =
  /** `prepared`: the guid of the standby connection with which the call begins. */
  | { type: 'started'; session_id: number; ahead?: Peer; prepared?: string }
  | { type: 'new_peer'; session_id: number; peer: Peer }
  | { type: 'link_changed'; session_guid: string; link: LinkState }
  | { type: 'first_frame'; session_guid: string }
  | { type: 'signaling_lost' }
  | { type: 'signaling_ready' }
  | { type: 'join_refused'; session_id: number }
  /** Too many new connections of this call: the server takes the next join after this time. */
  | { type: 'join_delayed'; session_id: number; in_ms: number }
  | { type: 'network_changed' }
  | { type: 'timer_fired'; timer: EngineTimer }
  | { type: 'ended' }

export type EngineCommand =
  | { type: 'join'; session_id: number; session_guid?: string }
  | { type: 'open_link'; peer: Peer }
  | { type: 'take_standby'; session_guid: string }
  | { type: 'renew_link'; turn: IceParams }
  | { type: 'restart_ice' }
  | { type: 'close_link' }
  | { type: 'send_connected'; session_id: number; session_guid: string }
  | {
      type: 'send_not_connected'
      session_id: number
      session_guid: string
      reason: NotConnectedReason
    }
  /** One PEER_STATE before the first frame: the server learns whether the partner received what was sent. */
  | { type: 'send_state' }
  | { type: 'start_timer'; timer: EngineTimer; in_ms: number }
  | { type: 'cancel_timer'; timer: EngineTimer }

/** The call and the connection that a command is about. */
export function getIds({ session_id, session_guid }: { session_id: number; session_guid: string }) {
  return { session_id, session_guid }
}
