import {
  loadFingerprintScript,
  type FingerprintAgent,
  type Identification,
  type Region,
} from './load-agent.ts'

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
export async function identifyByService(
  key: string,
  region: Region = 'us',
): Promise<Identification> {
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
