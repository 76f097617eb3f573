import type { PasskeyAnswer } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { userById } from '../../identity/index.ts'
import { requireFactor } from './require-factor.ts'
import { consumeOwnerGuess, refuseTooMany } from '../credentials/login-limits.ts'
import { verifyPassword } from '../credentials/passwords.ts'
import { endLoginsAndSockets } from '../devices/end-logins.ts'

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
 * too_many. After too many wrong passwords the login ends: its token may be stolen.
 */
export async function confirmOwner(
  app: App,
  { id: user_id, login_id }: Pick<Member, 'id' | 'login_id'>,
  { password, ...proof }: OwnerProof,
): Promise<void> {
  if (password === undefined) refuse('password_required')
  const guess = await consumeOwnerGuess(app, login_id)
  if (guess === 'over') {
    await app.transact(async (tx) => {
      if ((await endLoginsAndSockets(tx, user_id, { only: login_id })) > 0)
        await tx.publish('security_changed', { user_id, what: 'guesses' })
    })
    refuse('session_invalid')
  }
  const row = (await userById(app.db, user_id)) ?? refuse('session_invalid')
  const isRight = await verifyPassword(password, row.password_hash, 'public').catch(
    async (error: unknown) => {
      // Nothing was guessed: the server had no place for the work.
      await guess.succeeded()
      throw error
    },
  )
  if (!isRight) refuse('password_required')
  await guess.succeeded()
  await requireFactor(app, row, proof, () => refuseTooMany(app, 'factor_change', String(user_id)))
}
