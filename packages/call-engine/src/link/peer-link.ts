import { VOICE_MAX_BPS } from './adaptation.ts'
import type { AdaptationStep } from './adaptation.ts'
import type { LinkState } from '../engine-events.ts'
import { addCounters, readLink } from './link-reading.ts'
import type { LinkReading } from './link-reading.ts'
import { Negotiation } from './negotiation.ts'
import type { PeerLink, PeerLinkParts } from './peer-link-parts.ts'
import type { PeerMessage } from '../signaling/signaling-port.ts'
import { connectionConfiguration } from './turn-params.ts'
import type { IceParams } from './turn-params.ts'

type Kind = 'audio' | 'video'

export function openPeerLink(parts: PeerLinkParts): PeerLink {
  return new DirectLink(parts)
}

class DirectLink implements PeerLink {
  readonly session_guid: string
  readonly connection: RTCPeerConnection
  #parts: PeerLinkParts
  #negotiation: Negotiation
  /** Both kinds name the same stream, so that the partner's browser synchronises lips and voice. */
  #sync_group: MediaStream
  #tracks: Record<Kind, MediaStreamTrack | null> = { audio: null, video: null }
  #camera: MediaStreamTrack | null = null
  #reached = false
  #step: AdaptationStep | null = null
  #state: LinkState = 'connecting'
  #closed = false
  #rests: boolean
  #base: LinkReading | null = null
  #base_frame_ms = Number.NEGATIVE_INFINITY

  constructor(parts: PeerLinkParts) {
    const connection = parts.rtc.openConnection(connectionConfiguration(parts.turn))
    this.session_guid = parts.session_guid
    this.#parts = parts
    this.#rests = parts.rests ?? false
    this.connection = connection
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
    if (this.#parts.initiator || this.#rests) return
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
      this.connection.setConfiguration(connectionConfiguration(turn))
    } catch (error) {
      this.#complain('taking new servers', error)
    }
  }

  restartIce(): void {
    if (this.#closed) return
    this.#negotiation.repeatOffer()
    this.connection.restartIce()
  }

  state(): LinkState {
    return this.#state
  }

  async read(before?: LinkReading): Promise<LinkReading> {
    const base = this.#base
    const stats = (await this.connection.getStats()) as unknown as Iterable<[string, unknown]>
    if (!base) return readLink(stats, before)
    return addCounters(readLink(stats, before && addCounters(before, base, 1)), base, -1)
  }

  hasFrame(): boolean {
    return (this.latestFrameMs() ?? Number.NEGATIVE_INFINITY) > this.#base_frame_ms
  }

  latestFrameMs(): number | null {
    const sources = this.#transceiver('video')?.receiver.getSynchronizationSources?.() ?? []
    return sources.length > 0 ? Math.max(...sources.map(({ timestamp }) => timestamp)) : null
  }

  async warm(picture: MediaStreamTrack): Promise<void> {
    await this.#transceiver('video')?.sender.replaceTrack(picture)
  }

  async rest(): Promise<void> {
    await this.#transceiver('video')?.sender.replaceTrack(null)
  }

  async startCounting(): Promise<void> {
    this.#base = await this.read()
    this.#base_frame_ms = this.latestFrameMs() ?? this.#base_frame_ms
  }

  enterCall(): void {
    this.#rests = false
    this.#reached = true
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#negotiation.stop()
    this.connection.ontrack = null
    this.connection.onconnectionstatechange = null
    this.connection.oniceconnectionstatechange = null
    this.connection.close()
  }

  /**
   * Only the initiator adds transceivers. If both sides added transceivers, both would offer at once and one offer
   * would be dropped each time. The other side takes the transceivers of the initiator's offer: a transceiver added by
   * hand never matches a remote transceiver.
   */
  #layOutMedia() {
    this.connection.addTransceiver('audio', { direction: 'sendrecv', streams: [this.#sync_group] })
    this.connection.addTransceiver('video', { direction: 'sendrecv', streams: [this.#sync_group] })
  }

  #joinTheirOffer() {
    for (const kind of ['audio', 'video'] as const) {
      const joined = this.#transceiver(kind)
      if (!joined || joined.direction === 'sendrecv') continue
      joined.direction = 'sendrecv'
      joined.sender.setStreams?.(this.#sync_group)
      if (!this.#rests) this.#replace(kind, joined.sender)
    }
  }

  #transceiver(kind: Kind): RTCRtpTransceiver | undefined {
    return this.connection.getTransceivers().find(({ receiver }) => receiver.track.kind === kind)
  }

  #put(kind: Kind, track: MediaStreamTrack | null) {
    if (this.#closed || this.#tracks[kind] === track) return
    this.#tracks[kind] = track
    if (this.#rests) return
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
    const { iceConnectionState } = this.connection
    const hasPath = iceConnectionState === 'connected' || iceConnectionState === 'completed'
    if (this.#closed || this.#reached || this.#rests) return
    if (!this.#parts.initiator || !hasPath) return
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
