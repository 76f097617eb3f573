import type { Input } from '@duet/protocol'
import type { Updateable } from 'kysely'
import { refuse } from '../../../lib/refusal.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Member } from '../../../core/viewer.ts'
import type { Tables } from '../../../platform/database/tables.gen.ts'
import { mailConfirmation, tellFormerAddress } from '../mailed-links/confirm-email.ts'
import { keepFormerEmail, removeFormerEmails } from '../mailed-links/former-emails-store.ts'
import { userById, type UserRow } from '../queries.ts'
import { refuseUsedEmail } from '../registration/register.ts'
import { confirmOwner } from './confirm-owner.ts'
import { endLoginsAndSockets } from './end-login.ts'
import { refuseTooMany } from './login-limits.ts'
import { rotateLogin } from './logins-store.ts'
import { hashPassword } from './passwords.ts'

/** The changes that require the current password; undefined if there are none. */
export async function credentialChange(
  app: App,
  viewer: Member,
  row: UserRow,
  input: Input<'UPDATE_PROFILE'>,
  context: RequestContext,
): Promise<Updateable<Tables['users']> | undefined> {
  const { password, email, current_password } = input
  if (password === undefined && email === undefined) return undefined
  const { otp, passkey } = input
  await confirmOwner(app, row.id, { password: current_password, otp, passkey })
  if (email !== undefined) {
    // Every attempt counts, also a successful one: an unused address is information too.
    await refuseTooMany(app, 'email_change', String(row.id))
    const client = { address: context.address, fingerprint: row.fingerprint }
    await refuseUsedEmail(app, email, client, { purpose: 'email', viewer, context })
  }
  return {
    ...(password !== undefined && {
      password_hash: await hashPassword(password, 'public'),
      password_changed_at: app.clock.now(),
    }),
    ...(email !== undefined && { email, email_confirmed_at: null }),
  }
}

/**
 * After the row was changed: this login gets a new token, every other one ends, a new address is asked to confirm, and the
 * former address is told, because its owner may be another person. Returns the token.
 */
export async function followCredentialChange(
  tx: Tx,
  viewer: Member,
  before: UserRow,
): Promise<string> {
  const { token } = (await rotateLogin(tx, viewer.login_id)) ?? refuse('session_invalid')
  await endLoginsAndSockets(tx, viewer.id, { except: viewer.login_id })
  const row = (await userById(tx, viewer.id))!
  const user_id = viewer.id
  if (row.password_hash !== before.password_hash)
    await tx.publish('security_changed', { user_id, what: 'password' })
  if (row.email !== before.email) {
    await removeFormerEmails(tx, user_id, row.email!)
    if (before.email !== null && before.email_confirmed_at !== null)
      await keepFormerEmail(tx, user_id, before.email)
    await tellFormerAddress(tx, before)
    await mailConfirmation(tx, row)
    await tx.publish('security_changed', { user_id, what: 'email' })
  }
  return token
}
