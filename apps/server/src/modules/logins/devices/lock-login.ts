import type { Tx } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { lockUser } from '../../identity/index.ts'
import { loginById } from './queries.ts'

/**
 * Locks the user, and makes sure that the login of the viewer is still open. A recovery locks the user too. So a
 * factor is either added before the recovery, which removes it, or not at all. Refuses session_invalid.
 */
export async function lockOpenLogin(
  tx: Tx,
  { id, login_id }: Pick<Member, 'id' | 'login_id'>,
): Promise<void> {
  await lockUser(tx, id)
  if (!(await loginById(tx, login_id))) refuse('session_invalid')
}
