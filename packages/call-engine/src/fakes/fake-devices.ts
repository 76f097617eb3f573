import type { DeviceKind, DevicesPort } from '../ports.ts'

/** A camera or microphone track as the browser makes it. */
export class FakeTrack extends EventTarget {
  readonly kind: 'audio' | 'video'
  readonly deviceId: string
  readonly facingMode: string | undefined
  readyState: 'live' | 'ended' = 'live'
  enabled = true
  muted = false
  /** Null as in a browser that does not count. */
  frames: number | null = null

  constructor({ kind, device_id, facing }: FakeDevice) {
    super()
    this.kind = kind === 'camera' ? 'video' : 'audio'
    this.deviceId = device_id
    this.facingMode = facing
  }

  stop(): void {
    this.readyState = 'ended'
  }

  /** Unplugged, or the permission was taken back. */
  end(): void {
    this.stop()
    this.dispatchEvent(new Event('ended'))
  }

  setMuted(muted: boolean): void {
    this.muted = muted
    this.dispatchEvent(new Event(muted ? 'mute' : 'unmute'))
  }

  getSettings() {
    return { deviceId: this.deviceId, facingMode: this.facingMode }
  }
}

export class FakeStream {
  #tracks: FakeTrack[]

  constructor(tracks: FakeTrack[] = []) {
    this.#tracks = tracks
  }

  addTrack(track: FakeTrack): void {
    this.#tracks.push(track)
  }

  removeTrack(track: FakeTrack): void {
    this.#tracks = this.#tracks.filter((each) => each !== track)
  }

  getTracks(): FakeTrack[] {
    return this.#tracks
  }

  getAudioTracks(): FakeTrack[] {
    return this.#tracks.filter(({ kind }) => kind === 'audio')
  }

  getVideoTracks(): FakeTrack[] {
    return this.#tracks.filter(({ kind }) => kind === 'video')
  }
}

export interface FakeDevice {
  kind: DeviceKind
  device_id: string
  facing?: 'user' | 'environment'
  in_use?: boolean
}

/** A computer with the devices that a test plugs in, and a user who answers the browser's question. */
export class FakeDevices implements DevicesPort {
  plugged: FakeDevice[]
  /** Each question that was put, with its constraints. */
  asked: MediaStreamConstraints[] = []
  /** Every track that was ever handed out. */
  tracks: FakeTrack[] = []
  answer: 'allow' | 'deny' | 'dismiss' = 'allow'
  #permission: Partial<Record<DeviceKind, (state: PermissionState) => void>> = {}
  #onDeviceChange = () => {}
  #thinking: Promise<void> = Promise.resolve()

  constructor(plugged: FakeDevice[]) {
    this.plugged = plugged
  }

  /** The person does not answer before the returned function is called. */
  delayAnswer(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#thinking = promise
    return resolve
  }

  plug(plugged: FakeDevice[]): void {
    const gone = this.plugged.filter((device) => !plugged.includes(device))
    this.plugged = plugged
    for (const track of this.tracks)
      if (track.readyState === 'live' && gone.some(({ device_id }) => device_id === track.deviceId))
        track.end()
    this.#onDeviceChange()
  }

  setPermission(kind: DeviceKind, state: PermissionState): void {
    this.#permission[kind]?.(state)
  }

  async getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream> {
    this.asked.push(constraints)
    await this.#thinking
    if (this.answer === 'deny') throw named('NotAllowedError', 'Permission denied')
    if (this.answer === 'dismiss') throw named('NotAllowedError', 'Permission dismissed')
    const wanted = [
      ...(constraints.video ? [this.#find('camera', constraints.video)] : []),
      ...(constraints.audio ? [this.#find('microphone', constraints.audio)] : []),
    ]
    const tracks = wanted.map((device) => new FakeTrack(device))
    this.tracks.push(...tracks)
    return new FakeStream(tracks) as unknown as MediaStream
  }

  async enumerateDevices(): Promise<MediaDeviceInfo[]> {
    return this.plugged.map(
      ({ kind, device_id }) =>
        ({
          kind: kind === 'camera' ? 'videoinput' : 'audioinput',
          deviceId: device_id,
          label: device_id,
        }) as MediaDeviceInfo,
    )
  }

  deliveredFrames(track: MediaStreamTrack): number | null {
    return (track as unknown as FakeTrack).frames
  }

  newStream(): MediaStream {
    return new FakeStream() as unknown as MediaStream
  }

  onDeviceChange(listener: () => void): () => void {
    this.#onDeviceChange = listener
    return () => {
      this.#onDeviceChange = () => {}
    }
  }

  watchPermission(kind: DeviceKind, listener: (state: PermissionState) => void): () => void {
    this.#permission[kind] = listener
    return () => {
      this.#permission[kind] = undefined
    }
  }

  #find(kind: DeviceKind, constraints: true | MediaTrackConstraints): FakeDevice {
    const { deviceId, facingMode } = constraints === true ? {} : constraints
    const exact = (deviceId as { exact?: string } | undefined)?.exact
    const ideal = (facingMode as { ideal?: string } | undefined)?.ideal
    const fitting = this.plugged.filter(
      (device) => device.kind === kind && (!exact || device.device_id === exact),
    )
    const found = fitting.find(({ facing }) => facing === ideal) ?? fitting[0]
    if (!found)
      throw named(exact ? 'OverconstrainedError' : 'NotFoundError', 'Requested device not found')
    if (found.in_use) throw named('NotReadableError', 'Could not start video source')
    return found
  }
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name })
}
