import { roleOfGender } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { Updateable } from 'kysely'
import { refuse } from '../../lib/refusal.ts'
import { maskText } from '../../lib/text-mask.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Tx } from '../../core/tx.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import type { Tables } from '../../platform/database/tables.gen.ts'
import { setting } from '../settings/index.ts'
import { tokenSubjectOf, tokenSubjectOfSocket } from './token-subject.ts'
import { refuseTooMany } from './login-limits.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { userById, type UserRow } from './queries.ts'
import { guestProfile, refuseContactInName, refuseUsedEmail } from './register.ts'
import {
  cleanName,
  isZone,
  judgeBirthday,
  judgeEmail,
  judgeName,
  judgePassword,
  lengthOf,
  parseDay,
} from './rules.ts'
import { changeUser, endLogins, rotateLogin } from './store.ts'
import { ownUser } from './views.ts'

type Wish = Input<'UPDATE_PROFILE'>
type Change = Updateable<Tables['users']>

/** The one way to change an own record; of a guest it may make a member. */
export function updateProfile(
  app: App,
  viewer: Guest | Member,
  wish: Wish,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  return viewer.kind === 'guest'
    ? guestProfile(app, viewer, wish, context)
    : memberProfile(app, viewer, wish, context)
}

export async function memberProfile(
  app: App,
  viewer: Member,
  said: Wish,
  context: RequestContext,
): Promise<Ack<'UPDATE_PROFILE'>> {
  const row = (await userById(app.db, viewer.id)) ?? refuse('session_invalid')
  const wish = asKept(said, row)
  judge(app, viewer, wish)
  const secret = await secretChange(app, row, wish, context)
  const change = { ...plainFields(wish), ...judgedFields(app, wish), ...secret }
  return app.transact(async (tx) => {
    if (Object.keys(change).length > 0) await changeUser(tx, viewer.id, change)
    const token = secret && (await rotate(tx, viewer))
    await tx.publish('member_updated', { user_id: viewer.id })
    const key = await tokenSubjectOf(app, tx, viewer)
    if (key.generation === 0) refuse('session_invalid')
    // The live page may be another login's: it is told its own tokens.
    const live = await ownUser(app, tx, await tokenSubjectOfSocket(app, tx, viewer.id))
    await tx.notify(viewer.id, 'update_profile_success', { register: false, user: live })
    return { user: await ownUser(app, tx, key), ...(token && { token }) }
  })
}

/** A new token for this login; every other login of its holder ends. */
async function rotate(tx: Tx, viewer: Member): Promise<string> {
  const { token } = (await rotateLogin(tx, viewer.login_id)) ?? refuse('session_invalid')
  await endLogins(tx, viewer.id, { except: viewer.login_id })
  tx.afterCommit(() =>
    tx.app.realtime.endLogin({ user_id: viewer.id, except_login_id: viewer.login_id }),
  )
  return token
}

/** Names and addresses as they are kept; what is said again as it is already is no wish to change it. */
function asKept(said: Wish, row: UserRow): Wish {
  const { email, ...wish } = said
  const address = email?.trim()
  return {
    ...wish,
    ...(wish.nick !== undefined && { nick: cleanName(wish.nick) }),
    ...(wish.about !== undefined && { about: wish.about.normalize('NFC') }),
    ...(address !== undefined && address !== row.email && { email: address }),
  }
}

function judge(app: App, viewer: Member, wish: Wish): void {
  if (wish.gender !== undefined && roleOfGender(wish.gender) !== viewer.role)
    refuse('role_forbidden')
  if (wish.usdt_wallet !== undefined)
    refuseField('usdt_wallet', 'Payout addresses are taken with withdrawals')
  if (wish.quiet_hours && !isZone(wish.quiet_hours.zone))
    refuseField('quiet_hours.zone', 'No such time zone')
  const refusal =
    (wish.nick === undefined ? undefined : judgeName(wish.nick, 'changing')) ??
    (wish.about !== undefined && lengthOf(wish.about) > limits.about_characters
      ? 'about_long'
      : undefined) ??
    (wish.birthday === undefined ? undefined : judgeBirthday(wish.birthday, app.clock.now())) ??
    (wish.email === undefined ? undefined : judgeEmail(wish.email)) ??
    (wish.password === undefined ? undefined : judgePassword(wish.password, wish.repeat_password))
  if (refusal) refuse(refusal)
  if (wish.nick !== undefined) refuseContactInName(app, wish.nick)
}

function refuseField(path: string, message: string): never {
  refuse('invalid', { fields: [{ path, message }] })
}

/** What is changed only by whoever knows the password; undefined when nothing of it is wished. */
async function secretChange(
  app: App,
  row: UserRow,
  wish: Wish,
  context: RequestContext,
): Promise<Change | undefined> {
  const { password, email, current_password } = wish
  if (password === undefined && email === undefined) return undefined
  await refuseTooMany(app, `password ${row.id}`, '20/min')
  if (
    current_password === undefined ||
    !(await verifyPassword(current_password, row.password_hash))
  )
    refuse('password_required')
  if (email !== undefined) {
    // Every try counts, also one that succeeds: an address that is free says something too.
    await refuseTooMany(app, `email ${row.id}`, '5/day')
    await refuseUsedEmail(
      app,
      email,
      { address: context.address, fingerprint: row.fingerprint },
      row.id,
    )
  }
  return {
    ...(password !== undefined && { password_hash: await hashPassword(password) }),
    ...(email !== undefined && { email, email_confirmed_at: null }),
  }
}

/** Fields that are kept as they came. */
const plain = [
  'phone',
  'show_country',
  'noty_email',
  'noty_push',
  'noty_premium_guest',
  'noty_wanted_girl',
  'safe_video',
  'auto_accept',
  'available',
  'hide_countries',
  'premium_calls_only',
  'theme',
  'default_pay_system',
] as const

function plainFields(wish: Wish): Change {
  return Object.fromEntries(
    plain.filter((field) => wish[field] !== undefined).map((field) => [field, wish[field]]),
  )
}

function judgedFields(app: App, wish: Wish): Change {
  return {
    ...(wish.nick !== undefined && { nick: wish.nick }),
    ...(wish.about !== undefined && { about: masked(app, wish.about) }),
    ...(wish.birthday !== undefined && { birthday: parseDay(wish.birthday)! }),
    ...(wish.quiet_hours !== undefined && {
      quiet_hours: wish.quiet_hours && JSON.stringify(wish.quiet_hours),
    }),
  }
}

/** Stars may be longer than what they hide. */
function masked(app: App, about: string): string {
  const { text } = maskText(about, { words: setting(app, 'competitor_words') })
  return [...text].slice(0, limits.about_characters).join('')
}
