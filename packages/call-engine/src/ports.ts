/** What the engine needs of the world around it. `browser-ports.ts` is the real world; tests bring their own. */

export interface Clock {
  now_ms(): number
  /** Runs once after the delay; the answer calls it off. */
  after(delay_ms: number, run: () => void): () => void
}

export interface RtcPort {
  openConnection(configuration: RTCConfiguration): RTCPeerConnection
  newStream(): MediaStream
}

export type DeviceKind = 'camera' | 'microphone'

export interface DevicesPort {
  getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream>
  enumerateDevices(): Promise<MediaDeviceInfo[]>
  newStream(): MediaStream
  onDeviceChange(listener: () => void): () => void
  /** Tells the present state and each change; silent where the browser cannot be asked. */
  watchPermission(kind: DeviceKind, listener: (state: PermissionState) => void): () => void
}

export interface NetworkPort {
  /** Another interface, or the network back after it was gone: the old path is likely dead. */
  onPathChange(listener: () => void): () => void
}

/** What the device is known to carry, before anything was measured. */
export type Strength = 'strong' | 'modest'

/** Telling many who looks, in a form that React's `useSyncExternalStore` can read without the engine knowing React. */
export interface Watchable<Snapshot> {
  /** Called after each change; the answer ends it. */
  subscribe(listener: () => void): () => void
  /** The same object until something changed. */
  getSnapshot(): Snapshot
}
