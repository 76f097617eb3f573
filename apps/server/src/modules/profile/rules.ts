/** Digits with the usual separators, a plus only at the start. Only a call can show whether the number exists. */
const PHONE = /^\+?[\d ().-]{5,32}$/

export function isPhone(phone: string): boolean {
  return PHONE.test(phone) && (phone.match(/\d/g)?.length ?? 0) >= 5
}

export function isZone(zone: string): boolean {
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone) !== undefined
  } catch {
    return false
  }
}
