import { canCall, type LocalMedia, type LocalMediaSnapshot } from '@duet/call-engine'
import type { Persistence } from '@duet/client'
import { createStore, type Observable, type Store } from '../../shared/observable-store.ts'

/** The screen before search and calls while camera and microphone are not open. */
export type Gate = 'permission' | 'denied'

export interface DeviceGate extends Observable<Gate | null> {
  /**
   * Resolves to true when camera and microphone are open. Otherwise the gate shows what to do. With `keepsWish` the
   * microphone is enough, and a camera that the user switched off stays off.
   */
  requestCamera(explains: boolean, keepsWish?: boolean): Promise<boolean>
  /**
   * Opens the devices of a running search or call again. A camera that the user switched off stays off. With `isAgreed`
   * nothing is explained, because the user has pressed or the browser does not ask.
   */
  resumeDevices(isAgreed: boolean): Promise<void>
  /** The user read the explanation: the browser asks for the devices. */
  allow(): Promise<void>
  close(): void
  /** The search or call that needed the gate is over. */
  reset(): void
  chooseDevice(kind: 'camera' | 'microphone', deviceId: string): Promise<void>
}

export interface DeviceGateParts {
  media: LocalMedia
  persistence: Persistence
  isInCall(): boolean
  /** Whether a search or a call uses the devices. Otherwise the devices are released with the gate. */
  isInUse(): boolean
  /**
   * Called when the devices opened behind the gate: by the gate's button, in the browser's settings, or by plugging in
   * a device.
   */
  onOpened(): void
  /**
   * Called when the user goes back without devices, before the gate closes. Without devices the user could not answer
   * an offer.
   */
  onDeclined(): void
}

/** Both are needed to start. A muted microphone is open too, and in a call the user may have switched the camera off. */
function areOpen(
  { video_track, audio_track, wanted }: LocalMediaSnapshot,
  isInCall: boolean,
): boolean {
  if (isInCall) return video_track !== null || (audio_track !== null && !wanted.camera)
  return video_track !== null && audio_track !== null
}

function decline({ media, isInUse, onDeclined }: DeviceGateParts, gate: Store<Gate | null>): void {
  onDeclined()
  gate.set(null)
  // The browser may have granted one of the two devices. At the idle screen this device must not stay open.
  if (!isInUse()) media.release()
}

/** The devices decide the gate: a request for devices counts only while the devices are not open. */
export function createDeviceGate(parts: DeviceGateParts): DeviceGate {
  const { media, persistence, isInCall, onOpened } = parts
  const gate = createStore<Gate | null>(null)
  let isAcquiring = false

  const isOpen = () => areOpen(media.getSnapshot(), isInCall())
  function passIfOpen(): void {
    if (isAcquiring || gate.getSnapshot() === null || !isOpen()) return
    gate.set(null)
    onOpened()
  }

  async function acquire(want?: 'both'): Promise<void> {
    isAcquiring = true
    await media.acquire({ want }).finally(() => (isAcquiring = false))
  }

  /** Shows the obstacle before the devices: no support, or a permission to explain. */
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

  const isCameraOff = () => media.getSnapshot().camera === 'off'
  const hasMicrophone = () => media.getSnapshot().audio_track !== null

  media.subscribe(passIfOpen)
  return {
    getSnapshot: gate.getSnapshot,
    subscribe: gate.subscribe,
    async requestCamera(explains, keepsWish = false) {
      const staysOff = keepsWish && !media.getSnapshot().wanted.camera
      const isEnough = () => isOpen() || (staysOff && hasMicrophone())
      if (isEnough()) return true
      if (!(await isReady(explains))) return false
      await acquire(staysOff ? undefined : 'both')
      // The page of the search may have been left while the browser asked.
      gate.set(isEnough() || media.getSnapshot().status === 'off' ? null : 'denied')
      return isEnough()
    },
    async resumeDevices(isAgreed) {
      if (media.getSnapshot().video_track || !(await isReady(!isAgreed))) return
      await acquire()
      // After the request, only a camera that the user switched off is `off`.
      gate.set(media.getSnapshot().video_track || isCameraOff() ? null : 'denied')
    },
    async allow() {
      // A call that is resumed keeps a camera off that the user switched off.
      await acquire(isInCall() ? undefined : 'both')
      if (isOpen()) passIfOpen()
      else gate.set('denied')
    },
    close: () => decline(parts, gate),
    reset: () => gate.set(null),
    async chooseDevice(kind, deviceId) {
      persistence.set(kind === 'camera' ? 'video_device' : 'audio_device', deviceId)
      await (kind === 'camera' ? media.chooseCamera(deviceId) : media.chooseMicrophone(deviceId))
    },
  }
}

/** The permission that the browser has stored. Asks the user nothing. If the browser has no such query, `unknown`. */
export async function cameraPermission(): Promise<PermissionState | 'unknown'> {
  try {
    const states = await Promise.all(
      ['camera', 'microphone'].map((name) =>
        navigator.permissions.query({ name: name as PermissionName }),
      ),
    )
    if (states.every(({ state }) => state === 'granted')) return 'granted'
    return states.some(({ state }) => state === 'denied') ? 'denied' : 'prompt'
  } catch {
    return 'unknown'
  }
}
