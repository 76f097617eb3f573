import { describeDevice, type DeviceDetails } from './device-details.ts'
import { createIssueJudge, type StatsJudge } from './issue-judge.ts'

export interface MonitoringClock {
  now_ms(): number
  /** Runs once after the delay. Returns the function that cancels it. */
  after(delayMs: number, run: () => void): () => void
}

export type PageEvent =
  | { eventName: 'tabFocus'; data: { focus: boolean } }
  | { eventName: 'mediaDeviceChange'; data: { devices: DeviceDetails['devices'] } }
  | { eventName: 'beforeunload' | 'unload' }

/** The parts of a browser that the monitoring uses. Tests give their own. */
export interface MonitoringEnvironment {
  readonly isBrowser: boolean
  readonly fetch: typeof fetch | undefined
  readonly RTCPeerConnection: { [Symbol.hasInstance](value: unknown): boolean } | undefined
  /** Only the first Edge had it. Its statistics have another form. */
  readonly RTCIceGatherer: unknown
  readonly hasGetUserMedia: boolean
  readonly clock: MonitoringClock
  describeDevice(): Promise<DeviceDetails>
  createJudge(): StatsJudge
  /** Reports what happens to the page and its devices. Returns the function that stops it. */
  watchPage(listener: (event: PageEvent) => void): () => void
  newId(): string
  debug(message: string, error: unknown): void
}

const browserClock: MonitoringClock = {
  now_ms: () => Date.now(),
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
}

interface BrowserGlobals {
  readonly window?: unknown
  readonly RTCPeerConnection?: typeof RTCPeerConnection
  readonly RTCIceGatherer?: unknown
  readonly fetch?: typeof fetch
}

export function browserEnvironment(): MonitoringEnvironment {
  const globals = globalThis as BrowserGlobals
  return {
    isBrowser: globals.window !== undefined,
    fetch: globals.fetch?.bind(globalThis),
    RTCPeerConnection: globals.RTCPeerConnection,
    RTCIceGatherer: globals.RTCIceGatherer,
    hasGetUserMedia: globalThis.navigator?.mediaDevices?.getUserMedia !== undefined,
    clock: browserClock,
    describeDevice,
    createJudge: createIssueJudge,
    watchPage,
    newId: () => crypto.randomUUID(),
    debug: (message, error) => console.debug(`[monitoring] ${message}`, error),
  }
}

function watchPage(listener: (event: PageEvent) => void): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  document.addEventListener(
    'visibilitychange',
    () => listener({ eventName: 'tabFocus', data: { focus: !document.hidden } }),
    { signal },
  )
  navigator.mediaDevices?.addEventListener(
    'devicechange',
    () =>
      void describeDevice().then(({ devices }) =>
        listener({ eventName: 'mediaDeviceChange', data: { devices } }),
      ),
    { signal },
  )
  addEventListener('beforeunload', () => listener({ eventName: 'beforeunload' }), { signal })
  // `unload` never comes on phones.
  addEventListener('pagehide', () => listener({ eventName: 'unload' }), { signal })
  return () => stopped.abort()
}
