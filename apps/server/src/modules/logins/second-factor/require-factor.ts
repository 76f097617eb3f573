import type { PasskeyAnswer } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { recordPasskey } from '../../client-signals/index.ts'
import type { UserRow } from '../../identity/index.ts'
import { passkeyById, readPasskeys, readTotp } from './factors-store.ts'
import { useCode } from './one-time-codes.ts'
import { usePasskey } from './passkey-answers.ts'

/** The proof that a user sends beside the password. */
export interface FactorProof {
  readonly otp?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** The factor of an accepted proof. */
export type UsedFactor = { readonly passkey_id: string } | 'totp'

/** Whether the user still has this factor. */
export async function hasFactor(tx: Tx, user_id: UserId, used: UsedFactor): Promise<boolean> {
  if (used === 'totp') return (await readTotp(tx, user_id))?.confirmed_at != null
  return (await passkeyById(tx, used.passkey_id))?.user_id === user_id
}

/**
 * Makes sure that a user with a second factor has proved it. Call it after the password was found correct,
 * with the limit of wrong codes. Refuses too_many, and second_factor with the methods of this user. Returns
 * the used factor, if the user has a factor.
 */
export async function requireFactor(
  app: App,
  row: Pick<UserRow, 'id' | 'second_factor'>,
  { otp, passkey }: FactorProof,
  consumeAttempt: () => Promise<void>,
): Promise<UsedFactor | undefined> {
  if (!row.second_factor) return undefined
  if (passkey !== undefined) {
    await consumeAttempt()
    const used = await app.transact(async (tx) => {
      const answered = await usePasskey(tx, passkey)
      // A device that holds the passkey of another account is a hint for staff.
      if (answered && answered.user_id !== row.id)
        await recordPasskey(tx, row.id, answered.passkey_id)
      return answered
    })
    if (used?.user_id === row.id) return { passkey_id: used.passkey_id }
  } else if (otp !== undefined) {
    await consumeAttempt()
    if (await app.transact((tx) => useCode(tx, row.id, otp))) return 'totp'
  }
  refuse('second_factor', { methods: await readMethods(app, row) })
}

async function readMethods(app: App, { id }: Pick<UserRow, 'id'>): Promise<string[]> {
  const [totp, passkeys] = await Promise.all([readTotp(app.db, id), readPasskeys(app.db, id)])
  return [...(totp?.confirmed_at ? ['otp'] : []), ...(passkeys.length > 0 ? ['passkey'] : [])]
}
