import { isIP } from 'node:net'

/** The addresses of no machine lead to this one. */
const THIS_MACHINE: ReadonlySet<string> = new Set(['::1', '::', '0.0.0.0'])

/** Whether a name or an address, as a URL or a socket names it, is this machine. */
export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(address) === 0) return /^(.+\.)?localhost$/i.test(address)
  return THIS_MACHINE.has(address) || /^(::ffff:)?127\./.test(address)
}

/**
 * Whether no third party can read or change the bytes that are sent to an address. TLS protects them, or
 * they do not leave this machine.
 */
export function isProtected(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || isLoopback(hostname)
}
