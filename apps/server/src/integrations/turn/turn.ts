import { createHmac } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createAddressList } from '../../lib/addresses/address-list.ts'

/** An allocation must start within this time. A running allocation continues. */
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
  /** Addresses of its relayed candidates; undefined: those that the hosts of `urls` resolve to. */
  readonly addresses?: readonly string[] | undefined
}

/** How two browsers connect to each other. When there is a relay, only the relay is used. */
export interface TurnRelay {
  /**
   * Whether the relay has this address. Undefined without a relay. Candidates with other addresses are not
   * passed on. So no side learns the other's address, or makes the other's browser or relay send packets
   * elsewhere.
   */
  readonly isOwnAddress: ((address: string) => boolean) | undefined
  /** Resolves the names of the relay again. If that fails, the former addresses stay. */
  refreshAddresses(): Promise<void>
  /** `holder` is the user: the relay counts its quota by this name, and a copied credential identifies its owner. */
  paramsFor(holder: string, now: Temporal.Instant): PeerConfiguration
}

type Resolve = (host: string) => Promise<readonly { address: string }[]>

const resolveName: Resolve = (host) => lookup(host, { all: true })

export function createTurnRelay(
  access: RelayAccess | undefined,
  resolve: Resolve = resolveName,
): TurnRelay {
  if (!access)
    return {
      isOwnAddress: undefined,
      refreshAddresses: async () => {},
      paramsFor: () => ({ iceServers: [], iceTransportPolicy: 'all' }),
    }
  let own = createAddressList([])
  return {
    isOwnAddress: (address) => own.has(address),
    async refreshAddresses() {
      own = createAddressList(access.addresses ?? (await resolveAll(access.urls, resolve)))
    },
    paramsFor: (holder, now) => paramsFor(access, holder, now),
  }
}

/** Credentials of coturn's shared-secret scheme. */
function paramsFor(
  { urls, secret }: RelayAccess,
  holder: string,
  now: Temporal.Instant,
): PeerConfiguration {
  const expires = Math.floor(now.epochMilliseconds / 1000) + START_WITHIN_MINUTES * 60
  const username = `${expires}:${holder}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return {
    iceServers: [{ urls: [...urls], username, credential }],
    iceTransportPolicy: 'relay',
  }
}

async function resolveAll(urls: readonly string[], resolve: Resolve): Promise<string[]> {
  const hosts = new Set(urls.map(toHost))
  const found = await Promise.all(
    [...hosts].map(async (host) => (isIP(host) === 0 ? resolve(host) : [{ address: host }])),
  )
  return found.flat().map(({ address }) => address)
}

/** The host of `turn:host:port?transport=udp` or `turn:[::1]:port`. */
function toHost(url: string): string {
  const [, bracketed, plain] = /^turns?:(?:\[([^\]]+)\]|([^:?]+))/.exec(url) ?? []
  return bracketed ?? plain ?? ''
}
