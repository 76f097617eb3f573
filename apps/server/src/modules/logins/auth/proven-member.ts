import type { PasskeyAnswer } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { lockUser, userByEmail, userById, type UserRow } from '../../identity/index.ts'
import { consumePasskeyLogin, isKnownNetwork, rememberLogin } from '../credentials/login-limits.ts'
import { verifyPassword } from '../credentials/passwords.ts'
import { usePasskey } from '../second-factor/passkey-answers.ts'
import { hasFactor, type UsedFactor } from '../second-factor/require-factor.ts'

/** A member, with the proofs that were correct. */
export interface ProvenMember {
  readonly user_id: UserId
  /** The hash that the password was verified with; undefined if a passkey stood for the password. */
  readonly password_hash?: string | null
  readonly factor: UsedFactor | undefined
}
export async function checkPassword(
  app: App,
  login: string,
  password: string,
  address: string,
): Promise<UserRow> {
  const row = await userByEmail(app.db, login)
  const lane = row && isKnownNetwork(app, row.id, address) ? 'known' : 'public'
  const isCorrect = await verifyPassword(password, row?.password_hash, lane)
  if (!isCorrect || !row || row.erased_at) refuse('wrong_login')
  return row
}

/** A passkey that was unlocked by its owner is both factors: no password is asked for. */
export async function checkPasskey(
  app: App,
  answer: PasskeyAnswer,
  address: string,
): Promise<ProvenMember> {
  await consumePasskeyLogin(app, address)
  const passkey = await app.transact((tx) => usePasskey(tx, answer))
  const row = passkey && (await userById(app.db, passkey.user_id))
  if (!row?.role || row.erased_at) refuse('wrong_login')
  rememberLogin(app, row.id, address)
  return { user_id: row.id, factor: { passkey_id: passkey!.passkey_id } }
}

/**
 * The proofs were checked before the transaction. A change of the password, a recovery or the removal of a
 * factor ends the other logins: this login must not begin after such a change.
 */
export async function refuseChangedProofs(
  tx: Tx,
  { user_id, password_hash, factor }: ProvenMember,
): Promise<void> {
  const row = await lockUser(tx, user_id)
  if (!row || row.erased_at) refuse('wrong_login')
  if (password_hash !== undefined && row.password_hash !== password_hash) refuse('wrong_login')
  if (factor && !(await hasFactor(tx, user_id, factor))) refuse('wrong_login')
}
