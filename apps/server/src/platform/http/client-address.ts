import { isIPv6 } from 'node:net'

export { isLoopback } from '../../config.ts'

interface Arrived {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: NodeJS.Dict<string | string[]>
}

/**
 * Who is really there. Each proxy of ours appends whom it saw, so with `hops` proxies the entry that the outermost one
 * wrote is the `hops`-th from the right; everything left of it was written by the caller and is believed by nobody.
 */
export function addressOf(request: Arrived, hops: number): string {
  const direct = plain(request.socket.remoteAddress ?? 'unknown')
  if (hops === 0) return direct
  const header = request.headers['x-forwarded-for']
  const seen = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
  return plain(seen.at(-hops) ?? direct)
}

/** What one subscriber holds: a single address in IPv4, a /64 in IPv6. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
    : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address
}
