import type { Tx } from '../../core/app.ts'
import { notifyUserInfo } from '../identity/index.ts'
import { addNotice } from '../notices/index.ts'
import type { IdentityCheck } from './check/check-rules.ts'

/** Notifies the user of a new state: the own record on every page, and a line of the bell where it is news. */
export async function announceState(tx: Tx, check: IdentityCheck): Promise<void> {
  const { check_id, user_id, state, reason, asked_again } = check
  await notifyUserInfo(tx, user_id)
  if (state === 'checking') return
  const shown = shownState({ reason, state, asked_again })
  await addNotice(tx, {
    user_id,
    kind: 'verification',
    facts: { state: shown },
    key: `check:${check_id}:${shown}`,
  })
}

function shownState({
  reason,
  state,
  asked_again,
}: Pick<IdentityCheck, 'reason' | 'state' | 'asked_again'>): string {
  if (reason === 'expired') return 'expired'
  if (state === 'verified') return 'verified'
  return asked_again ? 'again' : 'declined'
}

/** Warns the user that the document expires in this number of days. */
export async function announceWarning(
  tx: Tx,
  { check_id, user_id }: IdentityCheck,
  days: number,
): Promise<void> {
  await addNotice(tx, {
    user_id,
    kind: 'verification',
    facts: { state: 'expiring', days },
    key: `check:${check_id}:expiring:${days}`,
  })
}
