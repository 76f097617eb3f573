import { UAParser } from 'ua-parser-js'

/** The device as its browser describes it. A field that the browser hides is left out. */
export interface DeviceDetails {
  readonly platform: {
    readonly browser?: string
    readonly browser_major?: string
    readonly engine?: string
    readonly system?: string
    readonly system_version?: string
    readonly device?: string
  }
  readonly constraints: readonly string[]
  readonly devices: readonly { readonly kind: string; readonly label: string }[]
  readonly battery?: { readonly level: number; readonly charging: boolean }
  readonly cores?: number
  readonly memory?: number
  readonly timing?: { readonly loaded_ms: number }
  /** The kind of network, where the browser says it. */
  readonly network?: {
    readonly type?: string
    readonly effective?: string
    readonly rtt?: number
    readonly downlink?: number
    readonly saves_data?: boolean
  }
}

/** Chromium only, and not in TypeScript's library. */
interface HintedNavigator extends Navigator {
  readonly deviceMemory?: number
  readonly connection?: {
    readonly type?: string
    readonly effectiveType?: string
    readonly rtt?: number
    readonly downlink?: number
    readonly saveData?: boolean
  }
  getBattery?(): Promise<{ readonly level: number; readonly charging: boolean }>
}

const DEVICES_MAX = 30

/** Asks the browser for everything that it says without a question to the user. Never rejects. */
export async function describeDevice(): Promise<DeviceDetails> {
  const browser = navigator as HintedNavigator
  const { connection, hardwareConcurrency: cores, deviceMemory: memory } = browser
  const [devices, battery] = await Promise.all([listDevices(), readBattery(browser)])
  const loadedMs = performance.getEntriesByType('navigation')[0]?.duration
  return {
    platform: readPlatform(),
    devices,
    constraints: Object.keys(navigator.mediaDevices?.getSupportedConstraints?.() ?? {}),
    cores,
    ...(memory !== undefined && { memory }),
    ...(battery && { battery: { level: battery.level, charging: battery.charging } }),
    ...(loadedMs !== undefined && { timing: { loaded_ms: Math.round(loadedMs) } }),
    ...(connection && {
      network: {
        type: connection.type,
        effective: connection.effectiveType,
        rtt: connection.rtt,
        downlink: connection.downlink,
        saves_data: connection.saveData,
      },
    }),
  }
}

function readPlatform(): DeviceDetails['platform'] {
  const parser = new UAParser()
  const { browser, engine, os, device } = parser.getResult()
  const { version } = os
  return {
    browser: browser.name,
    browser_major: browser.major,
    engine: engine.name,
    system: os.name,
    system_version: version,
    device: [device.vendor, device.model, device.type].filter(Boolean).join(' ') || undefined,
  }
}

async function readBattery(browser: HintedNavigator): Promise<DeviceDetails['battery']> {
  return browser.getBattery?.().catch(() => undefined)
}

async function listDevices(): Promise<DeviceDetails['devices']> {
  const found = (await navigator.mediaDevices?.enumerateDevices().catch(() => [])) ?? []
  return found.slice(0, DEVICES_MAX).map(({ kind, label }) => ({ kind, label }))
}
