import type { EngineClock, DevicesPort, NetworkPort, PagePort, RtcPort, Strength } from './ports.ts'

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
}

/** Chromium counts on the track; not in TypeScript's library. */
interface CountingTrack extends MediaStreamTrack {
  stats?: { deliveredFrames?: number }
}

export const browserPage: PagePort = {
  isPainted: (element) =>
    document.visibilityState === 'visible' && element.getClientRects().length > 0,
}

export const browserDevices: DevicesPort = {
  // On a page without TLS there is no `mediaDevices`; the TypeError is classified as `unsupported`.
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
    // Not every browser answers for cameras; then the permission stays unknown and only asking tells.
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
    // `change` also fires for each new estimate of the speed; only another interface is another path.
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
}

/** Encoding 1280x720 in software needs cores; sending it needs a network that is not known to be poor. */
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
