import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import { watchCamera, type CameraWatch } from './camera-watch.ts'
import { capture } from './capture.ts'
import type { DeviceChoice } from './capture.ts'
import { listDevices } from './device-list.ts'
import { isRefused } from './media-failure.ts'
import type { MediaFailure } from './media-failure.ts'
import { getDeviceState, nextMediaState } from './media-state.ts'
import type { MediaEvent, MediaState } from './media-state.ts'
import { NO_MEDIA, type LocalMedia, type LocalMediaSnapshot } from './local-media-snapshot.ts'
import type { DeviceKind, DevicesPort, EngineClock, Strength } from '../ports.ts'
import { createSnapshotStore } from '../snapshot-store.ts'

export interface LocalMediaParts {
  devices: DevicesPort
  clock: EngineClock
  /** Called at each capture. */
  strength(): Strength
  /** Remembered from earlier visits. */
  choice?: Partial<DeviceChoice>
  /** False for a device that the user switched off earlier. */
  wanted?: Partial<LocalMediaSnapshot['wanted']> | undefined
}

/** A device that fails after each opening must not be reopened without end. */
const RECOVERIES_MAX = 3

const KINDS = ['camera', 'microphone'] as const
const FIELD = { camera: 'video_track', microphone: 'audio_track' } as const

export function createLocalMedia(parts: LocalMediaParts): LocalMedia {
  return new OwnDevices(parts)
}

class OwnDevices implements LocalMedia {
  readonly preview: MediaStream
  readonly subscribe: LocalMedia['subscribe']
  readonly getSnapshot: LocalMedia['getSnapshot']

