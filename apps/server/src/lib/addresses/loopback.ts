import { isIP } from 'node:net'

export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, '')
  if (isIP(address) === 0) return host === 'localhost'
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}

/**
 * Whether no third party can read or change the bytes that are sent to an address. TLS protects them, or
 * they do not leave this machine.
 */
export function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopback(hostname)
}
