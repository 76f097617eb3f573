import { countryCode, publicOnly, type CountrySource } from './country.ts'

/** The country that the outermost proxy wrote in a header. A header that was sent twice is no country. */
export function createHeaderCountry(header: string): CountrySource {
  const name = header.toLowerCase()
  return publicOnly({
    countryOf: ({ proxied_headers }) => countryCode(proxied_headers?.[name]),
  })
}
