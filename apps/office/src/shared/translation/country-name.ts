import { textLocale } from '../texts.ts'

/** The name of a country in the language of the office; an unknown code stays. */
export function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(textLocale, { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
