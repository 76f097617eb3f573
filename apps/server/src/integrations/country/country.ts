import { isIP } from 'node:net'
import { createAddressList } from '../../lib/addresses/address-list.ts'

/** Where a connection comes from. */
export interface ConnectionOrigin {
  readonly address: string
  /**
   * The headers of a request that a trusted proxy passed on. Undefined without a trusted proxy, because the
   * client could have written them.
   */
  readonly proxied_headers: NodeJS.Dict<string | string[]> | undefined
}

/** Determines the country of a connection. The client itself is never asked. */
export interface CountrySource {
  /** Two capitals (ISO 3166-1). Null: unknown, and everyone who hides from any country counts as hidden. */
  findCountry(origin: ConnectionOrigin): string | null
  /** The state within that country (the second part of ISO 3166-2: `TX`). Null: unknown. */
  regionOf(origin: ConnectionOrigin): string | null
}

/** Codes that proxies and tables use for networks without one country. */
const NO_COUNTRY: ReadonlySet<string> = new Set(['AP', 'EU', 'XX', 'ZZ'])

/** Addresses that are not of the public internet: a table may contain them nevertheless. */
const NOT_PUBLIC = createAddressList([
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
])

/** The same source for public addresses only: others, and texts that are no address, have no country. */
export function publicOnly(source: CountrySource): CountrySource {
  return {
    findCountry: (origin) => (isPublic(origin.address) ? source.findCountry(origin) : null),
    regionOf: (origin) => (isPublic(origin.address) ? source.regionOf(origin) : null),
  }
}

function isPublic(address: string): boolean {
  return isIP(address) !== 0 && !NOT_PUBLIC.has(address)
}

/** The code if it is one of a country, otherwise null. */
export function countryCode(text: unknown): string | null {
  if (typeof text !== 'string') return null
  const code = text.trim().toUpperCase()
  return /^[A-Z]{2}$/.test(code) && !NO_COUNTRY.has(code) ? code : null
}

/** The code of a state, alone or behind its country (`US-TX`), otherwise null. */
export function regionCode(text: unknown): string | null {
  if (typeof text !== 'string') return null
  return /^(?:[A-Z]{2}-)?([A-Z0-9]{1,3})$/.exec(text.trim().toUpperCase())?.[1] ?? null
}
