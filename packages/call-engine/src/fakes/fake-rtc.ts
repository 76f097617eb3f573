import type { TestPicture, RtcPort } from '../ports.ts'
import { FakeStream } from './fake-devices.ts'

/** A connection that the test controls and that carries nothing. For tests of the engine's work around connections. */
export class FakeConnection {
  readonly configuration: RTCConfiguration
  connectionState: RTCPeerConnectionState = 'new'
  iceConnectionState: RTCIceConnectionState = 'new'
  signalingState: RTCSignalingState = 'stable'
  localDescription: RTCSessionDescriptionInit | null = null
  remoteDescription: RTCSessionDescriptionInit | null = null
  /** Own tracks by kind, as `replaceTrack` set them. */
  sent: Record<string, unknown> = {}
  onconnectionstatechange: (() => void) | null = null
  oniceconnectionstatechange: (() => void) | null = null
  onnegotiationneeded: (() => Promise<void>) | null = null
  ice_restarts = 0
  /** The answer of `getStats`. */
  stats: Record<string, unknown>[] = []
  received: unknown[] = []
  /** Whether pictures are sent, and when the last one was received. */
  frame_ms: number | null = null

  constructor(configuration: RTCConfiguration) {
    this.configuration = configuration
  }

  become(state: RTCPeerConnectionState): void {
    if (state === 'connected') {
      this.iceConnectionState = 'connected'
      this.oniceconnectionstatechange?.()
    }
    this.connectionState = state
    this.onconnectionstatechange?.()
  }

  addTransceiver(): void {}

  getTransceivers(): object[] {
    return ['audio', 'video'].map((kind) => ({
      direction: 'sendrecv',
      receiver: {
        track: { kind },
        getSynchronizationSources: () =>
          this.frame_ms === null ? [] : [{ timestamp: this.frame_ms }],
      },
      sender: {
        replaceTrack: async (track: unknown) => void (this.sent[kind] = track),
        getParameters: () => ({ encodings: [{}] }),
        setParameters: async () => {},
      },
    }))
  }

  async setLocalDescription(): Promise<void> {
    this.signalingState = 'have-local-offer'
    this.localDescription = { type: 'offer', sdp: 'v=0' }
  }

  async setRemoteDescription(description: unknown): Promise<void> {
    this.remoteDescription = description as RTCSessionDescriptionInit
    this.received.push(description)
  }

  async addIceCandidate(candidate: unknown): Promise<void> {
    if (!this.remoteDescription) throw new Error('The remote description was null')
    this.received.push(candidate)
  }

  setConfiguration(): void {}

  restartIce(): void {
    this.ice_restarts += 1
  }

  async getStats(): Promise<Map<string, Record<string, unknown>>> {
    return new Map(this.stats.map((entry, index) => [String(index), entry]))
  }

  close(): void {
    this.connectionState = 'closed'
  }
}

export class FakeRtc implements RtcPort {
  connections: FakeConnection[] = []
  /** Test pictures that run now. */
  test_pictures = 0

  openConnection(configuration: RTCConfiguration): RTCPeerConnection {
    const connection = new FakeConnection(configuration)
    this.connections.push(connection)
    return connection as unknown as RTCPeerConnection
  }

  newStream(): MediaStream {
    return new FakeStream() as unknown as MediaStream
  }

  openTestPicture(): TestPicture {
    const track = { kind: 'video', is_test: true } as unknown as MediaStreamTrack
    this.test_pictures += 1
    return { track, stop: () => void (this.test_pictures -= 1) }
  }
}
