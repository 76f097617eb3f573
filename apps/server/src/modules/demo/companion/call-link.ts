import {
  MediaStreamTrack,
  RTCPeerConnection,
  useOPUS,
  useVP8,
  type RTCRtpTransceiver,
  type RtpPacket,
} from 'werift'
import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type {
  IceCandidate,
  NewPeer,
  SessionDescription,
  TurnParams,
} from '@duet/protocol/contracts/signaling.ts'
import { startMediaLoop, type MediaLoop } from './media-loop.ts'

/** A partner whose camera is off sends only sound. After this time the partner counts as connected. */
const SOUND_ONLY_MS = 2000

/** A signal without the ids of its call. */
export type LinkSignal =
  | { readonly type_signal: 'offer'; readonly data: SessionDescription }
  | { readonly type_signal: 'ice-candidate'; readonly data: IceCandidate | null }
  | { readonly type_signal: 'reached'; readonly data: null }

export interface CallLinkParts {
  readonly peer: Pick<NewPeer, 'session_guid' | 'initiator' | 'turn_params'>
  readonly media: { readonly picture: readonly Buffer[]; readonly sound: readonly Buffer[] }
  /** Sends a description or a candidate to the partner. */
  readonly send: (signal: LinkSignal) => void
  /** The first frame of the partner has arrived, or sound of a partner without a picture. */
  readonly onConnected: () => void
}

/** The counters of PEER_STATE. */
export interface LinkCounters {
  readonly frames_decoded: number
  readonly frames_sent: number
  readonly reports_received: number
}

/** The peer connection of a companion: it sends the loop of a picture and counts what the partner sends. */
export class CallLink {
  readonly session_guid: string
  readonly #parts: CallLinkParts
  readonly #connection: RTCPeerConnection
  readonly #video = new MediaStreamTrack({ kind: 'video' })
  readonly #audio = new MediaStreamTrack({ kind: 'audio' })
  #loop: MediaLoop | undefined
  #soundTimer: ReturnType<typeof setTimeout> | undefined
  readonly #inOrder = createSerialRunner()
  #lastOffer: string | undefined
  #isConnected = false
  /** The initiator has a path to the other page, which sends no picture before that. */
  #isReached = false
  /** Whole frames that arrived. A companion looks at no picture, so that no decoder runs. */
  #framesReceived = 0

  constructor(parts: CallLinkParts) {
    const { initiator, session_guid, turn_params } = parts.peer
    this.session_guid = session_guid
    this.#parts = parts
    const connection = new RTCPeerConnection(getConfiguration(JSON.parse(turn_params)))
    this.#connection = connection
    connection.onIceCandidate.subscribe((candidate) =>
      parts.send({ type_signal: 'ice-candidate', data: candidate?.toJSON() ?? null }),
    )
    connection.connectionStateChange.subscribe(() => this.#startLoop())
    if (initiator)
      connection.iceConnectionStateChange.subscribe((state) => this.#sendReached(state))
    connection.onTrack.subscribe((track) => this.#count(track))
    const transceivers = [this.#audio, this.#video].map((track) =>
      connection.addTransceiver(track, { direction: 'sendrecv' }),
    )
    this.#restartOnLoss(transceivers[1]!)
    if (initiator) void this.#offer()
  }

  /** One signal at a time, in the order of arrival. */
  receive(signal: LinkSignal): Promise<void> {
    return this.#inOrder(() => this.#take(signal))
  }

  async #take(signal: LinkSignal): Promise<void> {
    if (signal.type_signal === 'ice-candidate') {
      if (signal.data) await this.#connection.addIceCandidate(signal.data)
      return
    }
    if (signal.type_signal === 'reached') {
      this.#isReached = true
      return this.#startLoop()
    }
    // A page without an answer repeats its offer: the former answer is sent again.
    const { sdp } = signal.data
    if (sdp === this.#lastOffer) return this.#sendDescription()
    await this.#connection.setRemoteDescription(signal.data)
    if (signal.data.type === 'answer') return
    this.#lastOffer = sdp
    await this.#connection.setLocalDescription(await this.#connection.createAnswer())
    this.#sendDescription()
  }

  async counters(): Promise<LinkCounters> {
    let reports = 0
    for (const entry of (await this.#connection.getStats()).values())
      if (entry.type === 'remote-inbound-rtp' && 'roundTripTimeMeasurements' in entry)
        reports += Number(entry.roundTripTimeMeasurements)
    return {
      frames_decoded: this.#framesReceived,
      frames_sent: this.#loop?.framesSent() ?? 0,
      reports_received: reports,
    }
  }

  close(): void {
    this.#loop?.stop()
    clearTimeout(this.#soundTimer)
    void this.#connection.close()
  }

  async #offer(): Promise<void> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer())
    this.#sendDescription()
  }

  #sendDescription(): void {
    const description = this.#connection.localDescription
    if (description?.type !== 'offer' && description?.type !== 'answer') return
    const { type, sdp } = description
    this.#parts.send({ type_signal: 'offer', data: { type, sdp: askForLittle(sdp) } })
  }

  #sendReached(state: string): void {
    if (this.#isReached || (state !== 'connected' && state !== 'completed')) return
    this.#isReached = true
    this.#parts.send({ type_signal: 'reached', data: null })
    this.#startLoop()
  }

  #startLoop(): void {
    if (!this.#isReached || this.#connection.connectionState !== 'connected') return
    this.#loop ??= startMediaLoop({ video: this.#video, audio: this.#audio }, this.#parts.media)
  }

  #restartOnLoss({ sender }: RTCRtpTransceiver): void {
    sender.onPictureLossIndication.subscribe(() => this.#loop?.restartPicture())
  }

  #count(track: MediaStreamTrack): void {
    if (track.kind === 'audio')
      return track.onReceiveRtp.once(() => {
        this.#soundTimer = setTimeout(() => this.#connected(), SOUND_ONLY_MS)
      })
    track.onReceiveRtp.subscribe(({ header }: RtpPacket) => {
      if (!header.marker) return
      this.#framesReceived += 1
      this.#connected()
    })
  }

  #connected(): void {
    if (this.#isConnected) return
    this.#isConnected = true
    clearTimeout(this.#soundTimer)
    this.#parts.onConnected()
  }
}

/** The engine calls a connection weak below 450 kbit/s. A companion needs no more, and each packet costs it time. */
const VIDEO_MAX_KBPS = 600

/** Asks the partner for a limited picture, and for packets of 60 ms of sound instead of 20 ms. */
function askForLittle(sdp: string): string {
  return sdp
    .replace(/^m=video .*\r\nc=.*\r\n/m, (section) => `${section}b=AS:${VIDEO_MAX_KBPS}\r\n`)
    .replace(/^m=audio .*\r\nc=.*\r\n/m, (section) => `${section}a=ptime:60\r\n`)
}

/** Few codecs and no feedback about bandwidth: a companion costs little. */
function getConfiguration({ iceServers, iceTransportPolicy }: TurnParams) {
  return {
    iceServers: iceServers.flatMap(({ urls, ...credentials }) =>
      [urls].flat().map((url) => ({ urls: url, ...credentials })),
    ),
    iceTransportPolicy,
    // The tester's browser is usually on the same machine.
    iceAdditionalHostAddresses: ['127.0.0.1'],
    iceUseIpv6: false,
    iceUseTcp: false,
    bundlePolicy: 'max-bundle' as const,
    codecs: {
      audio: [useOPUS()],
      video: [useVP8({ rtcpFeedback: [{ type: 'nack', parameter: 'pli' }] })],
    },
    headerExtensions: { audio: [], video: [] },
  }
}
