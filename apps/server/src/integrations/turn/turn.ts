import { createHmac } from 'node:crypto'

/** An allocation must start within this; a running one continues. */
const START_WITHIN_MINUTES = 10

/** The configuration of an `RTCPeerConnection`. */
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
 * The relay that a page gets with `new_peer`: with credentials of coturn's shared-secret scheme, bound to one user and one
 * connection. When there is a relay, only the relay is used, so that neither side learns the other's address.
 */
function paramsFor(
  relay: RelayAccess | undefined,
  holder: string,
  now: Temporal.Instant,
): PeerConfiguration {
  if (!relay) return { iceServers: [], iceTransportPolicy: 'all' }
  const expires = Math.floor(now.epochMilliseconds / 1000) + START_WITHIN_MINUTES * 60
  const username = `${expires}:${holder}`
  const credential = createHmac('sha1', relay.secret).update(username).digest('base64')
  return {
    iceServers: [{ urls: [...relay.urls], username, credential }],
    iceTransportPolicy: 'relay',
  }
}

/** How two browsers connect to each other. */
export interface TurnRelay {
  /** Only relayed candidates are passed on, so that neither side learns the other's address. */
  readonly is_only_way: boolean
  /** `holder` names user and connection: a copied credential identifies its owner. */
  paramsFor(holder: string, now: Temporal.Instant): PeerConfiguration
}

export function createTurnRelay(access: RelayAccess | undefined): TurnRelay {
  return {
    is_only_way: access !== undefined,
    paramsFor: (holder, now) => paramsFor(access, holder, now),
  }
}
