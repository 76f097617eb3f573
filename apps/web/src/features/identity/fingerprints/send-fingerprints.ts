import type { AppServices } from '../../../shared/app-services.tsx'
import { identifyByService } from './identify-by-service.ts'

/** The form of a visitor id of the library; what an earlier version stored has another and is replaced. */
const VISITOR_ID = /^[0-9a-f]{32}$/

/** Sends the own fingerprint and, where the installation has one, that of the outside service; neither waits for the other. */
export async function sendFingerprints(services: AppServices): Promise<void> {
  await Promise.allSettled([sendOwn(services), sendOfService(services)])
}

/** The browser keeps the first one, which stays the same when an update changes what the browser shows. */
async function sendOwn({ connection, persistence }: AppServices): Promise<void> {
  const stored = persistence.get('fingerprint_hash')
  const fingerprint = stored && VISITOR_ID.test(stored) ? stored : await visitorId()
  persistence.set('fingerprint_hash', fingerprint)
  await connection.act('D_INFO', { fingerprint })
}

/** A hash of what the browser shows without a permission. Takes an idle moment, and is loaded when it is needed. */
async function visitorId(): Promise<string> {
  const { load } = await import('@fingerprintjs/fingerprintjs')
  // The library's count of its own installations is a request to its maker.
  const agent = await load({ monitoring: false })
  return (await agent.get()).visitorId
}

async function sendOfService({ connection }: AppServices): Promise<void> {
  const { key, region } = (await connection.system()).features.fingerprint
  if (key === undefined) return
  const { event_id: request_id, visitor_id } = await identifyByService(key, region)
  if (visitor_id !== undefined) await connection.act('PRO_D_INFO', { visitor_id, request_id })
}
