import { limits } from './limits.ts'

/**
 * The id in a text that a person typed, or in an address; undefined if the text is no id.
 * Users who were guests first have ids of 16 digits.
 */
export function parseId(text: string): number | undefined {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return id > 0 && id <= limits.id_max ? id : undefined
}
