import type { Input } from '@duet/protocol'
import type { Updateable } from 'kysely'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import type { Tables } from '../../core/tables.gen.ts'
import { mailConfirmation, tellFormerAddress } from './mail-links/confirm-email.ts'
import { forgetFormerEmails, isSameEmail, replaceEmail } from './mail-links/former-emails.ts'
import { userById, type UserRow, changeUser } from '../identity/index.ts'
import { passSpentBudgets } from '../client-signals/index.ts'
import { refuseUsedEmail } from './registration/register.ts'
import { confirmOwner } from './second-factor/confirm-owner.ts'
import { endLoginsAndSockets } from './devices/end-logins.ts'
import { refuseTooMany } from './credentials/login-limits.ts'
import { rotateLogin } from './devices/logins-store.ts'
import { hashPassword } from './credentials/passwords.ts'

/** The changes that require the current password. Undefined if no change requires it. */
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
  const client = { address: context.address, fingerprint: row.fingerprint }
  const request = { purpose: 'email', viewer, context } as const
  // Asked for first: the client repeats the same call with it, and a code works once.
  const isPassed = email !== undefined && (await passSpentBudgets(app, client, request))
  await confirmOwner(app, viewer, { password: current_password, otp, passkey })
  if (email !== undefined) {
    // Every attempt counts, also a successful attempt: an unused address is information too.
    await refuseTooMany(app, 'email_change', String(row.id))
    await refuseUsedEmail(app, email, client, { ...request, isPassed })
  }
  return {
    ...(password !== undefined && {
      password_hash: await hashPassword(password, 'public'),
      password_changed_at: app.clock.now(),
    }),
    ...(email !== undefined && { email }),
  }
}

/** Changes the locked row. A new address replaces the present address. */
export async function changeCredentials(
  tx: Tx,
  before: UserRow,
  change: Updateable<Tables['users']>,
): Promise<void> {
  const { email } = change
  const address = typeof email === 'string' && (await replaceEmail(tx, before, email))
  await changeUser(tx, before.id, { ...change, ...address })
  if (!address && change.password_hash !== undefined) await forgetFormerEmails(tx, before)
}

/**
 * Runs after the row was changed. This login gets a new token, and every other login ends. A new address
 * gets a mail to confirm. The former address is notified, because its owner may be another person. Returns
 * the token.
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
  if (!isSameEmail(before.email, row.email!)) {
    await tellFormerAddress(tx, before)
    if (row.email_confirmed_at === null) await mailConfirmation(tx, row)
    await tx.publish('security_changed', { user_id, what: 'email' })
  }
  return token
}
