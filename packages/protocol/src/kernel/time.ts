const HAS_ZONE = /(?:[zZ]|[+-]\d{2}:?\d{2})$/
/** The civil time of the business. */
const DEFAULT_ZONE = '+03:00'

/** The time of a text of the wire in milliseconds since 1970. A time without a zone is that of UTC+3. */
export function parseTime(text: string): number {
  const time = text.trim().replace(' ', 'T')
  if (HAS_ZONE.test(time)) return Date.parse(time)
  return Date.parse(`${time.includes('T') ? time : `${time}T00:00:00`}${DEFAULT_ZONE}`)
}
