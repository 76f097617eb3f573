import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'

/** The facts that decide whether a member may call another member now. */
export interface CallingFacts {
  readonly caller: Role
  /** Null: no member, or a girl who is not verified. */
  readonly callee: Role | null
  /** The caller has blocked the callee. */
  readonly is_blocked: boolean
  /** Hidden from the guy by the girl's countries, leaving, or a user who has blocked the caller. */
  readonly is_hidden: boolean
  readonly is_premium: boolean
  /** The callee is a girl who wants calls of premium guys only. */
  readonly premium_calls_only: boolean
  /** The callee can be reached, wants to be called, has a picture if she is a girl, and has no quiet hours now. */
  readonly takes_calls: boolean
  readonly is_in_private_call: boolean
  /** The guy of the two can pay for the first minute. */
  readonly can_pay: boolean
}

/** The first reason why the caller may not call; undefined: the call may ring. */
export function findCallRefusal(facts: CallingFacts): RefusalName | undefined {
  // The caller's own id has this role too. Another refusal would tell that a hidden user exists.
  if (facts.callee === null || facts.callee === facts.caller) return 'not_found'
  if (facts.is_blocked) return 'blocked'
  if (facts.is_hidden) return 'not_found'
  if (facts.premium_calls_only && !facts.is_premium) return 'premium_only'
  if (!facts.takes_calls) return 'user_offline'
  if (facts.is_in_private_call) return 'in_call'
  if (facts.can_pay) return undefined
  // The girl learns only that the guy takes no calls now.
  return facts.caller === 'guy' ? 'no_balance' : 'user_offline'
}
