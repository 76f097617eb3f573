import type { CountrySource } from './country.ts'
import { createHeaderCountry } from './header-country.ts'
import { createTableCountry } from './table-country.ts'

interface CountryAccess {
  readonly header: string | undefined
  readonly region_header: string | undefined
  readonly table: string | undefined
}

/** The headers of a proxy where they are configured, otherwise a table. */
export function createCountrySource(
  { header, region_header, table }: CountryAccess,
  onUnreadable: (error: unknown) => void,
): CountrySource {
  return header === undefined
    ? createTableCountry(table, onUnreadable)
    : createHeaderCountry(header, region_header)
}
