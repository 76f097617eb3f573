import { type Gender, genderOf, type Role, roleOfGender } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import { maskText } from '../../lib/text-mask.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Tx } from '../../core/tx.ts'
import type { Guest } from '../../core/viewer.ts'
import { networkOf } from '../../platform/http/client-address.ts'
import { setting } from '../settings/index.ts'
import { connectionAttributes, type ConnectionAttributes } from './connection-attributes.ts'
import { hashPassword } from './passwords.ts'
import { userByEmail, userById, userNow } from './queries.ts'
import {
  cleanName,
  judgeBirthday,
  judgeEmail,
  judgeName,
  judgePassword,
  parseDay,
} from './rules.ts'
import { changeUser, countEmailProbe, ensureGuestRow, openLogin, register } from './store.ts'
import { guestKey } from './tokens.ts'
import { memberOf } from './viewer.ts'
import { ownUser } from './views.ts'

type Wish = Input<'UPDATE_PROFILE'>
type Complete = Required<Pick<Wish, 'nick' | 'email' | 'password' | 'birthday' | 'gender'>>

/** How many times a day a network or a device may learn that an e-mail is used; then it must wait. */
const email_tries_a_day = 5

/** A guest's UPDATE_PROFILE: a gender alone is kept, everything together registers. */
export async function guestProfile(
  app: App,
  viewer: Guest,
  wish: Wish,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  const line = connectionAttributes(context.connection)
  if (isGenderAlone(wish)) return declareRole(app, viewer, roleOfGender(wish.gender), line)
  const complete = completed(wish, viewer)
  const row = await userById(app.db, viewer.id)
  if (row?.age_confirmed_at == null) refuse('age_unconfirmed')
  judge(app, complete)
  await refuseUsedEmail(app, complete.email, {
    address: context.address,
    fingerprint: line.fingerprint ?? row.fingerprint,
  })
  const password_hash = await hashPassword(complete.password)
  return app.transact((tx) => becomeMember(tx, viewer, complete, password_hash, line, context))
}

function isGenderAlone(wish: Wish): wish is Wish & { gender: Gender } {
  return wish.gender !== undefined && Object.keys(wish).length === 1
}

/** The wish with all that a registration needs, its name and address as they are kept. */
function completed(wish: Wish, viewer: Guest): Complete & Wish {
  const {
    nick,
    email,
    password,
    birthday,
    gender = viewer.declared_role ? genderOf(viewer.declared_role) : undefined,
  } = wish
  const needed = { nick, email, password, gender }
  const missing = Object.entries(needed).flatMap(([path, value]) =>
    value === undefined ? path : [],
  )
  if (missing.length > 0)
    refuse('invalid', {
      fields: missing.map((path) => ({ path, message: 'Required to register' })),
    })
  if (birthday === undefined) refuse('birthday_invalid')
  return {
    ...wish,
    ...needed,
    nick: cleanName(nick!),
    email: email!.trim(),
    birthday,
  } as Complete & Wish
}

function declareRole(
  app: App,
  viewer: Guest,
  declared_role: Role,
  line: ConnectionAttributes,
): Promise<Ack<'UPDATE_PROFILE'>> {
  return app.transact(async (tx) => {
    await ensureGuestRow(tx, viewer, line.fingerprint)
    await changeUser(tx, viewer.id, { declared_role })
    const user = await ownUser(app, tx, guestKey(app, viewer.id))
    await tx.notify(viewer.id, 'update_profile_success', { register: false, user })
    return { user }
  })
}

function judge(app: App, wish: Complete & Wish): void {
  const refusal =
    judgeName(wish.nick, 'registering') ??
    judgeEmail(wish.email) ??
    judgePassword(wish.password, wish.repeat_password) ??
    judgeBirthday(wish.birthday, app.clock.now())
  if (refusal) refuse(refusal)
  refuseContactInName(app, wish.nick)
}

/** A name is refused rather than masked: three stars are nobody's name. */
export function refuseContactInName(app: App, nick: string): void {
  if (maskText(nick, { words: setting(app, 'competitor_words') }).masked) {
    refuse('invalid', {
      fields: [{ path: 'nick', message: 'A nickname holds no address, link or number' }],
    })
  }
}

/** 103 is told within a budget of the network and of the device, counted outside of the transaction that it refuses. */
export async function refuseUsedEmail(
  app: App,
  email: string,
  asker: { readonly address: string; readonly fingerprint: string | null },
  own_id?: UserId,
): Promise<void> {
  const holder = await userByEmail(app.db, email)
  if (!holder || holder.id === own_id) return
  const askers = [
    networkOf(asker.address),
    ...(asker.fingerprint === null ? [] : [`device ${asker.fingerprint}`]),
  ]
  const tries = await app.transact((tx) => countEmailProbe(tx, askers))
  if (tries > email_tries_a_day) refuse('too_many', { retry_after: 86_400 })
  refuse('email_used')
}

async function becomeMember(
  tx: Tx,
  viewer: Guest,
  wish: Complete,
  password_hash: string,
  line: ConnectionAttributes,
  context: RequestContext,
) {
  await ensureGuestRow(tx, viewer, line.fingerprint)
  const referrer = line.ref_code ? await referrerOf(tx, line.ref_code) : undefined
  const { nick, email, birthday } = wish
  const role = roleOfGender(wish.gender)
  const done = await register(tx, viewer.id, {
    nick,
    email,
    password_hash,
    role,
    birthday: parseDay(birthday)!,
    ...(referrer !== undefined && { referred_by: referrer }),
    ...(line.signature && { signature: line.signature }),
  })
  if (!done) refuse('session_invalid')
  const { login, token } = await openLogin(tx, viewer.id)
  await tx.publish('registered', { user_id: viewer.id, role })
  const user = await ownUser(tx.app, tx, {
    user_id: viewer.id,
    login_id: login.id,
    generation: login.generation,
  })
  // The line carries the login before the news of it goes out, or the next action would still be the guest's.
  const { connection } = context
  const identity = connection?.identity
  if (connection && identity) {
    tx.afterCommit(async () => {
      const row = (await userNow(tx.app, viewer.id))!
      const member = memberOf(row, login.id, tx.now)
      await tx.app.realtime.attach(connection, { ...identity, login_id: login.id, viewer: member })
    })
  }
  await tx.notify(viewer.id, 'update_profile_success', { register: true, user })
  return { user, token }
}

async function referrerOf(tx: Tx, ref_code: string): Promise<UserId | undefined> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('ref_code', '=', ref_code)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}
