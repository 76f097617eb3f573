import type { UserId } from '../../../core/ids.ts'

export const COMPLAINT_DECISIONS = ['no_violation', 'warning', 'penalty', 'ban'] as const
export type ComplaintDecision = (typeof COMPLAINT_DECISIONS)[number]

interface ComplaintFacts {
  readonly reason: string
  readonly is_panic: boolean
}

/** The users that a case is about. */
export function usersOfCase({ accused_id, complainer_id }: CaseSides): UserId[] {
  return complainer_id === null ? [accused_id] : [accused_id, complainer_id]
}

interface CaseSides {
  readonly accused_id: UserId
  /** Null: staff opened the case. */
  readonly complainer_id: UserId | null
}

/** About children, violence and nudity: a moderator decides a limited number of them. */
export const SEVERE_REASONS = ['child', 'threats', 'nudity', 'intimate_image'] as const

export function isSevere({ reason }: Pick<ComplaintFacts, 'reason'>): boolean {
  return (SEVERE_REASONS as readonly string[]).includes(reason)
}

/** A complaint about a minor, and a press of the panic key: the call ends, and the evidence is sealed. */
export function isSerious({ reason, is_panic }: ComplaintFacts): boolean {
  return reason === 'child' || is_panic
}

/** The accused learns the reason of the decision only. */
export function isClosed(complaint: ComplaintFacts): boolean {
  return isSerious(complaint) || complaint.reason === 'intimate_image'
}

export interface ComplaintStanding {
  readonly is_member: boolean
  /** The two were connected in a call, or the accused has written to the complainer. */
  readonly has_contact: boolean
  /** A complaint of the complainer about this user was unfounded, or, outside of a call, another suspends a user now. */
  readonly is_doubtful: boolean
}

/** A stranger could otherwise keep the data of any user from being erased. */
export function holdsData({ is_member, has_contact }: ComplaintStanding): boolean {
  return is_member && has_contact
}

/**
 * A complaint about a minor suspends the accused until staff decide, if the two had contact. Outside of calls one complainer
 * suspends one user at a time. A user who was found to have broken no rule is not suspended again by the same complainer.
 */
export function suspends(
  { reason }: Pick<ComplaintFacts, 'reason'>,
  standing: ComplaintStanding,
): boolean {
  return reason === 'child' && holdsData(standing) && !standing.is_doubtful
}

/**
 * The effect of a second complaint about the same call or user on the first complaint. `repeated`: the answer to the first was lost. `raised`: the
 * complaint becomes serious, which no earlier complaint may prevent.
 */
export function compareComplaints(
  former: ComplaintFacts & { readonly comment: string; readonly is_decided: boolean },
  next: ComplaintFacts & { readonly comment: string },
): 'repeated' | 'raised' | 'refused' {
  const isGraver =
    (isSerious(next) && !isSerious(former)) ||
    (next.reason === 'child' && former.reason !== 'child')
  if (isGraver && !former.is_decided) return 'raised'
  if (next.is_panic) return 'repeated'
  return former.reason === next.reason && former.comment === next.comment ? 'repeated' : 'refused'
}
