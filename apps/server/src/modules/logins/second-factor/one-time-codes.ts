import { createHmac, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { AppContext, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { openBytes, sealBytes } from '../../../lib/cipher.ts'
import { keyFor } from '../../../lib/derived-key.ts'
import { newRefCode } from '../../../lib/ids.ts'
import { assert } from '../../../lib/assert.ts'
import { readTotp, useSpareCode, useTotpStep } from './factors-store.ts'

/** The form that every authenticator app understands: SHA-1, 6 digits, 30 seconds (RFC 6238). */
const CODE_FORM = { algorithm: 'SHA1', digits: 6, period: 30 } as const
const SECRET_BYTES = 20
/** Clocks of phones differ. So the codes before and after the present code are accepted too. */
const WINDOW_STEPS = 1
const SPARE_CODES = 10

const ISSUER = 'Duet'

/** The owner of a factor: a user, or a member of staff. */
export type FactorOwner = UserId | `staff ${number}`

function getPlace(owner: FactorOwner): string {
  return `totp ${owner}`
}

/** A new secret: sealed for the database, and readable for the authenticator app of the user. */
export function newTotpSecret(
  app: AppContext,
  { owner, email }: { readonly owner: FactorOwner; readonly email: string },
): { sealed: Buffer; secret: string; url: string } {
  const bytes = randomBytes(SECRET_BYTES)
  const totp = totpFrom(bytes, email)
  return {
    sealed: sealBytes(keyFor(app.config, 'second factors'), bytes, getPlace(owner)),
    secret: totp.secret.base32,
    url: totp.toString(),
  }
}

function openSecret(app: AppContext, owner: FactorOwner, sealed: Buffer): Buffer {
  const bytes = openBytes(keyFor(app.config, 'second factors'), sealed, getPlace(owner))
  assert(bytes, 'the secret of a factor opens with the key of this installation')
  return bytes
}

function totpFrom(bytes: Buffer, label = ''): TOTP {
  const secret = new Secret({ buffer: new Uint8Array(bytes).buffer })
  return new TOTP({ ...CODE_FORM, issuer: ISSUER, label, secret })
}

/** The time step whose code this is; undefined for a wrong code. */
export function stepOfCode(
  app: AppContext,
  { owner, secret }: { readonly owner: FactorOwner; readonly secret: Buffer },
  code: string,
): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const bytes = openSecret(app, owner, secret)
  const timestamp = app.clock.now().epochMilliseconds
  const delta = totpFrom(bytes).validate({ token, window: WINDOW_STEPS, timestamp })
  return delta === null ? undefined : Math.floor(timestamp / (CODE_FORM.period * 1000)) + delta
}

/** Codes as users see them: `ABCDE-FGH23`. */
export function newSpareCodes(): string[] {
  return Array.from({ length: SPARE_CODES }, () => {
    const code = newRefCode()
    return `${code.slice(0, 5)}-${code.slice(5)}`
  })
}

/** Keyed, because a code has only 50 bits. Dashes, spaces and small letters do not count. */
export function spareCodeHash(app: AppContext, user_id: UserId, code: string): Buffer {
  const plain = code.replaceAll(/[\s-]/g, '').toUpperCase()
  return createHmac('sha256', keyFor(app.config, 'spare codes'))
    .update(`${user_id} ${plain}`)
    .digest()
}

/** Uses a one-time or spare code of a user. False for a wrong or used code. */
export async function useCode(tx: Tx, user_id: UserId, code: string): Promise<boolean> {
  const factor = await readTotp(tx, user_id)
  if (!factor?.confirmed_at) return false
  const step = stepOfCode(tx.app, { owner: user_id, secret: factor.secret }, code)
  if (step !== undefined) return useTotpStep(tx, factor, step)
  return useSpareCode(tx, user_id, spareCodeHash(tx.app, user_id, code))
}
