import { type ConnectionStats, readStats, type StatsReports } from './connection-stats.ts'

/** An event of a connection or of a track, in the form of the collector. */
export type WatchedEvent =
  | { readonly call: 'rtc-connection'; readonly body: { eventName: string; data?: unknown } }
  | {
      readonly call: 'track'
      readonly body: { event: string; trackId: string; data?: unknown }
    }

export interface WatchedOptions {
  readonly pc: RTCPeerConnection
  readonly peer_id: string
  readonly onEvent: (event: WatchedEvent) => void
}

const CANDIDATE_FIELDS = [
  'address',
  'candidate',
  'component',
  'foundation',
  'port',
  'priority',
  'protocol',
  'relatedAddress',
  'relatedPort',
  'sdpMLineIndex',
  'sdpMid',
  'tcpType',
  'type',
  'usernameFragment',
] as const

/** A connection that is watched: its events, the ends of its tracks, its statistics. */
export class WatchedConnection {
  readonly pc: RTCPeerConnection
  readonly peer_id: string
  #report: WatchedOptions['onEvent']
  #stopped = new AbortController()
  #tracks = new Set<MediaStreamTrack>()
  #stats: ConnectionStats | undefined

  constructor({ pc, peer_id, onEvent }: WatchedOptions) {
    this.pc = pc
    this.peer_id = peer_id
    this.#report = onEvent
  }

  /** Begins to report events. */
  start(): void {
    this.#listen()
  }

  get is_closed(): boolean {
    return this.pc.connectionState === 'closed' || this.pc.iceConnectionState === 'closed'
  }

  stop(): void {
    this.#stopped.abort()
    this.#tracks.clear()
  }

  /** No event tells that a stopped track has ended. */
  checkTracks(): void {
    for (const track of this.#tracks) {
      if (track.readyState !== 'ended') continue
      this.#tracks.delete(track)
      this.#reportTrack('ended', track, { check: 'readyState' })
    }
  }

  reportClosed(): void {
    this.#reportState('onconnectionstatechange', 'closed')
  }

  async readStats(): Promise<ConnectionStats> {
    const reports = (await this.pc.getStats()) as unknown as StatsReports
    this.#stats = readStats(reports, this.#stats)
    return this.#stats
  }

  #listen(): void {
    const { pc } = this
    const { signal } = this.#stopped
    const on = (type: string, listener: (event: Event) => void) =>
      pc.addEventListener(type, listener, { signal })
    on('icecandidate', (event) =>
      this.#reportState(
        'onicecandidate',
        pickFields((event as RTCPeerConnectionIceEvent).candidate),
      ),
    )
    on('icecandidateerror', (event) => {
      const { errorCode } = event as RTCPeerConnectionIceErrorEvent
      this.#reportState('onicecandidateerror', { errorCode })
    })
    on('signalingstatechange', () => this.#reportState('onsignalingstatechange', pc.signalingState))
    on('iceconnectionstatechange', () =>
      this.#reportState('oniceconnectionstatechange', pc.iceConnectionState),
    )
    on('icegatheringstatechange', () =>
      this.#reportState('onicegatheringstatechange', pc.iceGatheringState),
    )
    on('connectionstatechange', () =>
      this.#reportState('onconnectionstatechange', pc.connectionState),
    )
    on('negotiationneeded', () => this.#reportState('onnegotiationneeded', null))
    on('datachannel', () => this.#reportState('ondatachannel', null))
    on('track', (event) => this.#addTrack((event as RTCTrackEvent).track))
    // Tracks that arrived before the connection was watched.
    for (const { receiver } of pc.getTransceivers()) this.#addTrack(receiver.track)
  }

  #addTrack(track: MediaStreamTrack): void {
    if (this.#tracks.has(track)) return
    this.#tracks.add(track)
    this.#reportTrack('ontrack', track, { kind: track.kind, muted: track.muted })
    const { signal } = this.#stopped
    for (const type of ['mute', 'unmute'])
      track.addEventListener(type, () => this.#reportTrack(type, track), { signal })
    const ended = () => {
      if (this.#tracks.delete(track)) this.#reportTrack('ended', track)
    }
    track.addEventListener('ended', ended, { signal })
  }

  #reportTrack(event: string, track: MediaStreamTrack, data?: object): void {
    this.#report({ call: 'track', body: { event, trackId: track.id, data } })
  }

  #reportState(eventName: string, data: unknown): void {
    this.#report({ call: 'rtc-connection', body: { eventName, data } })
  }
}

/** Null: there are no more candidates. */
function pickFields(candidate: RTCIceCandidate | null): object | null {
  if (!candidate) return null
  const fields = candidate as unknown as Record<string, unknown>
  return Object.fromEntries(CANDIDATE_FIELDS.map((field) => [field, fields[field]]))
}
