import type { PasskeyAnswer } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { UserRow } from '../../identity/index.ts'
import { readPasskeys, readTotp } from './factors-store.ts'
import { useCode } from './one-time-codes.ts'
import { usePasskey } from './passkey-answers.ts'

/** The proof that a user sends beside the password. */
export interface FactorProof {
  readonly otp?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/**
 * Makes sure that a user with a second factor has proved it. Call it after the password was found correct,
 * with the limit of wrong codes. Refuses too_many, and second_factor with the methods of this user.
 */
export async function requireFactor(
  app: App,
  row: Pick<UserRow, 'id' | 'second_factor'>,
  { otp, passkey }: FactorProof,
  consumeAttempt: () => Promise<void>,
): Promise<void> {
  if (!row.second_factor) return
  if (passkey !== undefined) {
    const used = await app.transact((tx) => usePasskey(tx, passkey))
    if (used?.user_id === row.id) return
  } else if (otp !== undefined) {
    await consumeAttempt()
    if (await app.transact((tx) => useCode(tx, row.id, otp))) return
  }
  refuse('second_factor', { methods: await readMethods(app, row) })
}

async function readMethods(app: App, { id }: Pick<UserRow, 'id'>): Promise<string[]> {
  const [totp, passkeys] = await Promise.all([readTotp(app.db, id), readPasskeys(app.db, id)])
  return [...(totp?.confirmed_at ? ['otp'] : []), ...(passkeys.length > 0 ? ['passkey'] : [])]
}
