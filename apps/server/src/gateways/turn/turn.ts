import { createHmac } from 'node:crypto'
import type { TurnParams } from '@duet/protocol/signal.ts'

/** An allocation must be started within this; a running one goes on. */
const start_within_minutes = 10

export interface Relay {
  readonly urls: readonly string[]
  readonly secret: string
}

/**
 * What a page gets with `new_peer`: the relay with credentials of coturn's shared-secret scheme, bound to one user and one
 * connection. With a relay only the relay is used, so that neither learns the other's address.
 */
export function turnParams(relay: Relay | undefined, holder: string, now: Temporal.Instant): TurnParams {
  if (!relay) return { iceServers: [], iceTransportPolicy: 'all' }
  const expires = Math.floor(now.epochMilliseconds / 1000) + start_within_minutes * 60
  const username = `${expires}:${holder}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return { iceServers: [{ urls: [...relay.urls], username, credential }], iceTransportPolicy: 'relay' }
}
