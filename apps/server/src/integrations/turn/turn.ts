import { createHmac } from 'node:crypto'

/** An allocation must be started within this; a running one goes on. */
const start_within_minutes = 10

/** What `RTCPeerConnection` is made with. */
export interface PeerConfiguration {
  readonly iceServers: readonly {
    readonly urls: readonly string[]
    readonly username: string
    readonly credential: string
  }[]
  readonly iceTransportPolicy: 'all' | 'relay'
}

/** A coturn server and its shared secret. */
export interface RelayAccess {
  readonly urls: readonly string[]
  readonly secret: string
}

/**
 * What a page gets with `new_peer`: the relay with credentials of coturn's shared-secret scheme, bound to one user and one
 * connection. With a relay only the relay is used, so that neither learns the other's address.
 */
function paramsFor(
  relay: RelayAccess | undefined,
  holder: string,
  now: Temporal.Instant,
): PeerConfiguration {
  if (!relay) return { iceServers: [], iceTransportPolicy: 'all' }
  const expires = Math.floor(now.epochMilliseconds / 1000) + start_within_minutes * 60
  const username = `${expires}:${holder}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return {
    iceServers: [{ urls: [...relay.urls], username, credential }],
    iceTransportPolicy: 'relay',
  }
}

/** How two browsers reach each other. */
export interface TurnRelay {
  /** Neither partner learns the other's address: only relayed candidates pass. */
  readonly is_only_way: boolean
  /** `holder` names user and connection: a credential that is copied says whose it was. */
  paramsFor(holder: string, now: Temporal.Instant): PeerConfiguration
}

export function createTurnRelay(access: RelayAccess | undefined): TurnRelay {
  return {
    is_only_way: access !== undefined,
    paramsFor: (holder, now) => paramsFor(access, holder, now),
  }
}
