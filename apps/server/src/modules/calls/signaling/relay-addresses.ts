import type { App } from '../../../core/app.ts'

/** The name of a relay may get another address at any time. */
const REFRESH_MS = 60_000

/**
 * Keeps the addresses of the relay current. Until a name is resolved for the first time, no candidate
 * passes and no call connects, because the browsers need the same name. Returns how to stop.
 */
export async function followRelayAddresses(app: App): Promise<() => void> {
  const refresh = async () => {
    try {
      await app.relay.refreshAddresses()
    } catch (error) {
      app.log.error({ err: error }, 'the name of the relay could not be resolved')
    }
  }
  await refresh()
  return app.clock.every(REFRESH_MS, () =>
    app.background('resolving the name of the relay', refresh()),
  )
}
