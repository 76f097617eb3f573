import type { AuthAnswer } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { followConnection } from '../../../shared/connection/follow-connection.ts'
import { unsentIn } from './unsent.ts'

/** Messages that an earlier page could not send are sent at the next login, whatever page the user opens. */
export function sendAtLogin(services: AppServices): void {
  const { connection, persistence, report } = services
  const send = (auth: AuthAnswer | undefined) => {
    if (!auth || unsentIn(persistence, auth.user.id).length === 0) return
    // The runtime sends its messages as soon as it exists.
    import('./messenger-runtime.ts').then(
      ({ messengerRuntime }) => messengerRuntime(services),
      report,
    )
  }
  send(connection.getSnapshot().auth)
  followConnection(connection, { connected: send })
}
