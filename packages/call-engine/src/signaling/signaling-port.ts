import type {
  NewPeer,
  PeerState,
  PreparePeer,
  SessionDescription,
} from '@duet/protocol/contracts/signaling.ts'

/**
 * The part of the signaling socket that a call uses. The implementation opens, encrypts and reopens the socket. The
 * engine joins again.
 */

export interface SessionDescriptionSignal {
  type_signal: 'offer'
  data: SessionDescription
}

export interface CandidateSignal {
  type_signal: 'ice-candidate'
  /** Null: there will be no more candidates. */
  data: RTCIceCandidateInit | null
}

/** The initiator's page reaches the other page, which may send its camera from now on. */
export interface ReachedSignal {
  type_signal: 'reached'
  data: null
}

export type PeerMessage = SessionDescriptionSignal | CandidateSignal | ReachedSignal

export type PeerSignal = PeerMessage & {
  session_id?: number
  prepare_id?: string
  session_guid: string
}

export type NotConnectedReason = 'ice_failed' | 'timeout'

export interface SignalingListener {
  onNewPeer(peer: NewPeer): void
  onPeerSignal(signal: PeerSignal): void
  /** The server refuses the page's entry to this call. */
  onJoinRefused(refused: { session_id: number; refusal: string }): void
  /** This call has joined too often. The server accepts the next join after this time. */
  onJoinDelayed(delayed: { session_id: number; in_ms: number }): void
  /** The socket is closed. Messages sent from now on are lost. */
  onLost(): void
  /** The socket is open and authenticated, for the first time or again. */
  onReady(): void
  /** Prepare a connection to a partner who may come next. */
  onPreparePeer(peer: PreparePeer): void
  onPrepareCancelled(cancelled: { prepare_id: string }): void
}

export interface SignalingPort {
  /** The socket is open and authenticated at this moment. */
  isReady(): boolean
  /** Returns the function that removes the listener. */
  listen(listener: Partial<SignalingListener>): () => void
  join(request: { session_id: number; session_guid?: string }): void
  signal(message: PeerSignal): void
  prepared(message: { prepare_id: string }): void
  peerConnected(message: { session_id: number; session_guid: string }): void
  peerNotConnected(message: {
    session_id: number
    session_guid: string
    reason: NotConnectedReason
  }): void
  peerState(report: PeerState): void
  log(entry: { level: 'debug' | 'info' | 'warn' | 'error'; text: string }): void
}
