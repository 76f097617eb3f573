import { isIP } from 'node:net'
import { createAddressList } from './address-list.ts'

const WIDTHS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

/** An address, or a network like `203.0.113.0/24`. */
export function isNetwork(given: string): boolean {
  const [address = '', bits, ...rest] = given.split('/')
  const width = WIDTHS[isIP(address)]
  if (width === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= width)
}

/** Whether an address lies in one of these networks. */
export function inNetworks(networks: readonly string[], address: string): boolean {
  const entries = networks.map((network) => {
    const [first = '', bits] = network.split('/')
    return bits === undefined ? first : ([first, Number(bits)] as const)
  })
  return createAddressList(entries).has(address)
}
