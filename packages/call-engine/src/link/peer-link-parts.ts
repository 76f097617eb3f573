import type { AdaptationStep } from './adaptation.ts'
import type { LinkState } from '../engine-events.ts'
import type { LinkReading } from './link-reading.ts'
import type { EngineClock, RtcPort } from '../ports.ts'
import type { PeerMessage } from '../signaling/signaling-port.ts'
import type { IceParams } from './turn-params.ts'

/**
 * One connection to one partner, for one `session_guid`. The connection knows no calls, cameras or screens. Signals go
 * in and out; own tracks go in, and the partner's tracks come out. A connection that is prepared before a match has no
 * tracks yet. A link through a media server would be another implementation of this interface.
 */
export interface PeerLink {
  readonly session_guid: string
  /** For statistics. Only the link changes it. */
  readonly connection: RTCPeerConnection
  receive(signal: PeerMessage): Promise<void>
  /** Null sends nothing of this kind. Never renegotiates. */
  setAudio(track: MediaStreamTrack | null): void
  /** The side that answers sends no picture before the page of the initiator said `reached`. */
  setVideo(track: MediaStreamTrack | null): void
  /**
   * Call this only after the first frame: setting a starting encoder's limits delays the first frame by some 50 ms
   * (measured).
   */
  setStep(step: AdaptationStep): void
  /** Fresh servers and credentials, for the next gathering and later. */
  renew(turn: IceParams): void
  restartIce(): void
  state(): LinkState
  /** Rejects when the connection is closed. */
  read(before?: LinkReading): Promise<LinkReading>
  /** The decoder returned a frame of the partner. The event comes at once, earlier than the statistics. */
  hasFrame(): boolean
  /** When the decoder returned its latest frame, or null. */
  latestFrameMs(): number | null
  /** Sends this picture in place of the own tracks, while the connection rests. */
  warm(picture: MediaStreamTrack): Promise<void>
  /** Sends nothing any more until `enterCall`, and keeps the encoder. */
  rest(): Promise<void>
  /** Frames up to now count neither in readings nor as a frame of the partner. */
  startCounting(): Promise<void>
  /** The connection belongs to a call now and sends the tracks that it gets. Both pages reach each other already. */
  enterCall(): void
  close(): void
}

/** Where the signals and events of a connection go. */
export interface LinkHolder {
  send(signal: PeerMessage): void
  onState(link: LinkState): void
  onTrack(track: MediaStreamTrack): void
  log(text: string): void
}

export interface PeerLinkParts extends LinkHolder {
  session_guid: string
  initiator: boolean
  /** The connection is prepared before its call: `enterCall` begins it. */
  rests?: boolean
  turn: IceParams
  rtc: RtcPort
  clock: EngineClock
}
