import { inNetworks } from './network-list.ts'

/** This machine, private networks and addresses of one link, which no host of the internet has. */
const PRIVATE = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.168.0.0/16', '::/127', 'fc00::/7', 'fe80::/10'],
]

/** Whether a host of an address is this machine or lies in a private network. Names are not looked up. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replaceAll(/^\[|\]$|\.$/g, '')
  return /(^|\.)(localhost|local|internal)$/.test(host) || inNetworks(PRIVATE, host)
}
