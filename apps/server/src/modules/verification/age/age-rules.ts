import type { Role } from '@duet/protocol/kernel/roles.ts'

/** Raise it when the rules of a country change: it is stored with every proof. */
export const AGE_RULE_VERSION = '2026-11'

export interface AgeFacts {
  readonly role: Role | null
  /** Of the connection; null: unknown, which no setting names. */
  readonly country: string | null
  readonly is_verified: boolean
  /** A proof of a provider that has not expired. */
  readonly has_proof: boolean
}

/** A girl proves the age by her verification everywhere; who has not registered may be a guy. */
export function proofOfCountry(
  country: string | null,
  role: Role | null,
  countries: readonly string[],
): 'confirmation' | 'provider' {
  return role !== 'girl' && country !== null && countries.includes(country)
    ? 'provider'
    : 'confirmation'
}

/** Whether the country of a guy asks for a proof of age that he has not given. A girl proves it by her verification. */
export function isProofMissing(facts: AgeFacts, countries: readonly string[]): boolean {
  return (
    facts.role === 'guy' &&
    facts.country !== null &&
    countries.includes(facts.country) &&
    !facts.is_verified &&
    !facts.has_proof
  )
}
