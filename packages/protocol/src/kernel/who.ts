import type { Who } from './contract.ts'
import type { RefusalName } from './refusals.ts'
import type { Role } from './roles.ts'

/** The facts about a caller that permissions depend on, read again for each call. */
export interface Principal {
  readonly kind: 'none' | 'guest' | 'member' | 'staff'
  readonly role?: Role | null
  readonly premium?: boolean
  readonly verified?: boolean
  readonly staff_role?: StaffRole
  readonly banned?: boolean
}

export const staffRoles = ['moderator', 'manager', 'finance', 'owner'] as const
export type StaffRole = (typeof staffRoles)[number]

/** `null`: allowed. Otherwise the refusal to answer with. */
export type Verdict = Extract<
  RefusalName,
  | 'session_invalid'
  | 'registered_only'
  | 'premium_only'
  | 'verification_required'
  | 'role_forbidden'
  | 'banned'
> | null

type Rule = (principal: Principal) => Verdict

const allowStaff =
  (...roles: readonly StaffRole[]): Rule =>
  ({ kind, staff_role }) => {
    if (kind === 'none') return 'session_invalid'
    return kind === 'staff' && staff_role && roles.includes(staff_role) ? null : 'role_forbidden'
  }

const guest: Rule = ({ kind }) => {
  if (kind === 'none') return 'session_invalid'
  // A staff token opens the back office only: staff have no account of their own to act on.
  return kind === 'staff' ? 'role_forbidden' : null
}
const member: Rule = (principal) =>
  guest(principal) ?? (principal.kind === 'guest' ? 'registered_only' : null)
const guy: Rule = (principal) =>
  member(principal) ?? (principal.role === 'guy' ? null : 'role_forbidden')
const girl: Rule = (principal) =>
  member(principal) ?? (principal.role === 'girl' ? null : 'role_forbidden')

const rules: Readonly<Record<Who, Rule>> = {
  any: () => null,
  guest,
  member,
  guy,
  premium: (principal) => guy(principal) ?? (principal.premium ? null : 'premium_only'),
  girl,
  verified: (principal) => girl(principal) ?? (principal.verified ? null : 'verification_required'),
  staff: allowStaff(...staffRoles),
  moderator: allowStaff('moderator', 'manager', 'owner'),
  manager: allowStaff('manager', 'owner'),
  finance: allowStaff('finance', 'owner'),
  owner: allowStaff('owner'),
}

/** The nearest miss first: a guy who lacks only premium is refused `premium_only`, not `role_forbidden`. */
const nearest = [
  'premium_only',
  'verification_required',
  'registered_only',
  'role_forbidden',
  'session_invalid',
] as const

/** The callers in words, for the reference pages. */
export const whoSays: Readonly<Record<Who, string>> = {
  any: 'everyone, also without a token',
  guest: 'any token: visitors and members',
  member: 'registered users',
  guy: 'registered men',
  premium: 'men with premium',
  girl: 'registered women',
  verified: 'women with a passed identity check',
  staff: 'any staff role',
  moderator: 'moderators, managers, owners',
  manager: 'managers, owners',
  finance: 'finance, owners',
  owner: 'owners',
}

/** Whether a caller may make the call of a contract: `null`, or the refusal that applies. Pure. */
export function mayRequest(
  principal: Principal,
  contract: { readonly who: Who | readonly Who[]; readonly banned?: true },
): Verdict {
  if (principal.banned && !contract.banned) return 'banned'
  const verdicts = [contract.who].flat().map((who) => rules[who as Who](principal))
  if (verdicts.includes(null)) return null
  return nearest.find((refusal) => verdicts.includes(refusal)) ?? 'session_invalid'
}
