import { BlockList, isIP, isIPv4 } from 'node:net'

/** IP addresses and networks of both families. */
export interface AddressList {
  /** False for a text that is no address. An IPv4 entry also has the form `::ffff:127.0.0.1`. */
  has(address: string): boolean
}

/** @param entries single addresses, and networks with the length of their prefix */
export function createAddressList(
  entries: readonly (string | readonly [address: string, prefix: number])[],
): AddressList {
  const list = new BlockList()
  for (const entry of entries) {
    if (typeof entry === 'string') list.addAddress(entry, toFamily(entry))
    else list.addSubnet(...entry, toFamily(entry[0]))
  }
  return { has: (address) => isIP(address) !== 0 && list.check(address, toFamily(address)) }
}

function toFamily(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
