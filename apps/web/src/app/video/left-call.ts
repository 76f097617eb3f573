import type { Persisted } from '@duet/client'
import type { AuthSuccess } from '@duet/protocol'
import type { CallsState } from '../../features/calls/calls-state.ts'
import type { OwnUser } from '../../shared/account/own-user.tsx'
import type { AppServices } from '../../shared/app-services.tsx'

type LeftCall = Persisted['left_call']

function getLeft({ call, abandoned }: CallsState): LeftCall | null {
  return call?.leaving ? { session_id: call.session.id, how: call.leaving } : abandoned
}

/** From the press until the receipt: a page that is loaded again neither enters the call nor opens a device for it. */
export function storeLeftCall(
  { persistence }: AppServices,
  before: CallsState,
  after: CallsState,
): void {
  const left = getLeft(after)
  const known = getLeft(before)
  if (left?.session_id !== known?.session_id || left?.how !== known?.how)
    persistence.set('left_call', left ?? undefined)
}

/** The call of AUTH that was left before this page was loaded. No search follows by itself, so a girl has a break. */
export function findLeftCall(
  { persistence }: AppServices,
  { active_session }: AuthSuccess,
  role: OwnUser['role'],
): LeftCall | undefined {
  const left = persistence.get('left_call')
  if (left?.session_id !== active_session?.id) persistence.set('left_call', undefined)
  if (!left || left.session_id !== active_session?.id) return undefined
  return left.how === 'next' ? { ...left, how: role === 'girl' ? 'break' : 'end' } : left
}
