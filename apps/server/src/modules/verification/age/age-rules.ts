import type { Role } from '@duet/protocol/kernel/roles.ts'

/** Raise it when the rules of a country change: it is stored with every proof. */
export const AGE_RULE_VERSION = '2026-11'

/** Where a connection comes from. */
export interface Place {
  /** Null: unknown, which no setting names. */
  readonly country: string | null
  /** The state within the country; null: unknown. */
  readonly region: string | null
}

export interface AgeFacts {
  readonly role: Role | null
  readonly place: Place
  readonly is_verified: boolean
  /** A proof of a provider that has not expired. */
  readonly has_proof: boolean
}

/**
 * Whether a setting names this place: the country (`GB`), or the state (`US-TX`). If the state is unknown,
 * any named state of the country counts. Otherwise a client without a state would need less proof.
 */
export function isNamed({ country, region }: Place, named: readonly string[]): boolean {
  if (country === null) return false
  if (region !== null && named.includes(`${country}-${region}`)) return true
  return named.some(
    (place) => place === country || (region === null && place.startsWith(`${country}-`)),
  )
}

/** A girl proves the age by her verification everywhere; who has not registered may be a guy. */
export function proofOfPlace(
  place: Place,
  role: Role | null,
  named: readonly string[],
): 'confirmation' | 'provider' {
  return role !== 'girl' && isNamed(place, named) ? 'provider' : 'confirmation'
}

/** Whether the country of a guy asks for a proof of age that he has not given. A girl proves it by her verification. */
export function isProofMissing(facts: AgeFacts, named: readonly string[]): boolean {
  return (
    facts.role === 'guy' && isNamed(facts.place, named) && !facts.is_verified && !facts.has_proof
  )
}
