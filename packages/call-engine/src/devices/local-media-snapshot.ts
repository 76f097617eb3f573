import type { MediaFailure } from './media-failure.ts'
import type { DeviceState } from './media-state.ts'
import type { DeviceKind, ObservableSnapshot } from '../ports.ts'

export interface DeviceOption {
  device_id: string
  /** Empty until the user allowed the device once. */
  label: string
}

export interface LocalMediaSnapshot {
  status: 'off' | 'asking' | 'on' | 'failed'
  failure: MediaFailure | null
  /** `stalled`: open, and delivers no frames for half a second. */
  camera: DeviceState
  /** `off` also while muted: the track stays open and carries silence. */
  microphone: DeviceState
  video_track: MediaStreamTrack | null
  audio_track: MediaStreamTrack | null
  cameras: readonly DeviceOption[]
  microphones: readonly DeviceOption[]
  camera_id: string | null
  microphone_id: string | null
  facing: 'user' | 'environment' | null
  /** The wishes of the user, to be remembered: false is switched off, or muted. */
  wanted: Readonly<Record<DeviceKind, boolean>>
  permission: Readonly<Record<DeviceKind, PermissionState | 'unknown'>>
}

export interface LocalMedia extends ObservableSnapshot<LocalMediaSnapshot> {
  /** The own picture for the self-view. One object holds the tracks for the life of the page. */
  readonly preview: MediaStream
  /**
   * Requests every missing device that the user wants; with `want: 'both'` also a camera that the user switched off.
   * Resolves to true when all wanted devices are open. Otherwise the snapshot has the reason. Never rejects.
   */
  acquire(options?: { want?: 'both' }): Promise<boolean>
  /** Off sends silence and keeps the device open. On requests a lost microphone again. */
  setMicrophone(on: boolean): void
  /** Off closes the device, so that its light goes out. On requests the device again. */
  setCamera(on: boolean): Promise<void>
  chooseCamera(deviceId: string): Promise<void>
  chooseMicrophone(deviceId: string): Promise<void>
  /** Switches to the other camera of a phone. */
  flip(): Promise<void>
  /**
   * Frames that a connection took from the camera since the last reading. Some browsers do not count frames on the
   * track. The count starts again with each connection and each camera; without an earlier reading the result is null.
   */
  noteFrames(further: number | null): void
  /** Closes everything at once, also a device whose request is not answered yet. */
  release(): void
  dispose(): void
}

export const NO_MEDIA: LocalMediaSnapshot = {
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
  wanted: { camera: true, microphone: true },
  permission: { camera: 'unknown', microphone: 'unknown' },
}
