export const COMPLAINT_DECISIONS = ['no_violation', 'warning', 'ban'] as const
export type ComplaintDecision = (typeof COMPLAINT_DECISIONS)[number]

interface ComplaintFacts {
  readonly reason: string
  readonly is_panic: boolean
}

/** A complaint about a minor, and a press of the panic key: the call ends, and the evidence is sealed. */
export function isSerious({ reason, is_panic }: ComplaintFacts): boolean {
  return reason === 'child' || is_panic
}

/**
 * A complaint about a minor suspends the accused until staff decide, if the two had contact: a stranger could otherwise
 * close the account of any user.
 */
export function suspends(
  { reason }: Pick<ComplaintFacts, 'reason'>,
  contact: { readonly is_member: boolean; readonly has_contact: boolean },
): boolean {
  return reason === 'child' && contact.is_member && contact.has_contact
}

/**
 * The effect of a second complaint about the same call or user on the first complaint. `repeated`: the answer to the first was lost. `raised`: the
 * complaint becomes serious, which no earlier complaint may prevent.
 */
export function compareComplaints(
  former: ComplaintFacts & { readonly comment: string; readonly is_decided: boolean },
  next: ComplaintFacts & { readonly comment: string },
): 'repeated' | 'raised' | 'refused' {
  if (isSerious(next) && !isSerious(former) && !former.is_decided) return 'raised'
  if (next.is_panic) return 'repeated'
  return former.reason === next.reason && former.comment === next.comment ? 'repeated' : 'refused'
}
