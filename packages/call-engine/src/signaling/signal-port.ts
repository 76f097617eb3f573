/** What a call needs of the signalling socket (`wire.md` section 4). Whoever implements it opens, encrypts and reopens; the engine joins again. */

export interface SessionDescriptionSignal {
  type_signal: 'offer'
  data: { type: 'offer' | 'answer'; sdp: string }
}

export interface CandidateSignal {
  type_signal: 'ice-candidate'
  /** Null says that there will be no more. */
  data: RTCIceCandidateInit | null
}

export type Signal = SessionDescriptionSignal | CandidateSignal

export interface NewPeer {
  session_id: number
  session_guid: string
  initiator: boolean
  /** A JSON string, see `turn-params.ts`. */
  turn_params: string
}

export type PeerSignal = Signal & { session_id?: number; prepare_id?: string; session_guid: string }

export interface PeerState {
  session_id: number
  session_guid: string
  frames_decoded: number
  frames_sent: number
  reports_received: number
  /** What oneself is sending at this moment. */
  audio: boolean
  video: boolean
}

export type NotConnectedReason = 'ice_failed' | 'timeout'

export interface SignalListener {
  newPeer(peer: NewPeer): void
  peerSignal(signal: PeerSignal): void
  /** The server will not let us into this call (305). */
  joinRefused(refusal: { session_id: number; code: number }): void
  /** The socket is gone; what was sent from here on is lost. */
  lost(): void
  /** The socket is open and authenticated, again or for the first time. */
  back(): void
}

export interface SignalPort {
  /** Open and authenticated at this moment. */
  isUp(): boolean
  listen(listener: SignalListener): () => void
  join(request: { session_id: number; session_guid?: string }): void
  signal(message: Signal & { session_id: number; session_guid: string }): void
  peerConnected(message: { session_id: number; session_guid: string }): void
  peerNotConnected(message: {
    session_id: number
    session_guid: string
    reason: NotConnectedReason
  }): void
  peerState(report: PeerState): void
  log(entry: { level: 'debug' | 'info' | 'warn' | 'error'; text: string }): void
}
