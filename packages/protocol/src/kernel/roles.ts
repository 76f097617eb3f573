/**
 * The two roles of members. Only this file knows how the wire writes them: `role` is `men` or `girl`,
 * `gender` is `M` or `F`. Everywhere else a role is `guy` (pays in diamonds) or `girl` (earns coins).
 */
export type Role = 'guy' | 'girl'

export const ROLES = ['guy', 'girl'] as const satisfies readonly Role[]
/** Values of `role` on the wire. */
export const WIRE_ROLES = ['men', 'girl'] as const
/** Values of `gender` on the wire. */
export const GENDERS = ['M', 'F'] as const

export type WireRole = (typeof WIRE_ROLES)[number]
export type Gender = (typeof GENDERS)[number]

/** The role as the wire writes it. */
export function wireRole(role: Role): WireRole {
  return role === 'girl' ? 'girl' : 'men'
}

/** The role that the wire's `role` means. */
export function toRole(role: WireRole): Role {
  return role === 'girl' ? 'girl' : 'guy'
}

/** The gender of a member with this role. */
export function toGender(role: Role): Gender {
  return role === 'girl' ? 'F' : 'M'
}

/** The role for which a guest with this gender registers. */
export function roleOfGender(gender: Gender): Role {
  return gender === 'F' ? 'girl' : 'guy'
}

/** The role of the partner in a call, an offer or a search. */
export function otherRole(role: Role): Role {
  return role === 'guy' ? 'girl' : 'guy'
}

/** A role that an operator typed, in either form; undefined for any other word. */
export function parseRole(word: string): Role | undefined {
  return ROLES.find((role) => role === word || wireRole(role) === word)
}
