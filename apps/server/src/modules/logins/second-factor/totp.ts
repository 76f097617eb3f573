import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { refuse } from '../../../lib/refusal.ts'
import { confirmOwner } from './confirm-owner.ts'
import { lockOpenLogin } from '../devices/lock-login.ts'
import { notifyUserInfo, lockUser, userById } from '../../identity/index.ts'
import {
  beginTotp,
  confirmTotp,
  countSpareCodes,
  removePasskeys,
  removeTotp,
  replaceSpareCodes,
  readTotp,
  updateSecondFactor,
} from './factors-store.ts'
import { newSpareCodes, newTotpSecret, spareCodeHash, stepOfCode } from './one-time-codes.ts'

/** Begins a one-time-code factor. Refuses password_required, second_factor. */
export async function offerTotp(
  app: App,
  viewer: Member,
  { current_password: password, otp, passkey }: Body<'POST auth/totp/options'>,
): Promise<Answer<'POST auth/totp/options'>> {
  await confirmOwner(app, viewer, { password, otp, passkey })
  const { email } = (await userById(app.db, viewer.id)) ?? refuse('session_invalid')
  const made = newTotpSecret(app, { owner: viewer.id, email: email ?? '' })
  // A factor that is on has to be turned off first, with a code of it.
  if (!(await app.transact((tx) => beginTotp(tx, viewer.id, made.sealed)))) refuse('second_factor')
  return { secret: made.secret, url: made.url }
}

/** Turns the factor on by its first code; the spare codes leave the server here and never again. Refuses second_factor. */
export async function turnTotpOn(
  app: App,
  viewer: Member,
  { otp }: Body<'POST auth/totp/verify'>,
): Promise<Answer<'POST auth/totp/verify'>> {
  const spare_codes = newSpareCodes()
  await app.transact(async (tx) => {
    await lockOpenLogin(tx, viewer)
    const factor = await readTotp(tx, viewer.id)
    const step = factor && stepOfCode(app, { owner: viewer.id, secret: factor.secret }, otp)
    if (step === undefined || !(await confirmTotp(tx, factor!, step))) refuse('second_factor')
    const hashes = spare_codes.map((code) => spareCodeHash(app, viewer.id, code))
    await replaceSpareCodes(tx, viewer.id, hashes)
    await announceFactors(tx, viewer.id, 'factor_on')
  })
  return { spare_codes }
}

export async function listTotp(app: App, viewer: Member): Promise<Answer<'GET auth/totp/list'>> {
  const factor = await readTotp(app.db, viewer.id)
  return {
    on: factor?.confirmed_at != null,
    spare_codes_left: await countSpareCodes(app.db, viewer.id),
  }
}

/** Turns the factor off. Refuses password_required, second_factor, not_found. */
export async function turnTotpOff(
  app: App,
  viewer: Member,
  { current_password: password, otp, passkey }: Body<'POST auth/totp/delete'>,
): Promise<Answer<'POST auth/totp/delete'>> {
  await confirmOwner(app, viewer, { password, otp, passkey })
  await app.transact(async (tx) => {
    await lockOpenLogin(tx, viewer)
    if (!(await removeTotp(tx, viewer.id, 'all'))) refuse('not_found')
    await announceFactors(tx, viewer.id, 'factor_off')
  })
  return {}
}

/** Removes the factors of a user that were added at this time or later, or all; returns whether there was one. */
export async function removeUserFactors(
  tx: Tx,
  user_id: UserId,
  which: { since: Temporal.Instant } | 'all',
): Promise<boolean> {
  await lockUser(tx, user_id)
  const hadTotp = await removeTotp(tx, user_id, which)
  const passkeys = await removePasskeys(tx, user_id, which)
  if (!hadTotp && passkeys === 0) return false
  await announceFactors(tx, user_id, 'factor_off')
  return true
}

/** After each change of the factors: the own record follows, and the user is told, because another person may have done it. */
export async function announceFactors(
  tx: Tx,
  user_id: UserId,
  what: 'factor_on' | 'factor_off',
): Promise<void> {
  await updateSecondFactor(tx, user_id)
  await tx.publish('security_changed', { user_id, what })
  await notifyUserInfo(tx, user_id)
}
