import type { CountrySource } from './country.ts'
import { createHeaderCountry } from './header-country.ts'
import { createTableCountry } from './table-country.ts'

/** The header of a proxy where one is configured, otherwise a table. */
export function createCountrySource(
  { header, table }: { readonly header: string | undefined; readonly table: string | undefined },
  onUnreadable: (error: unknown) => void,
): CountrySource {
  return header === undefined
    ? createTableCountry(table, onUnreadable)
    : createHeaderCountry(header)
}
