import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { countryCode, publicOnly, type CountrySource } from './country.ts'

/** A record of the table, with MaxMind's fields, or with the one of the shipped table. */
interface TableRecord extends CountryResponse {
  readonly country_code?: string
}

/**
 * The country of an address in a table of networks: the given file (`.mmdb`), or the one that is shipped. It is read
 * into memory at the first public address. If that fails, `onError` is told once, and every country is unknown.
 */
export function createTableCountry(
  file: string | undefined,
  onError: (error: unknown) => void,
): CountrySource {
  let find: ((address: string) => string | null) | undefined
  return publicOnly({
    countryOf({ address }) {
      find ??= finderIn(file ?? shippedTable(), onError)
      return find(address)
    },
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
): (address: string) => string | null {
  try {
    const reader = new Reader<TableRecord>(readFileSync(file))
    return (address) => {
      const record = reader.get(address)
      return countryCode(record?.country_code ?? record?.country?.iso_code)
    }
  } catch (error) {
    onError(error)
    return () => null
  }
}
