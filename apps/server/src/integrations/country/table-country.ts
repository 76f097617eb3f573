import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CityResponse, Reader } from 'mmdb-lib'
import { countryCode, publicOnly, regionCode, type CountrySource } from './country.ts'

/** A record of the table, with MaxMind's fields, or with the one of the shipped table. */
interface TableRecord extends CityResponse {
  readonly country_code?: string
}

/**
 * Looks up the country of an address, and the state if known, in a table of networks: the given `.mmdb`
 * file or the shipped file. The table is read into memory at the first public address. If reading fails,
 * `onError` is called once, and every country is unknown.
 */
export function createTableCountry(
  file: string | undefined,
  onError: (error: unknown) => void,
): CountrySource {
  let find: ((address: string) => TableRecord | null) | undefined
  function findRecord(address: string): TableRecord | null {
    find ??= finderIn(file ?? shippedTable(), onError)
    return find(address)
  }
  return publicOnly({
    findCountry({ address }) {
      const record = findRecord(address)
      return countryCode(record?.country_code ?? record?.country?.iso_code)
    },
    regionOf: ({ address }) => regionCode(findRecord(address)?.subdivisions?.[0]?.iso_code),
  })
}

function shippedTable(): string {
  return fileURLToPath(
    import.meta.resolve('@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'),
  )
}

function finderIn(
  file: string,
  onError: (error: unknown) => void,
): (address: string) => TableRecord | null {
  try {
    const reader = new Reader<TableRecord>(readFileSync(file))
    return (address) => reader.get(address)
  } catch (error) {
    onError(error)
    return () => null
  }
}
