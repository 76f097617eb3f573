/** The environment of the engine. `browser-ports.ts` implements the environment for browsers. Tests use fakes. */

export interface EngineClock {
  now_ms(): number
  /** Runs once after the delay. Returns the function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export interface RtcPort {
  openConnection(configuration: RTCConfiguration): RTCPeerConnection
  newStream(): MediaStream
  openTestPicture(): TestPicture
}

/** A track with moving dark squares, until it is stopped. It shows nothing of the camera. */
export interface TestPicture {
  readonly track: MediaStreamTrack
  stop(): void
}

export type DeviceKind = 'camera' | 'microphone'

export interface DevicesPort {
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>
  enumerateDevices(): Promise<MediaDeviceInfo[]>
  newStream(): MediaStream
  /** All frames that the camera has delivered. If the browser does not count them, null. */
  deliveredFrames(track: MediaStreamTrack): number | null
  onDeviceChange(listener: () => void): () => void
  /** Reports the current state and each change. If the browser has no such query, reports nothing. */
  watchPermission(kind: DeviceKind, listener: (state: PermissionState) => void): () => void
}

export interface PagePort {
  /** False when the browser paints nothing of this element: a hidden tab, or an element without a box. */
  isPainted(element: HTMLElement): boolean
}

export interface NetworkPort {
  /** Another network interface, or a network that returned: the old path is probably dead. */
  onPathChange(listener: () => void): () => void
  /** The user pays by volume, or asked the browser to save data. */
  isMetered(): boolean
}

/** How much the device is expected to encode, before anything was measured. */
export type Strength = 'strong' | 'modest'

/**
 * A snapshot with change notification, in the form that React's `useSyncExternalStore` reads. The engine does not
 * import React.
 */
export interface ObservableSnapshot<Snapshot> {
  /** Calls the listener after each change. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void
  /** Returns the same object until something changes. */
  getSnapshot(): Snapshot
}
