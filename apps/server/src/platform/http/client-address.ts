import ipaddr from 'ipaddr.js'
import type { AppContext } from '../../core/app.ts'
import { perApp } from '../../core/app-state.ts'

export { isLoopback } from '../../lib/addresses/loopback.ts'

interface IncomingRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: NodeJS.Dict<string | string[]>
}

/** Whether the warning about a proxy that is not believed was logged. */
const unbelievedProxy = perApp(
  'http: unbelieved proxy',
  'whether the log has its one warning about TRUSTED_PROXIES; logged again by the next process',
  () => ({ isReported: false }),
)

/** A client, as the connection shows it. */
export interface ConnectedClient {
  readonly address: string
  /** Null: unknown. */
  readonly country: string | null
  /** The state within the country; null: unknown. */
  readonly region: string | null
  /** The client's own word, cut: only for showing a user the names of the own devices. */
  readonly user_agent: string
}

/** Real ones are shorter than half of this. */
const USER_AGENT_MAX_CHARACTERS = 400

export function identifyClient(app: AppContext, request: IncomingRequest): ConnectedClient {
  const address = getClientAddress(app, request)
  const isProxied = findForwardedAddress(request, app.config.trusted_proxies) !== undefined
  const origin = { address, proxied_headers: isProxied ? request.headers : undefined }
  const country = app.country.findCountry(origin)
  const region = app.country.regionOf(origin)
  const userAgent = String(request.headers['user-agent'] ?? '').slice(0, USER_AGENT_MAX_CHARACTERS)
  return { address, country, region, user_agent: userAgent }
}

/** The client's address. Warns once when a proxy is in front that is not believed: all users would share its limits. */
export function getClientAddress(app: AppContext, request: IncomingRequest): string {
  const hops = app.config.trusted_proxies
  const warning = unbelievedProxy(app)
  if (hops === 0 && !warning.isReported && request.headers['x-forwarded-for'] !== undefined) {
    warning.isReported = true
    app.log.warn(
      'a request has X-Forwarded-For, and TRUSTED_PROXIES is 0: if a proxy is in front, all users share its address and its limits',
    )
  }
  return getAddress(request, hops)
}

/**
 * The client's address. Each of our proxies appends the address that it saw, so with `hops` proxies the outermost one
 * wrote the `hops`-th entry from the right; the client wrote everything left of it, so that is ignored. An entry that is
 * no address is not believed: the request counts as the proxy's own.
 */
export function getAddress(request: IncomingRequest, hops: number): string {
  return (
    findForwardedAddress(request, hops) ?? findIp(request.socket.remoteAddress ?? '') ?? 'unknown'
  )
}

/** The address that the outermost of our proxies saw; undefined if the request did not come through all of them. */
function findForwardedAddress(request: IncomingRequest, hops: number): string | undefined {
  if (hops === 0) return undefined
  const header = request.headers['x-forwarded-for']
  const entries = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  return findIp(entries.at(-hops) ?? '')
}

/** The address of `1.2.3.4`, `1.2.3.4:567`, `2001:db8::1` or `[2001:db8::1]:567` in its one spelling; undefined for others. */
function findIp(entry: string): string | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? entry
  const plain = (/^([\d.]+):\d{1,5}$/.exec(bare)?.[1] ?? bare).split('%')[0]!
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(plain) || ipaddr.IPv6.isValid(plain)
  return isAddress ? ipaddr.process(plain).toString() : undefined
}

/** Whether the address is of one subscriber of the internet, and not of this machine or of a private network. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'
}

/** The network of one subscriber: a single address in IPv4, a /64 in IPv6. */
export function toNetwork(address: string): string {
  return ipaddr.IPv6.isValid(address) ? `${firstGroups(address, 4)}::/64` : address
}

/** The /48 of an IPv6 address, which one customer may have; undefined in IPv4. */
export function findSite(address: string): string | undefined {
  return ipaddr.IPv6.isValid(address) ? `${firstGroups(address, 3)}::/48` : undefined
}

/** How many times more than one network a site may take: one customer has up to 65,536 networks. */
const SITE_FACTOR = 10

/** The network of an address and its site, each with the factor of its limits. */
export function listNetworks(address: string): readonly { key: string; factor: number }[] {
  const network = { key: toNetwork(address), factor: 1 }
  const site = findSite(address)
  return site === undefined ? [network] : [network, { key: site, factor: SITE_FACTOR }]
}

function firstGroups(address: string, count: number): string {
  const { parts } = ipaddr.IPv6.parse(address)
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':')
}
