import type { Role } from '@duet/protocol/kernel/roles.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Tx } from '../../../core/app.ts'
import { hashPassword, NO_PASSWORD } from '../credentials/passwords.ts'
import {
  cleanName,
  birthdayRefusal,
  nickRefusal,
  parseDay,
  changeUser,
  ensureGuestRow,
  nextUserId,
  register,
  TERMS_VERSION,
} from '../../identity/index.ts'
import { emailRefusal, passwordRefusal } from '../credentials/rules.ts'
import { openLogin } from '../devices/logins-store.ts'

export interface NewUser {
  readonly role: Role
  readonly nick: string
  readonly email: string
  /** The result of `hashedPassword`. Without it the user cannot log in with a password. */
  readonly password_hash?: string
  readonly birthday?: string
  readonly verified?: boolean
  readonly about?: string
  readonly locale?: string
  readonly country?: string
}

/** The hash of a password that a registration would accept; made before the transaction, because it takes long. */
export async function hashedPassword(password: string): Promise<string> {
  const refusal = passwordRefusal(password, undefined)
  if (refusal) refuse(refusal)
  return hashPassword(password, 'public')
}

/** Adds a member for the operator or the demo, by the same rules of name and address as a registration. */
export async function addUser(
  tx: Tx,
  user: NewUser,
): Promise<{ id: UserId; ref_code: string; token: string }> {
  const birthday = user.birthday ?? '1996-01-01'
  const nick = cleanName(user.nick)
  const refusal =
    nickRefusal(nick, 'registering') ??
    emailRefusal(user.email) ??
    birthdayRefusal(birthday, tx.now)
  if (refusal) refuse(refusal)
  const id = await nextUserId(tx)
  await ensureGuestRow(tx, { id, locale: user.locale ?? 'en' })
  await register(tx, id, {
    nick,
    email: user.email,
    password_hash: user.password_hash ?? NO_PASSWORD,
    role: user.role,
    birthday: parseDay(birthday)!,
  })
  await tx.publish('registered', { user_id: id, role: user.role })
  const row = await changeUser(tx, id, {
    age_confirmed_at: tx.now,
    terms_version: TERMS_VERSION,
    email_confirmed_at: tx.now,
    ...(user.verified && { verified_at: tx.now }),
    ...(user.about !== undefined && { about: user.about }),
    ...(user.country !== undefined && { country: user.country, show_country: true }),
  })
  const { token } = await openLogin(tx, id)
  return { id, ref_code: row.ref_code!, token }
}
