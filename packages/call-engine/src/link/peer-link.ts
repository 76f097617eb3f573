import { VOICE_MAX_BPS } from './adaptation.ts'
import type { AdaptationStep } from './adaptation.ts'
import type { LinkState } from '../engine-events.ts'
import { readLink } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'
import { Negotiation } from './negotiation.ts'
import type { EngineClock, RtcPort } from '../ports.ts'
import type { PeerMessage } from '../signaling/signaling-port.ts'
import { connectionConfiguration } from './turn-params.ts'
import type { IceParams } from './turn-params.ts'

/**
 * One connection to one partner, for one `session_guid`. The connection knows no calls, cameras or screens. Signals go
 * in and out; own tracks go in, and the partner's tracks come out. A connection that is prepared before a match has no
 * tracks yet. A link through a media server would be another implementation of this interface.
 */
export interface PeerLink {
  readonly session_guid: string
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
  close(): void
}

export interface PeerLinkParts {
  session_guid: string
  initiator: boolean
  turn: IceParams
  rtc: RtcPort
  clock: EngineClock
  send(signal: PeerMessage): void
  onState(link: LinkState): void
  onTrack(track: MediaStreamTrack): void
  log(text: string): void
}

type Kind = 'audio' | 'video'

export function openPeerLink(parts: PeerLinkParts): PeerLink {
  return new DirectLink(parts)
}

class DirectLink implements PeerLink {
  readonly session_guid: string
  #parts: PeerLinkParts
  #connection: RTCPeerConnection
  #negotiation: Negotiation
  /** Both kinds name the same stream, so that the partner's browser synchronises lips and voice. */
  #sync_group: MediaStream
  #tracks: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null }
  #camera: MediaStreamTrack | null = null
  #reached = false
  #step: AdaptationStep | null = null
  #state: LinkState = 'connecting'
  #closed = false

