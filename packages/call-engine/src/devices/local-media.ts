import { capture } from './capture.ts'
import type { DeviceChoice } from './capture.ts'
import { isRefused } from './media-failure.ts'
import type { MediaFailure } from './media-failure.ts'
import type { DeviceKind, DevicesPort, Strength, Watchable } from '../ports.ts'
import { watched } from '../watchable.ts'

export interface DeviceOption {
  device_id: string
  /** Empty until the person allowed the device once. */
  label: string
}

/** `off` by wish, `paused` by the operating system (a phone call, another tab), `lost` unplugged or taken away. */
export type DeviceState = 'off' | 'on' | 'paused' | 'lost'

export interface LocalMediaSnapshot {
  status: 'off' | 'asking' | 'on' | 'failed'
  failure: MediaFailure | null
  camera: DeviceState
  /** `off` also when muted: the track lives and carries silence. */
  microphone: DeviceState
  video_track: MediaStreamTrack | null
  audio_track: MediaStreamTrack | null
  cameras: readonly DeviceOption[]
  microphones: readonly DeviceOption[]
  camera_id: string | null
  microphone_id: string | null
  facing: 'user' | 'environment' | null
  permission: Readonly<Record<DeviceKind, PermissionState | 'unknown'>>
}

export interface LocalMedia extends Watchable<LocalMediaSnapshot> {
  /** Own picture, for the self-view; one object for ever, tracks come and go in it. */
  readonly preview: MediaStream
  /** Asks for whatever is missing. True when everything wanted is there; the snapshot tells why not. Never rejects. */
  acquire(choice?: Partial<DeviceChoice>): Promise<boolean>
  /** Off carries silence and keeps the device. */
  setMicrophone(on: boolean): void
  /** Off stops the device, so its light goes out; on asks for it again. */
  setCamera(on: boolean): Promise<void>
  chooseCamera(device_id: string): Promise<void>
  chooseMicrophone(device_id: string): Promise<void>
  /** The other camera of a phone. */
  flip(): Promise<void>
  /** Stops everything at once, also what is still being asked for. */
  release(): void
  dispose(): void
}

export interface LocalMediaParts {
  devices: DevicesPort
  /** Asked at each capture. */
  strength(): Strength
  /** Remembered from earlier visits. */
  choice?: Partial<DeviceChoice>
}

/** A device that dies as soon as it is opened would otherwise be opened for ever. */
const RECOVERIES_MAX = 3

const KINDS = ['camera', 'microphone'] as const
const FIELD = { camera: 'video_track', microphone: 'audio_track' } as const

const NOTHING_YET: LocalMediaSnapshot = {
  status: 'off',
  failure: null,
  camera: 'off',
  microphone: 'off',
  video_track: null,
  audio_track: null,
  cameras: [],
  microphones: [],
  camera_id: null,
  microphone_id: null,
  facing: null,
  permission: { camera: 'unknown', microphone: 'unknown' },
}

export function createLocalMedia(parts: LocalMediaParts): LocalMedia {
  return new OwnDevices(parts)
}

class OwnDevices implements LocalMedia {
  readonly preview: MediaStream
  readonly subscribe: LocalMedia['subscribe']
  readonly getSnapshot: LocalMedia['getSnapshot']

  #devices: DevicesPort
  #strength: () => Strength
  #state = watched(NOTHING_YET)
  #choice: DeviceChoice
  #wanted: Record<DeviceKind, boolean> = { camera: true, microphone: true }
  #recoveries: Record<DeviceKind, number> = { camera: 0, microphone: 0 }
  #holding = false
  /** Rises when everything is let go, so that an answer of the person that comes later is let go too. */
  #generation = 0
  #line: Promise<unknown> = Promise.resolve()
  #stopWatching: (() => void)[]

  constructor({ devices, strength, choice }: LocalMediaParts) {
    this.#devices = devices
    this.#strength = strength
    this.#choice = { camera_id: null, microphone_id: null, facing: null, ...choice }
    this.preview = devices.newStream()
    this.subscribe = this.#state.subscribe
    this.getSnapshot = this.#state.getSnapshot
    this.#stopWatching = [
      devices.onDeviceChange(() => void this.#devicesChanged()),
      ...KINDS.map((kind) =>
        devices.watchPermission(kind, (permission) => this.#permissionChanged(kind, permission)),
      ),
    ]
  }

  acquire(choice: Partial<DeviceChoice> = {}): Promise<boolean> {
    this.#choice = { ...this.#choice, ...choice }
    this.#holding = true
    return this.#fillAgain()
  }

  setMicrophone(on: boolean): void {
    this.#wanted.microphone = on
    const { audio_track } = this.getSnapshot()
    if (audio_track) audio_track.enabled = on
    this.#show('microphone')
  }

  async setCamera(on: boolean): Promise<void> {
    this.#wanted.camera = on
    if (!on) this.#drop('camera')
    this.#show('camera')
    await this.#fillAgain()
  }

  chooseCamera(device_id: string): Promise<void> {
    this.#choice = { ...this.#choice, camera_id: device_id, facing: null }
    return this.#reopen('camera')
  }

  chooseMicrophone(device_id: string): Promise<void> {
    this.#choice = { ...this.#choice, microphone_id: device_id }
    return this.#reopen('microphone')
  }

  flip(): Promise<void> {
    const facing = this.getSnapshot().facing === 'environment' ? 'user' : 'environment'
    this.#choice = { ...this.#choice, camera_id: null, facing }
    return this.#reopen('camera')
  }

  release(): void {
    this.#holding = false
    this.#generation += 1
    for (const kind of KINDS) this.#drop(kind)
    this.#state.change({ status: 'off', failure: null, camera: 'off', microphone: 'off' })
  }

  dispose(): void {
    this.release()
    for (const stop of this.#stopWatching) stop()
  }

  #trackOf(kind: DeviceKind): MediaStreamTrack | null {
    return this.getSnapshot()[FIELD[kind]]
  }

  /** One question to the person at a time; whoever comes later finds what the earlier one got. */
  #inLine<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#line.then(run)
    this.#line = result.catch(() => {})
    return result
  }

