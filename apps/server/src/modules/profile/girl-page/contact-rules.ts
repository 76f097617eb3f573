import type { Permission } from '@duet/protocol'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { permission } from '../../../lib/refusal.ts'

/** The facts that decide whether a viewer may contact a girl now. */
export interface ContactFacts {
  readonly viewer: 'visitor' | 'guy' | 'girl'
  readonly is_premium: boolean
  /** The girl wants calls of premium guys only. */
  readonly premium_calls_only: boolean
  /** The girl is online, takes calls, and has no quiet hours now. */
  readonly takes_calls: boolean
  readonly is_in_private_call: boolean
  /** The guy can pay for a minute at the private price. */
  readonly can_pay: boolean
}

/** Calls by invitation do not exist yet, so a client must not offer them. */
const NOT_BUILT = { calls: true }

/** Whether the viewer may call the girl. If not, the first reason. */
export function getCallPermission(facts: ContactFacts): Permission {
  return permission(
    strangerRefusal(facts) ??
      (facts.premium_calls_only && !facts.is_premium ? 'premium_only' : undefined) ??
      (facts.takes_calls ? undefined : 'user_offline') ??
      (facts.is_in_private_call ? 'in_call' : undefined) ??
      (facts.can_pay ? undefined : 'no_balance') ??
      (NOT_BUILT.calls ? 'unknown_call' : undefined),
  )
}

/** Whether the viewer may write to the girl. If the viewer is a guy, the messenger decides. */
export function getWritePermission(
  facts: ContactFacts,
  inMessenger: Permission = permission('unknown_call'),
): Permission {
  const refusal = strangerRefusal(facts)
  return refusal === undefined ? inMessenger : permission(refusal)
}

function strangerRefusal({ viewer }: ContactFacts): RefusalName | undefined {
  if (viewer === 'visitor') return 'registered_only'
  return viewer === 'girl' ? 'role_forbidden' : undefined
}
