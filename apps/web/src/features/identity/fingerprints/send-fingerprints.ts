import { RefusedError, type AppServices } from '../../../shared/app-services.tsx'
import { permitMarkup } from '@duet/client/page/trusted-scripts.ts'
import {
  loadFingerprintScript,
  type FingerprintAgent,
  type Identification,
  type Region,
} from './load-agent.ts'

/** The form of the library's visitor id. An earlier version stored another form, which is replaced. */
const VISITOR_ID = /^[0-9a-f]{32}$/

/** From the first press to the measurement. */
const PAUSE_MS = 2000

/** A limit that lasts longer is not about several tabs at once. */
const REPEAT_MAX_S = 120

/** The empty frame in which the library measures the fonts of the browser, in its own words. */
const FONT_FRAME =
  '<!doctype html><html><head><meta name="viewport" content="width=device-width, initial-scale=1">'

/**
 * Sends the own fingerprint and, if the installation has an outside service, the service's fingerprint. Neither waits
 * for the other.
 */
export async function sendFingerprints(services: AppServices): Promise<void> {
  await Promise.allSettled([sendOwn(services), sendOfService(services)])
}

/** The browser keeps the first fingerprint. An update of the browser would change a new fingerprint. */
async function sendOwn({ connection, persistence }: AppServices): Promise<void> {
  const stored = persistence.get('fingerprint_hash')
  const fingerprint = stored && VISITOR_ID.test(stored) ? stored : await visitorId()
  persistence.set('fingerprint_hash', fingerprint)
  await repeatedOnce(() => connection.act('D_INFO', { fingerprint }))
}

/**
 * A hash of what the browser shows without a permission. The measurement occupies a slow phone for half a second. So
 * the measurement waits for the first press and for the screen that the press shows.
 */
async function visitorId(): Promise<string> {
  await firstPress()
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  permitMarkup(FONT_FRAME)
  const { load } = await import('@fingerprintjs/fingerprintjs')
  // The library's count of its own installations is a request to its maker.
  const agent = await load({ monitoring: false })
  return (await agent.get()).visitorId
}

async function firstPress(): Promise<void> {
  if (navigator.userActivation?.hasBeenActive) return
  await new Promise<void>((resolve) => {
    const pressed = new AbortController()
    const done = () => {
      pressed.abort()
      resolve()
    }
    for (const type of ['pointerdown', 'keydown'])
      addEventListener(type, done, { capture: true, signal: pressed.signal })
  })
}

async function sendOfService({ connection }: AppServices): Promise<void> {
  const { key, region } = (await connection.system()).features.fingerprint
  if (key === undefined) return
  const { event_id: request_id, visitor_id } = await identifyByService(key, region)
  if (visitor_id === undefined) return
  await repeatedOnce(() => connection.act('PRO_D_INFO', { visitor_id, request_id }))
}

/** Several tabs that connect together share the limit of one user. The next AUTH may be hours away. */
async function repeatedOnce(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    const seconds = error instanceof RefusedError ? error.additional.retry_after : undefined
    if (typeof seconds !== 'number' || seconds > REPEAT_MAX_S) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    await send()
  }
}

const ANSWER_LIMIT_MS = 10_000
/**
 * Each identification costs money, and a bad network reconnects often. The server accepts an identification of the last
 * ten minutes.
 */
const REUSE_SECONDS = 5 * 60

let started: Promise<FingerprintAgent> | undefined

/**
 * Asks the outside service for the visitor id of this browser.
 * @throws when the script is blocked or the service does not answer
 */
async function identifyByService(key: string, region: Region = 'us'): Promise<Identification> {
  started ??= startAgent(key, region)
  const agent = await started.catch((error: unknown) => {
    started = undefined
    throw error
  })
  return agent.get({ timeout: ANSWER_LIMIT_MS })
}

async function startAgent(key: string, region: Region): Promise<FingerprintAgent> {
  const script = await loadFingerprintScript(key)
  return script.start({
    region,
    // The address of a page may name a girl, or have the key of a mailed link.
    urlHashing: { path: true, query: true, fragment: true },
    cache: { storage: 'agent', duration: REUSE_SECONDS },
  })
}
