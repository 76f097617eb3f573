import { canCall, type LocalMedia } from '@duet/call-engine'
import type { Persistence } from '@duet/client'
import { createStore, type Observable } from '../../shared/observable-store.ts'
import { cameraPermission } from './camera-permission.ts'

/** The screen that stands before search and calls until the camera is open. */
export type Gate = 'permission' | 'denied'

export interface DeviceGate extends Observable<Gate | null> {
  /** Resolves to true when the camera is open; otherwise the gate shows what to do. */
  requestCamera(explains: boolean): Promise<boolean>
  /** Opens the devices of a running search or call again; a camera that the user switched off stays off. */
  resumeDevices(): Promise<void>
  /** The user read the explanation: the browser asks for the devices. */
  allow(): Promise<void>
  close(): void
  chooseDevice(kind: 'camera' | 'microphone', deviceId: string): Promise<void>
}

export interface DeviceGateParts {
  media: LocalMedia
  persistence: Persistence
  /** Called when the camera opened behind the gate: by its button, in the browser's own settings, or by plugging one in. */
  onOpened(): void
}

/** The gate follows from the camera: what was requested stands only while the camera is not open. */
export function createDeviceGate({ media, persistence, onOpened }: DeviceGateParts): DeviceGate {
  const gate = createStore<Gate | null>(null)
  const hasCamera = () => media.getSnapshot().video_track !== null
  let isAcquiring = false

  function passIfOpen(): void {
    if (isAcquiring || gate.getSnapshot() === null || !hasCamera()) return
    gate.set(null)
    onOpened()
  }

  async function acquire(want?: 'both'): Promise<void> {
    isAcquiring = true
    await media.acquire({ want }).finally(() => {
      isAcquiring = false
    })
  }

  /** Shows what stands before the devices: no support, or a permission to explain. */
  async function isReady(explains: boolean): Promise<boolean> {
    if (!canCall()) {
      gate.set('denied')
      return false
    }
    if (explains && (await cameraPermission()) !== 'granted') {
      gate.set('permission')
      return false
    }
    return true
  }

  media.subscribe(passIfOpen)
  return {
    getSnapshot: gate.getSnapshot,
    subscribe: gate.subscribe,
    async requestCamera(explains) {
      if (hasCamera()) return true
      if (!(await isReady(explains))) return false
      await acquire('both')
      gate.set(hasCamera() ? null : 'denied')
      return hasCamera()
    },
    async resumeDevices() {
      if (hasCamera() || !(await isReady(true))) return
      await acquire()
      // After the request, only a camera that the user switched off is `off`.
      gate.set(hasCamera() || media.getSnapshot().camera === 'off' ? null : 'denied')
    },
    async allow() {
      await acquire('both')
      if (hasCamera()) passIfOpen()
      else gate.set('denied')
    },
    close: () => gate.set(null),
    async chooseDevice(kind, deviceId) {
      persistence.set(kind === 'camera' ? 'video_device' : 'audio_device', deviceId)
      await (kind === 'camera' ? media.chooseCamera(deviceId) : media.chooseMicrophone(deviceId))
    },
  }
}