  #fillAgain(): Promise<boolean> {
    this.#recoveries = { camera: 0, microphone: 0 }
    return this.#inLine(() => this.#fill())
  }

  /** The microphone is held even while muted, so that speaking again takes no question and no time. */
  #isMissing(kind: DeviceKind): boolean {
    return (
      this.#holding &&
      this.#trackOf(kind) === null &&
      (kind === 'microphone' || this.#wanted.camera)
    )
  }

  async #fill(): Promise<boolean> {
    const camera = this.#isMissing('camera')
    const microphone = this.#isMissing('microphone')
    if (!camera && !microphone) {
      this.#state.change({ failure: null })
      return this.#holding
    }
    const mine = this.#generation
    if (this.getSnapshot().status !== 'on') this.#state.change({ status: 'asking' })
    const got = await capture(this.#devices, {
      camera,
      microphone,
      choice: this.#choice,
      strength: this.#strength(),
    })
    this.#take('camera', got.video, mine)
    this.#take('microphone', got.audio, mine)
    if (mine !== this.#generation) return false
    const { video_track, audio_track } = this.getSnapshot()
    const failure = got.failure && { ...got.failure, device: this.#refusedDevice(got.failure) }
    this.#state.change({ failure, status: video_track || audio_track ? 'on' : 'failed' })
    await this.#listDevices()
    return !failure
  }

  /** Wishes may have changed while the person was thinking. */
  #take(kind: DeviceKind, track: MediaStreamTrack | null, asked_by: number) {
    if (!track) return
    if (asked_by === this.#generation && this.#isMissing(kind)) this.#keep(kind, track)
    else track.stop()
  }

  /** The browser refuses the pair without saying which; the permissions know. */
  #refusedDevice(failure: MediaFailure): MediaFailure['device'] {
    const { camera, microphone } = this.getSnapshot().permission
    if (failure.kind !== 'denied' || failure.device !== 'both' || camera === microphone)
      return failure.device
    return camera === 'denied' ? 'camera' : microphone === 'denied' ? 'microphone' : 'both'
  }

  #keep(kind: DeviceKind, track: MediaStreamTrack) {
    track.addEventListener('ended', () => this.#trackOf(kind) === track && this.#lose(kind))
    track.addEventListener('mute', () => this.#show(kind))
    track.addEventListener('unmute', () => this.#show(kind))
    const { deviceId = null, facingMode } = track.getSettings()
    if (kind === 'camera') {
      this.preview.addTrack(track)
      const facing =
        facingMode === 'user' || facingMode === 'environment' ? facingMode : this.#choice.facing
      this.#state.change({ video_track: track, camera_id: deviceId, facing })
    } else {
      track.enabled = this.#wanted.microphone
      this.#state.change({ audio_track: track, microphone_id: deviceId })
    }
    this.#show(kind)
  }

  #drop(kind: DeviceKind) {
    const track = this.#trackOf(kind)
    if (!track) return
    this.#state.change({ [FIELD[kind]]: null })
    track.stop()
    if (kind === 'camera') this.preview.removeTrack(track)
    this.#show(kind)
  }

  #show(kind: DeviceKind) {
    const track = this.#trackOf(kind)
    const asked_for = this.#wanted[kind] && this.#holding
    const state: DeviceState = !asked_for ? 'off' : !track ? 'lost' : track.muted ? 'paused' : 'on'
    this.#state.change({ [kind]: state })
  }

  #lose(kind: DeviceKind) {
    this.#drop(kind)
    if (kind === 'camera') this.#choice = { ...this.#choice, camera_id: null, facing: null }
    else this.#choice = { ...this.#choice, microphone_id: null }
    if (this.#recoveries[kind] >= RECOVERIES_MAX) return
    this.#recoveries[kind] += 1
    void this.#inLine(() => this.#fill())
  }

  async #listDevices() {
    const found = await this.#devices.enumerateDevices().catch(() => [])
    const options = (kind: MediaDeviceKind) =>
      found
        .filter((each) => each.kind === kind)
        .map(({ deviceId, label }) => ({ device_id: deviceId, label }))
    this.#state.change({ cameras: options('videoinput'), microphones: options('audioinput') })
  }

  async #devicesChanged() {
    await this.#listDevices()
    if (KINDS.some((kind) => this.#isMissing(kind))) await this.#fillAgain()
  }

  #permissionChanged(kind: DeviceKind, permission: PermissionState) {
    this.#state.change({ permission: { ...this.getSnapshot().permission, [kind]: permission } })
    if (permission === 'granted' && isRefused(this.getSnapshot().failure)) void this.#fillAgain()
  }

  /** Closed before opened: phones cannot run two cameras. */
  async #reopen(kind: DeviceKind) {
    if (!this.#trackOf(kind)) return
    await this.#inLine(async () => this.#drop(kind))
    await this.#fillAgain()
  }
}
