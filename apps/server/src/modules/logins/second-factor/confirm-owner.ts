import type { PasskeyAnswer } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { userById } from '../../identity/index.ts'
import { requireFactor } from './require-factor.ts'
import { refuseTooMany } from '../credentials/login-limits.ts'
import { verifyPassword } from '../credentials/passwords.ts'

/** The proofs that a user may give beside an open login. */
export interface OwnerProof {
  readonly password?: string | undefined
  /** The code of a second factor, if the user has a factor. */
  readonly otp?: string | undefined
  /** A passkey in its place. */
  readonly passkey?: PasskeyAnswer | undefined
}

/**
 * Makes sure that the owner of the account acts, and not a person who finds an open page. All checks of the
 * owner are here. An account with a second factor must prove it. Refuses password_required, second_factor,
 * too_many.
 */
export async function confirmOwner(
  app: App,
  user_id: UserId,
  { password, ...proof }: OwnerProof,
): Promise<void> {
  await refuseTooMany(app, 'password_change', String(user_id))
  const row = (await userById(app.db, user_id)) ?? refuse('session_invalid')
  if (password === undefined || !(await verifyPassword(password, row.password_hash, 'public')))
    refuse('password_required')
  await requireFactor(app, row, proof, () => refuseTooMany(app, 'factor_change', String(user_id)))
}
