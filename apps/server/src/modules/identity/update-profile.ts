import type { Ack, Input } from '@duet/protocol'
import { limits } from '@duet/protocol'
import type { Updateable } from 'kysely'
import { refuse } from '../../lib/refusal.ts'
import { maskText } from '../../lib/text-mask.ts'
import type { App, Call, Guest, Member } from '../../context.ts'
import type { Tables } from '../../platform/db/tables.gen.ts'
import { setting } from '../settings/index.ts'
import { takeOrWait } from './pace.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { loginById, userById } from './queries.ts'
import { guestProfile, refuseContactInName, refuseUsedEmail } from './register.ts'
import { judgeBirthday, judgeEmail, judgeName, judgePassword, lengthOf, parseDay } from './rules.ts'
import { changeUser, endLogins, rotateLogin } from './store.ts'
import { ownUser } from './views.ts'

type Wish = Input<'UPDATE_PROFILE'>

/** The one way to change an own record; of a guest it may make a member. */
export function updateProfile(
  app: App,
  viewer: Guest | Member,
  wish: Wish,
  call: Call,
): Promise<Ack<'UPDATE_PROFILE'>> {
  return viewer.kind === 'guest' ? guestProfile(app, viewer, wish, call) : memberProfile(app, viewer, wish, call)
}

export async function memberProfile(app: App, viewer: Member, wish: Wish, call: Call): Promise<Ack<'UPDATE_PROFILE'>> {
  await judge(app, viewer, wish, call)
  const password_hash = wish.password === undefined ? undefined : await hashPassword(wish.password)
  const change: Updateable<Tables['users']> = {
    ...plainFields(wish),
    ...judgedFields(app, wish),
    ...(password_hash && { password_hash }),
  }
  if (wish.email !== undefined) Object.assign(change, { email: wish.email.trim(), email_confirmed_at: null })
  const rotates = password_hash !== undefined || wish.email !== undefined
  return app.transact(async (tx) => {
    if (Object.keys(change).length > 0) await changeUser(tx, viewer.id, change)
    let token: string | undefined
    let login = await loginById(tx, viewer.login_id)
    if (rotates) {
      const rotated = (await rotateLogin(tx, viewer.login_id)) ?? refuse('session_invalid')
      ;({ login, token } = rotated)
      await endLogins(tx, viewer.id, { except: viewer.login_id })
      tx.after(() => app.realtime.endLogin({ user_id: viewer.id, except_login_id: viewer.login_id }))
    }
    if (!login) refuse('session_invalid')
    await tx.fact('user_changed', { user_id: viewer.id })
    const user = await ownUser(app, tx, { user_id: viewer.id, login_id: login.id, generation: login.generation })
    await tx.tell(viewer.id, 'update_profile_success', { register: false, user })
    return { user, ...(token && { token }) }
  })
}

async function judge(app: App, viewer: Member, wish: Wish, call: Call): Promise<void> {
  if (wish.gender !== undefined) refuse('role_forbidden')
  if (wish.usdt_wallet !== undefined) {
    refuse('invalid', { fields: [{ path: 'usdt_wallet', message: 'Payout addresses are taken with withdrawals' }] })
  }
  const refusal =
    (wish.nick === undefined ? undefined : judgeName(wish.nick, 'changing')) ??
    (wish.about !== undefined && lengthOf(wish.about) > limits.about_characters ? 'about_long' : undefined) ??
    (wish.birthday === undefined ? undefined : judgeBirthday(wish.birthday, app.clock.now())) ??
    (wish.email === undefined ? undefined : judgeEmail(wish.email.trim())) ??
    (wish.password === undefined ? undefined : judgePassword(wish.password, wish.repeat_password))
  if (refusal) refuse(refusal)
  if (wish.nick !== undefined) refuseContactInName(app, wish.nick)
  if (wish.password === undefined && wish.email === undefined) return
  const row = await userById(app.db, viewer.id)
  takeOrWait(app, `password ${viewer.id}`, '20/min')
  if (wish.current_password === undefined || !(await verifyPassword(wish.current_password, row?.password_hash)))
    refuse('password_required')
  if (wish.email !== undefined) await refuseUsedEmail(app, wish.email, call.address, viewer.id)
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

function plainFields(wish: Wish): Updateable<Tables['users']> {
  return Object.fromEntries(plain.filter((field) => wish[field] !== undefined).map((field) => [field, wish[field]]))
}

function judgedFields(app: App, wish: Wish): Updateable<Tables['users']> {
  return {
    ...(wish.nick !== undefined && { nick: wish.nick.trim() }),
    ...(wish.about !== undefined && { about: maskText(wish.about, { words: setting(app, 'competitor_words') }).text }),
    ...(wish.birthday !== undefined && { birthday: parseDay(wish.birthday)! }),
    ...(wish.quiet_hours !== undefined && { quiet_hours: wish.quiet_hours && JSON.stringify(wish.quiet_hours) }),
  }
}
