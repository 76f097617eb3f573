import type {
  TestPicture,
  EngineClock,
  DevicesPort,
  NetworkPort,
  PagePort,
  RtcPort,
  Strength,
} from './ports.ts'

/** The engine's ports in a browser. Nothing here decides anything. */

export const browserClock: EngineClock = {
  now_ms: () => performance.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

export const browserRtc: RtcPort = {
  openConnection: (configuration) => new RTCPeerConnection(configuration),
  newStream: () => new MediaStream(),
  openTestPicture,
}

/** The encoder and the decoder are built for the size of a camera. */
const TEST_SIZE = { width: 640, height: 480 }
const TEST_EVERY_MS = 40
/** Chromium measures the bandwidth only with packets of 200 bytes or more. An unchanging picture sends smaller ones. */
const TEST_SQUARES = 60
const SQUARE_PX = 60
const LIGHTNESS_MAX = 25

/** Dark squares at random places, so that each frame differs from the one before. */
function openTestPicture(): TestPicture {
  const canvas = Object.assign(document.createElement('canvas'), TEST_SIZE)
  const context = canvas.getContext('2d')
  const [track] = canvas.captureStream().getVideoTracks()
  if (!track) throw new Error('a canvas has a picture')
  // A canvas gives a frame only after it was drawn.
  const paint = () => {
    for (let square = 0; context && square < TEST_SQUARES; square += 1) {
      context.fillStyle = `hsl(0 0% ${Math.random() * LIGHTNESS_MAX}%)`
      const [left, top] = [TEST_SIZE.width * Math.random(), TEST_SIZE.height * Math.random()]
      context.fillRect(left, top, SQUARE_PX, SQUARE_PX)
    }
  }
  paint()
  const painting = setInterval(paint, TEST_EVERY_MS)
  return {
    track,
    stop() {
      clearInterval(painting)
      track.stop()
    },
  }
}

/** Chromium counts frames on the track. TypeScript's library does not know the property. */
interface CountingTrack extends MediaStreamTrack {
  stats?: { deliveredFrames?: number }
}

export const browserPage: PagePort = {
  isPainted: (element) =>
    document.visibilityState === 'visible' && element.getClientRects().length > 0,
}

export const browserDevices: DevicesPort = {
  // A page without TLS has no `mediaDevices`. The TypeError is classified as `unsupported`.
  getUserMedia: async (constraints) => navigator.mediaDevices.getUserMedia(constraints),
  enumerateDevices: async () => navigator.mediaDevices.enumerateDevices(),
  newStream: () => new MediaStream(),
  deliveredFrames: (track) => (track as CountingTrack).stats?.deliveredFrames ?? null,
  onDeviceChange(listener) {
    const { mediaDevices } = navigator as Partial<Pick<Navigator, 'mediaDevices'>>
    mediaDevices?.addEventListener('devicechange', listener)
    return () => mediaDevices?.removeEventListener('devicechange', listener)
  },
  watchPermission(kind, listener) {
    let stop = () => {}
    let stopped = false
    const watch = async () => {
      const permission = await navigator.permissions.query({ name: kind as PermissionName })
      if (stopped) return
      const tell = () => listener(permission.state)
      permission.addEventListener('change', tell)
      stop = () => permission.removeEventListener('change', tell)
      tell()
    }
    // Some browsers do not know the permission for cameras. The permission then stays unknown until the page asks for
    // the camera.
    watch().catch(() => {})
    return () => {
      stopped = true
      stop()
    }
  },
}

/** Chromium only, and not in TypeScript's library. */
interface NetworkInformation extends EventTarget {
  type?: string
  effectiveType?: string
  saveData?: boolean
}

function networkInformation(): NetworkInformation | undefined {
  return (navigator as Navigator & { connection?: NetworkInformation }).connection
}

export const browserNetwork: NetworkPort = {
  onPathChange(listener) {
    const information = networkInformation()
    let type = information?.type
    // `change` also fires for each new estimate of the speed. The path changes only with the network interface.
    const changed = () => {
      if (information?.type === type) return
      type = information?.type
      listener()
    }
    information?.addEventListener('change', changed)
    window.addEventListener('online', listener)
    return () => {
      information?.removeEventListener('change', changed)
      window.removeEventListener('online', listener)
    }
  },
  isMetered() {
    const { type, saveData = false } = networkInformation() ?? {}
    return saveData || type === 'cellular'
  },
}

/** The user has asked the browser to spend little data. */
export function savesData(): boolean {
  return networkInformation()?.saveData ?? false
}

/** Encoding 1280x720 in software needs several cores. Sending 1280x720 needs a network that is not known to be poor. */
export function browserStrength(): Strength {
  const { effectiveType = '4g', saveData = false } = networkInformation() ?? {}
  return navigator.hardwareConcurrency >= 4 && effectiveType === '4g' && !saveData
    ? 'strong'
    : 'modest'
}

/** Whether this browser can make calls at all. */
export function canCall(): boolean {
  return 'RTCPeerConnection' in globalThis && 'mediaDevices' in navigator
}
