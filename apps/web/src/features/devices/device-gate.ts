import { canCall, type LocalMedia } from '@duet/call-engine'
import type { Persistence } from '@duet/client'
import { createStore, type Observable } from '../../shared/observable-store.ts'
import { cameraPermission } from './camera-permission.ts'

/** The screen that stands before search and calls until the camera is open. */
export type Gate = 'permission' | 'denied'

export interface DeviceGate extends Observable<Gate | null> {
  /** Resolves to true when the camera is open; otherwise the gate shows what to do. */
  requestCamera(explains: boolean): Promise<boolean>
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

  async function acquire(): Promise<boolean> {
    isAcquiring = true
    await media.acquire().finally(() => {
      isAcquiring = false
    })
    return hasCamera()
  }

  media.subscribe(passIfOpen)
  return {
    getSnapshot: gate.getSnapshot,
    subscribe: gate.subscribe,
    async requestCamera(explains) {
      if (hasCamera()) return true
      if (!canCall()) {
        gate.set('denied')
        return false
      }
      if (explains && (await cameraPermission()) !== 'granted') {
        gate.set('permission')
        return false
      }
      const isOpen = await acquire()
      gate.set(isOpen ? null : 'denied')
      return isOpen
    },
    async allow() {
      if (await acquire()) passIfOpen()
      else gate.set('denied')
    },
    close: () => gate.set(null),
    async chooseDevice(kind, deviceId) {
      persistence.set(kind === 'camera' ? 'video_device' : 'audio_device', deviceId)
      await (kind === 'camera' ? media.chooseCamera(deviceId) : media.chooseMicrophone(deviceId))
    },
  }
}
