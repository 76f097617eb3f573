/** `auth`: registered. `guest`: not registered. `nobody`: always refused. */
export type AccessRequirement = 'auth' | 'guest' | 'nobody'
export type AccessDecision = 'pass' | 'refuse' | 'wait'

/** Who may see a page. Waits as long as nobody knows whose page this is. */
export function checkAccess(
  need: AccessRequirement,
  standing: 'member' | 'guest' | 'unknown',
): AccessDecision {
  if (need === 'nobody') return 'refuse'
  if (standing === 'unknown') return 'wait'
  return (need === 'auth') === (standing === 'member') ? 'pass' : 'refuse'
}

/** Where a refused visitor wanted to go; only our own addresses are followed. */
export function continuation(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('login_then' in state)) return undefined
  const { login_then } = state
  return typeof login_then === 'string' && /^\/(?!\/)/.test(login_then) ? login_then : undefined
}
