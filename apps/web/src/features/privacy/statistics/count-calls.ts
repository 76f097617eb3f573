import { statisticsConsent } from '../../../shared/account/statistics-consent.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import { sendGoal } from './statistics-frame.ts'

/**
 * Counts each call once as a public and once as a private one, where the installation has services of statistics and the
 * user permits it. A call before the permission is never counted. Returns the function that ends it.
 */
export function countCalls({ connection }: Pick<AppServices, 'connection'>): () => void {
  const begun = new Set<string>()
  return connection.on('new_session', ({ session: { id, state } }) => {
    const known = begun.size
    begun.add(`${id} ${state}`)
    if (begun.size === known || !statisticsConsent.getSnapshot()) return
    // Without an answer of the server the call is not counted.
    sendGoal(connection, state).catch(() => {})
  })
}
