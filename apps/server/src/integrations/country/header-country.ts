import { countryCode, publicOnly, regionCode, type CountrySource } from './country.ts'

/**
 * The country, and the state within it, from the headers of the outermost proxy. A header that was sent
 * twice is ignored.
 */
export function createHeaderCountry(header: string, regionHeader?: string): CountrySource {
  const name = header.toLowerCase()
  const regionName = regionHeader?.toLowerCase()
  return publicOnly({
    findCountry: ({ proxied_headers }) => countryCode(proxied_headers?.[name]),
    regionOf: ({ proxied_headers }) =>
      regionName === undefined ? null : regionCode(proxied_headers?.[regionName]),
  })
}
