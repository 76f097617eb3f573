import type { Role } from '@duet/protocol/kernel/roles.ts'
import { refuse } from '../../lib/refusal.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import { hashPassword, no_password } from './passwords.ts'
import {
  cleanName,
  judgeBirthday,
  judgeEmail,
  judgeName,
  judgePassword,
  parseDay,
} from './rules.ts'
import { changeUser, ensureGuestRow, nextUserId, openLogin, register } from './store.ts'
import { terms_version } from './account.ts'

export interface NewUser {
  readonly role: Role
  readonly nick: string
  readonly email: string
  /** Without one nobody can log in by a password. */
  readonly password?: string
  readonly birthday?: string
  readonly verified?: boolean
  readonly about?: string
  readonly locale?: string
  readonly country?: string
}

/** A member made by the operator (or by the demo's cast): the same rules of name, address and password as for everybody. */
export async function addUser(
  tx: Tx,
  wish: NewUser,
): Promise<{ id: UserId; ref_code: string; token: string }> {
  const birthday = wish.birthday ?? '1996-01-01'
  const nick = cleanName(wish.nick)
  const refusal =
    judgeName(nick, 'registering') ??
    judgeEmail(wish.email) ??
    (wish.password === undefined ? undefined : judgePassword(wish.password, undefined)) ??
    judgeBirthday(birthday, tx.now)
  if (refusal) refuse(refusal)
  const id = await nextUserId(tx)
  await ensureGuestRow(tx, { id, locale: wish.locale ?? 'en' })
  const password_hash =
    wish.password === undefined ? no_password : await hashPassword(wish.password)
  await register(tx, id, {
    nick,
    email: wish.email,
    password_hash,
    role: wish.role,
    birthday: parseDay(birthday)!,
  })
  await tx.publish('registered', { user_id: id, role: wish.role })
  const row = await changeUser(tx, id, {
    age_confirmed_at: tx.now,
    terms_version,
    email_confirmed_at: tx.now,
    ...(wish.verified && { verified_at: tx.now }),
    ...(wish.about !== undefined && { about: wish.about }),
    ...(wish.country !== undefined && { country: wish.country, show_country: true }),
  })
  const { token } = await openLogin(tx, id)
  return { id, ref_code: row.ref_code!, token }
}
