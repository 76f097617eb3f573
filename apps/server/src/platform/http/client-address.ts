import { isIPv6 } from 'node:net'

export { isLoopback } from '../../config.ts'

interface IncomingRequest {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: NodeJS.Dict<string | string[]>
}

/**
 * The client's address. Each of our proxies appends the address that it saw, so with `hops` proxies the outermost one
 * wrote the `hops`-th entry from the right; the client wrote everything left of it, so that is ignored.
 */
export function addressOf(request: IncomingRequest, hops: number): string {
  const direct = withoutMapping(request.socket.remoteAddress ?? 'unknown')
  if (hops === 0) return direct
  const header = request.headers['x-forwarded-for']
  const addresses = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  return withoutMapping(addresses.at(-hops) ?? direct)
}

/** The network of one subscriber: a single address in IPv4, a /64 in IPv6. */
export function networkOf(address: string): string {
  return isIPv6(address) ? `${groupsOf(address, 4)}::/64` : address
}

/** The /48 of an IPv6 address, which one customer may have; undefined in IPv4. */
export function siteOf(address: string): string | undefined {
  return isIPv6(address) ? `${groupsOf(address, 3)}::/48` : undefined
}

function groupsOf(address: string, count: number): string {
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
    : []
  return [...left, ...zeros, ...right].slice(0, count).join(':')
}

function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
