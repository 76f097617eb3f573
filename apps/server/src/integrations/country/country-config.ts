import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import { pattern, text, type Values } from '../../lib/configuration/variables.ts'

const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,63}$/

export const COUNTRY_VARIABLES = {
  COUNTRY_HEADER: pattern('the name of a header like CF-IPCountry', HEADER).describe(
    'The header in which the outermost trusted proxy writes the country of a connection; needs TRUSTED_PROXIES. Absent: the country is looked up in a table of addresses.',
  ),
  REGION_HEADER: pattern('the name of a header like CF-Region-Code', HEADER).describe(
    'The header in which that proxy writes the state within the country, as TX or US-TX; needs COUNTRY_HEADER. Absent: no state is known, and a country of which a setting names states counts as the strictest of them.',
  ),
  COUNTRY_TABLE: text('a readable file of the MaxMind DB format (.mmdb)').describe(
    'A newer table of addresses and countries than the shipped one. Not used with COUNTRY_HEADER.',
  ),
}

/** A header that no trusted proxy writes could be written by every client. Without a header and a table, the shipped table is used. */
export function readCountry({
  COUNTRY_HEADER: header,
  REGION_HEADER: region_header,
  COUNTRY_TABLE: table,
  TRUSTED_PROXIES,
}: Values<typeof COUNTRY_VARIABLES> & { readonly TRUSTED_PROXIES: number | undefined }) {
  if (header !== undefined && !TRUSTED_PROXIES)
    throw new StartRefused(
      'COUNTRY_HEADER must come with TRUSTED_PROXIES of 1 or more: without a proxy every client could write it.',
    )
  if (region_header !== undefined && header === undefined)
    throw new StartRefused('REGION_HEADER must come with COUNTRY_HEADER.')
  if (table !== undefined && !existsSync(table))
    throw new StartRefused(
      'COUNTRY_TABLE must be a readable file of the MaxMind DB format (.mmdb).',
    )
  return { header, region_header, table: table && resolve(table) }
}
