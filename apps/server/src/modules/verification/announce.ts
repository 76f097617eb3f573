import type { Tx } from '../../core/app.ts'
import { notifyUserInfo } from '../identity/index.ts'
import type { IdentityCheck } from './check/check-rules.ts'

/** Notifies the user of a decision or an end: the own record on every page. */
export async function announceState(tx: Tx, { user_id }: IdentityCheck): Promise<void> {
  await notifyUserInfo(tx, user_id)
}

/** Warns the user that the document expires in this number of days. */
export async function announceWarning(
  _tx: Tx,
  _check: IdentityCheck,
  _days: number,
): Promise<void> {}
