import type { AppServices } from '../../shared/app-services.tsx'

/** The form of a visitor id of the library; what an earlier version stored has another and is replaced. */
const VISITOR_ID = /^[0-9a-f]{32}$/

/**
 * Sends the device's fingerprint after each AUTH, so that several accounts of one device can be recognised: the server keeps
 * that of a guest with the connection only. The browser keeps the first one, which stays the same when an update changes what
 * the browser shows.
 */
export function sendDeviceFingerprint({ connection, persistence }: AppServices): void {
  let sentFor: number | undefined
  connection.on('snapshot', ({ phase, auth }) => {
    const userId = phase === 'ready' ? auth?.user.id : undefined
    const isSent = userId === sentFor
    sentFor = userId
    if (isSent || userId === undefined) return
    void (async () => {
      const stored = persistence.get('fingerprint_hash')
      const fingerprint = stored && VISITOR_ID.test(stored) ? stored : await visitorId()
      persistence.set('fingerprint_hash', fingerprint)
      await connection.act('D_INFO', { fingerprint })
      // Without it a device counts as one of many unknown ones: nothing that the user does depends on it.
    })().catch(() => {})
  })
}

/** A hash of what the browser shows without a permission. Takes an idle moment, and is loaded when it is needed. */
async function visitorId(): Promise<string> {
  const { load } = await import('@fingerprintjs/fingerprintjs')
  // The library's count of its own installations is a request to its maker.
  const agent = await load({ monitoring: false })
  return (await agent.get()).visitorId
}
