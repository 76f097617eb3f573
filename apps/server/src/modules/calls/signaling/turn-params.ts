import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { AddressPolicy } from './ice-candidate.ts'

export function addressPolicy(app: App): AddressPolicy {
  return { isRelayAddress: app.relay.isOwnAddress, allowsLoopback: app.config.demo }
}

/** The `turn_params` of one page for one connection. */
export function makeTurnParams(app: App, user_id: UserId, connection: object): string {
  const relay = app.relay.paramsFor(String(user_id), app.clock.now())
  if (relay.iceServers.length > 0)
    // The name of a credential is the user; this line tells which connection it was made for.
    app.log.info({ ...connection, user_id }, 'a credential of the relay was made')
  return JSON.stringify(relay)
}
