import type { AccessRequirement } from '../shared/feature.ts'

export type AccessDecision = 'allow' | 'refuse' | 'wait'

/** Decides whether a page is shown. It waits until the connection has answered whose page this is. */
export function checkAccess(
  required: AccessRequirement,
  status: 'member' | 'guest' | 'unknown',
): AccessDecision {
  if (required === 'none') return 'refuse'
  if (status === 'unknown') return 'wait'
  return required === status ? 'allow' : 'refuse'
}

/** The page that a refused visitor wanted to see. Only addresses of this site are followed. */
export function continuation(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('login_then' in state)) return undefined
  const { login_then } = state
  return typeof login_then === 'string' && /^\/(?!\/)/.test(login_then) ? login_then : undefined
}