  #devices: DevicesPort
  #clock: EngineClock
  #cameraWatch: CameraWatch | null = null
  #strength: () => Strength
  #store = createSnapshotStore(NO_MEDIA)
  #states: Record<DeviceKind, MediaState> = {
    camera: { type: 'wanted' },
    microphone: { type: 'wanted' },
  }
  #choice: DeviceChoice
  #recoveries: Record<DeviceKind, number> = { camera: 0, microphone: 0 }
  #isAcquired = false
  /** Rises with each release, so that an answer of the user that arrives after it is discarded. */
  #generation = 0
  /** The browser asks the user one question at a time. A later request finds the devices that are already open. */
  readonly #enqueue = createSerialRunner()
  #removeListeners: (() => void)[]

  constructor({ devices, clock, strength, choice, wanted }: LocalMediaParts) {
    this.#devices = devices
    this.#clock = clock
    this.#strength = strength
    this.#choice = { camera_id: null, microphone_id: null, facing: null, ...choice }
    this.preview = devices.newStream()
    this.subscribe = this.#store.subscribe
    this.getSnapshot = this.#store.getSnapshot
    for (const kind of KINDS) if (wanted?.[kind] === false) this.#switch(kind, false)
    this.#removeListeners = [
      devices.onDeviceChange(() => void this.#devicesChanged()),
      ...KINDS.map((kind) =>
        devices.watchPermission(kind, (permission) => this.#permissionChanged(kind, permission)),
      ),
    ]
  }

  acquire({ want }: { want?: 'both' } = {}): Promise<boolean> {
    this.#isAcquired = true
    if (want === 'both') this.#switch('camera', true)
    return this.#openMissingAgain()
  }

  setMicrophone(on: boolean): void {
    const { audio_track } = this.getSnapshot()
    if (audio_track) audio_track.enabled = on
    this.#switch('microphone', on)
    // A microphone that was lost while muted has no track to switch on.
    if (on && !audio_track) void this.#openMissingAgain()
  }

  async setCamera(on: boolean): Promise<void> {
    this.#switch('camera', on)
    if (!on) this.#close('camera')
    await this.#openMissingAgain()
  }

  chooseCamera(deviceId: string): Promise<void> {
    this.#choice = { ...this.#choice, camera_id: deviceId, facing: null }
    return this.#reopen('camera')
  }

  chooseMicrophone(deviceId: string): Promise<void> {
    this.#choice = { ...this.#choice, microphone_id: deviceId }
    return this.#reopen('microphone')
  }

  flip(): Promise<void> {
    const facing = this.getSnapshot().facing === 'environment' ? 'user' : 'environment'
    this.#choice = { ...this.#choice, camera_id: null, facing }
    return this.#reopen('camera')
  }

  release(): void {
    this.#isAcquired = false
    this.#generation += 1
    for (const kind of KINDS) {
      this.#close(kind)
      this.#dispatch(kind, { type: 'released' })
    }
    this.#store.change({ status: 'off', failure: null, camera: 'off', microphone: 'off' })
  }

  dispose(): void {
    this.release()
    for (const remove of this.#removeListeners) remove()
  }

  #dispatch(kind: DeviceKind, event: MediaEvent) {
    this.#states[kind] = nextMediaState(this.#states[kind], event)
    this.#store.change({ [kind]: getDeviceState(this.#states[kind]) })
  }

  #switch(kind: DeviceKind, on: boolean) {
    const isOpen = this.#findTrack(kind) !== null
    this.#dispatch(kind, on ? { type: 'switched_on', isOpen } : { type: 'switched_off' })
    const { wanted } = this.getSnapshot()
    if (wanted[kind] !== on) this.#store.change({ wanted: { ...wanted, [kind]: on } })
  }

  #findTrack(kind: DeviceKind): MediaStreamTrack | null {
    return this.getSnapshot()[FIELD[kind]]
  }

  #openMissingAgain(): Promise<boolean> {
    this.#recoveries = { camera: 0, microphone: 0 }
    return this.#enqueue(() => this.#openMissing())
  }

  /** The microphone stays open even while muted, so that unmuting takes no question and no time. */
  #isMissing(kind: DeviceKind): boolean {
    return (
      this.#isAcquired &&
      this.#findTrack(kind) === null &&
      (kind === 'microphone' || this.#states.camera.type !== 'off')
    )
  }

  async #openMissing(): Promise<boolean> {
    const missing = KINDS.filter((kind) => this.#isMissing(kind))
    if (missing.length === 0) {
      this.#store.change({ failure: null })
      return this.#isAcquired
    }
    const generation = this.#generation
    for (const kind of missing) this.#dispatch(kind, { type: 'requested' })
    if (this.getSnapshot().status !== 'on') this.#store.change({ status: 'asking' })
    const captured = await capture(this.#devices, {
      camera: missing.includes('camera'),
      microphone: missing.includes('microphone'),
      choice: this.#choice,
      strength: this.#strength(),
    })
    this.#accept('camera', captured.video, generation)
    this.#accept('microphone', captured.audio, generation)
    if (generation !== this.#generation) return false
    for (const kind of missing)
      if (!this.#findTrack(kind))
        this.#dispatch(kind, { type: 'open_failed', isRefused: isRefused(captured.failure) })
    const { video_track, audio_track } = this.getSnapshot()
    const { failure: reason } = captured
    const failure = reason && { ...reason, device: this.#refusedDevice(reason) }
    this.#store.change({ failure, status: video_track || audio_track ? 'on' : 'failed' })
    await this.#listDevices()
    return !failure
  }

  /** If the user switched the device off during the question, the track is stopped. */
  #accept(kind: DeviceKind, track: MediaStreamTrack | null, generation: number) {
    if (!track) return
    if (generation === this.#generation && this.#isMissing(kind)) this.#open(kind, track)
    else track.stop()
  }

  /** After a refused request for both devices only the permissions name the refused device. */
  #refusedDevice(failure: MediaFailure): MediaFailure['device'] {
    const { camera, microphone } = this.getSnapshot().permission
    if (failure.kind !== 'denied' || failure.device !== 'both' || camera === microphone)
      return failure.device
    return camera === 'denied' ? 'camera' : microphone === 'denied' ? 'microphone' : 'both'
  }

  #open(kind: DeviceKind, track: MediaStreamTrack) {
    const pause = () => {
      if (this.#findTrack(kind) !== track) return
      this.#dispatch(kind, { type: 'pause_changed', paused: track.muted })
      if (kind === 'camera') this.#cameraWatch?.restart()
    }
    track.addEventListener('ended', () => this.#findTrack(kind) === track && this.#recover(kind))
    track.addEventListener('mute', pause)
    track.addEventListener('unmute', pause)
    const { deviceId = null, facingMode } = track.getSettings()
    if (kind === 'camera') {
      this.preview.addTrack(track)
      const facing =
        facingMode === 'user' || facingMode === 'environment' ? facingMode : this.#choice.facing
      this.#store.change({ video_track: track, camera_id: deviceId, facing })
      this.#watchCamera(track)
    } else {
      track.enabled = this.#states.microphone.type !== 'off'
      this.#store.change({ audio_track: track, microphone_id: deviceId })
    }
    this.#dispatch(kind, { type: 'opened', paused: track.muted })
  }

  #close(kind: DeviceKind) {
    const track = this.#findTrack(kind)
    if (!track) return
    this.#store.change({ [FIELD[kind]]: null })
    track.stop()
    if (kind === 'camera') {
      this.#cameraWatch?.stop()
      this.#cameraWatch = null
      this.preview.removeTrack(track)
    }
    this.#dispatch(kind, { type: 'track_closed' })
  }

  /** The track ended without the user. The device that the browser prefers takes its place. */
  #recover(kind: DeviceKind) {
    this.#dispatch(kind, { type: 'track_ended' })
    this.#close(kind)
    if (kind === 'camera') this.#choice = { ...this.#choice, camera_id: null, facing: null }
    else this.#choice = { ...this.#choice, microphone_id: null }
    if (this.#recoveries[kind] >= RECOVERIES_MAX) return
    this.#recoveries[kind] += 1
    void this.#enqueue(() => this.#openMissing())
  }

  #watchCamera(track: MediaStreamTrack) {
    this.#cameraWatch?.stop()
    this.#cameraWatch = watchCamera({
      clock: this.#clock,
      frames: () => (track.muted ? null : this.#devices.deliveredFrames(track)),
      onStalled: (stalled) => this.#dispatch('camera', { type: 'stall_changed', stalled }),
      onStuck: () => this.#reopenStuckCamera(),
    })
  }

  noteFrames(further: number | null): void {
    const track = this.#findTrack('camera')
    if (!track || track.muted || this.#devices.deliveredFrames(track) !== null) return
    if (further === null) this.#cameraWatch?.restart()
    else this.#cameraWatch?.note(further)
  }

  /** The same camera again, a limited number of times. */
  #reopenStuckCamera() {
    if (this.#recoveries.camera >= RECOVERIES_MAX) return
    this.#recoveries.camera += 1
    void this.#enqueue(async () => this.#close('camera'))
    void this.#enqueue(() => this.#openMissing())
  }

  async #listDevices() {
    this.#store.change(await listDevices(this.#devices))
  }

  async #devicesChanged() {
    await this.#listDevices()
    // The user refused: only the user asks again, in the browser's own settings or by a press.
    if (isRefused(this.getSnapshot().failure)) return
    if (KINDS.some((kind) => this.#isMissing(kind))) await this.#openMissingAgain()
  }

  #permissionChanged(kind: DeviceKind, permission: PermissionState) {
    this.#store.change({ permission: { ...this.getSnapshot().permission, [kind]: permission } })
    if (permission === 'granted' && isRefused(this.getSnapshot().failure))
      void this.#openMissingAgain()
  }

  /**
   * Phones cannot run two cameras, so the old device closes before the new device opens. A lost device has nothing to
   * close. A camera that the user switched off stays off.
   */
  async #reopen(kind: DeviceKind) {
    await this.#enqueue(async () => this.#close(kind))
    await this.#openMissingAgain()
  }
}
