import { isIP } from 'node:net'

export function isLoopback(host: string): boolean {
  const address = host.replaceAll(/^\[|\]$/g, '')
  if (isIP(address) === 0) return host === 'localhost'
  return address === '::1' || /^(::ffff:)?127\./.test(address)
}