  constructor(parts: PeerLinkParts) {
    const connection = parts.rtc.openConnection(connectionConfiguration(parts.turn))
    this.session_guid = parts.session_guid
    this.#parts = parts
    this.#connection = connection
    this.#sync_group = parts.rtc.newStream()
    this.#negotiation = new Negotiation({
      connection,
      impolite: parts.initiator,
      clock: parts.clock,
      send: parts.send,
      beforeAnswer: () => this.#joinTheirOffer(),
      log: parts.log,
    })
    connection.ontrack = ({ track }) => parts.onTrack(track)
    connection.onconnectionstatechange = () =>
      this.#stateChanged(linkState(connection.connectionState))
    connection.oniceconnectionstatechange = () => this.#iceChanged()
    if (parts.initiator) this.#layOutMedia()
  }

  async receive(signal: PeerMessage): Promise<void> {
    if (signal.type_signal !== 'reached') return this.#negotiation.receive(signal)
    if (this.#parts.initiator) return
    this.#reached = true
    this.setVideo(this.#camera)
  }

  setAudio(track: MediaStreamTrack | null): void {
    this.#put('audio', track)
  }

  setVideo(track: MediaStreamTrack | null): void {
    this.#camera = track
    this.#put('video', this.#parts.initiator || this.#reached ? track : null)
  }

  setStep(step: AdaptationStep): void {
    if (this.#closed || step === this.#step) return
    const first = this.#step === null
    this.#step = step
    this.#limit('video').catch((error: unknown) => this.#complain('limiting the picture', error))
    if (first)
      this.#limit('audio').catch((error: unknown) =>
        this.#complain('putting the voice first', error),
      )
  }

  renew(turn: IceParams): void {
    if (this.#closed) return
    // A socket that was lost since may have lost the first `reached`.
    if (this.#parts.initiator && this.#reached) this.#sendReached()
    try {
      this.#connection.setConfiguration(connectionConfiguration(turn))
    } catch (error) {
      this.#complain('taking new servers', error)
    }
  }

  restartIce(): void {
    if (this.#closed) return
    this.#negotiation.repeatOffer()
    this.#connection.restartIce()
  }

  state(): LinkState {
    return this.#state
  }

  async read(before?: LinkReading): Promise<LinkReading> {
    return readLink(
      (await this.#connection.getStats()) as unknown as Iterable<[string, unknown]>,
      before,
    )
  }

  hasFrame(): boolean {
    return (this.#transceiver('video')?.receiver.getSynchronizationSources?.().length ?? 0) > 0
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#negotiation.stop()
    this.#connection.ontrack = null
    this.#connection.onconnectionstatechange = null
    this.#connection.oniceconnectionstatechange = null
    this.#connection.close()
  }

  /**
   * Only the initiator adds transceivers. If both sides added transceivers, both would offer at once and one offer
   * would be dropped each time. The other side takes the transceivers of the initiator's offer: a transceiver added by
   * hand never matches a remote transceiver.
   */
  #layOutMedia() {
    this.#connection.addTransceiver('audio', { direction: 'sendrecv', streams: [this.#sync_group] })
    this.#connection.addTransceiver('video', { direction: 'sendrecv', streams: [this.#sync_group] })
  }

  #joinTheirOffer() {
    for (const kind of ['audio', 'video'] as const) {
      const joined = this.#transceiver(kind)
      if (!joined || joined.direction === 'sendrecv') continue
      joined.direction = 'sendrecv'
      joined.sender.setStreams?.(this.#sync_group)
      this.#replace(kind, joined.sender)
    }
  }

  #transceiver(kind: Kind): RTCRtpTransceiver | undefined {
    return this.#connection.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)
  }

  #put(kind: Kind, track: MediaStreamTrack | null) {
    if (this.#closed || this.#tracks[kind] === track) return
    this.#tracks[kind] = track
    const sender = this.#transceiver(kind)?.sender
    if (sender) this.#replace(kind, sender)
  }

  #replace(kind: Kind, sender: RTCRtpSender) {
    const replaced = sender.replaceTrack(this.#tracks[kind])
    replaced.catch((error: unknown) => this.#complain(`replacing the ${kind} track`, error))
  }

  /** The voice has priority. The picture uses the present step. */
  async #limit(kind: Kind) {
    const sender = this.#transceiver(kind)?.sender
    const parameters = sender?.getParameters()
    const [encoding] = parameters?.encodings ?? []
    if (!sender || !parameters || !encoding) return
    if (kind === 'audio') {
      encoding.maxBitrate = VOICE_MAX_BPS
      encoding.priority = 'high'
      encoding.networkPriority = 'high'
    } else if (this.#step) {
      encoding.scaleResolutionDownBy = this.#step.scale_down_by
      encoding.maxBitrate = this.#step.max_bps
      encoding.maxFramerate = this.#step.max_fps
    }
    await sender.setParameters(parameters)
  }

  #stateChanged(state: LinkState) {
    if (this.#closed || state === this.#state) return
    this.#state = state
    this.#parts.onState(state)
  }

  /** The path exists before the handshake ends. So the partner's camera is allowed in time for its first frame. */
  #iceChanged() {
    const { iceConnectionState } = this.#connection
    const hasPath = iceConnectionState === 'connected' || iceConnectionState === 'completed'
    if (this.#closed || this.#reached || !this.#parts.initiator || !hasPath) return
    this.#reached = true
    this.#sendReached()
  }

  #sendReached() {
    this.#parts.send({ type_signal: 'reached', data: null })
  }

  #complain(what: string, error: unknown) {
    if (!this.#closed) this.#parts.log(`${what} failed: ${String(error)}`)
  }
}

function linkState(state: RTCPeerConnectionState): LinkState {
  if (state === 'connected' || state === 'disconnected' || state === 'failed') return state
  return state === 'closed' ? 'failed' : 'connecting'
}
