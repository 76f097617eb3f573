/**
 * Values that accounts can have in common: from the one that says the most, because the fewest accounts have it by chance,
 * to the one that says the least. Everything that depends on a type is derived from this table; beside it a new type needs its
 * value in the check of `client_signals` and a text `office.signal.<type>`, which a test demands.
 *
 * `recognises`: what of a person has the value. A place is shared by strangers. `is_certain`: it counts however many accounts
 * have it; all phones of a popular model report the same fingerprint.
 */
export const signalTypes = [
  /** A passkey that a device of the user answered with, whosever passkey it is. */
  { signal: 'passkey', recognises: 'passkey', is_certain: true },
  /** Confirmed by an outside service. */
  { signal: 'pro_fingerprint', recognises: 'device', is_certain: true },
  /** The same fingerprint in the same network. */
  { signal: 'device', recognises: 'device', is_certain: true },
  /** Reported by the browser. */
  { signal: 'fingerprint', recognises: 'device', is_certain: false },
  /** An address, or a /64 of IPv6. */
  { signal: 'network', recognises: 'place', is_certain: false },
] as const

export type SignalType = (typeof signalTypes)[number]['signal']
type SignalShape = (typeof signalTypes)[number]

/** Those by which a device of a person is recognised. */
export const deviceSignals = signalTypes.filter(
  (type): type is Exclude<SignalShape, { recognises: 'place' }> => type.recognises !== 'place',
)
