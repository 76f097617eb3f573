import type { LinkState } from './engine-events.ts'

export type EnginePhase =
  | 'idle'
  | 'joining'
  | 'negotiating'
  | 'connected'
  | 'reconnecting'
  | 'ended'

export interface EngineState {
  phase: EnginePhase
  session_id: number | null
  /** The guid of the connection in use. A new guid means a new connection. */
  session_guid: string | null
  signaling: 'up' | 'lost'
  link: LinkState | null
  /** The connection is the prepared one with which the call began. */
  is_prepared: boolean
  /** The server sent this guid in `new_peer`, so a rejoin may name it. */
  guid_confirmed: boolean
  /** The first frame arrived on this connection and PEER_CONNECTED was sent. */
  connected_sent: boolean
  /** PEER_NOT_CONNECTED was sent for this connection. The server counts failures, so it is sent once. */
  failure_sent: boolean
  /** A frame of the partner arrived at least once in this call. */
  partner_seen: boolean
  trouble: 'slow' | 'not_connected' | 'refused' | null
}

export const IDLE_STATE: EngineState = Object.freeze({
  phase: 'idle',
  session_id: null,
  session_guid: null,
  signaling: 'lost',
  link: null,
  is_prepared: false,
  guid_confirmed: false,
  connected_sent: false,
  failure_sent: false,
  partner_seen: false,
  trouble: null,
})

export function isOpen(state: EngineState): boolean {
  return state.phase !== 'idle' && state.phase !== 'ended'
}
