import { UserSettings } from '@duet/protocol'
import type { Ack, Answer, Body, Input } from '@duet/protocol'
import type { App, Call, Guest, Member, Reader, Tx, UserId } from '../../context.ts'
import { lineOf } from './line.ts'
import { loginById, userById } from './queries.ts'
import { changeUser, endLogins, ensureGuestRow } from './store.ts'
import { derivedToken, type LoginKey } from './tokens.ts'
import { ownUser } from './views.ts'

/** The version of the terms that a confirmation names; it rises when their text changes. */
export const terms_version = '2026-11'

export async function keyOf(tx: Tx | App['db'], viewer: Guest | Member): Promise<LoginKey> {
  if (viewer.kind === 'guest') return { user_id: viewer.id, login_id: null, generation: 1 }
  const login = await loginById(tx, viewer.login_id)
  return { user_id: viewer.id, login_id: viewer.login_id, generation: login?.generation ?? 0 }
}

export async function confirmAge(
  app: App,
  viewer: Guest | Member,
  _: Body<'POST age/confirm'>,
  call: Call,
): Promise<Answer<'POST age/confirm'>> {
  await app.transact(async (tx) => {
    if (viewer.kind === 'guest') await ensureGuestRow(tx, viewer.id, viewer.locale, lineOf(call.connection).fingerprint)
    await changeUser(tx, viewer.id, { age_confirmed_at: tx.now, terms_version })
    await tx.tell(viewer.id, 'user_info', { user: await ownUser(app, tx, await keyOf(tx, viewer)) })
  })
  return {}
}

/** A guest without a row keeps nothing: the page sends its language with every AUTH. */
export async function changeLocale(
  app: App,
  viewer: Guest | Member,
  { locale }: Input<'CHANGE_LOCALE'>,
): Promise<Ack<'CHANGE_LOCALE'>> {
  if (viewer.kind === 'member' || viewer.has_row) await app.transact((tx) => changeUser(tx, viewer.id, { locale }))
  return {}
}

export async function setFingerprint(
  app: App,
  viewer: Guest | Member,
  { fingerprint }: Input<'D_INFO'>,
  call: Call,
): Promise<Ack<'D_INFO'>> {
  if (viewer.kind === 'member' || viewer.has_row) await app.transact((tx) => changeUser(tx, viewer.id, { fingerprint }))
  else lineOf(call.connection).fingerprint = fingerprint
  return {}
}

/** Ends this login, or all of the user's; the tokens are dead when the answer leaves. */
export async function logout(
  app: App,
  viewer: Guest | Member,
  { everywhere }: Input<'LOGOUT'>,
  call: Call,
): Promise<Ack<'LOGOUT'>> {
  const { connection } = call
  await app.transact(async (tx) => {
    if (viewer.kind === 'member') {
      await endLogins(tx, viewer.id, everywhere ? 'all' : { only: viewer.login_id })
      await tx.fact('logged_out', { user_id: viewer.id })
    }
    tx.after(async () => {
      if (connection) await app.realtime.detach(connection)
      if (viewer.kind === 'member')
        await app.realtime.endLogin({ user_id: viewer.id, ...(!everywhere && { login_id: viewer.login_id }) })
    })
  })
  return {}
}

export async function userSettings(app: App, viewer: Guest | Member): Promise<Answer<'GET user/settings'>> {
  return UserSettings.parse(await ownUser(app, app.db, await keyOf(app.db, viewer), viewer.locale))
}

export async function profile(app: App, viewer: Member): Promise<Answer<'GET profile'>> {
  return { user: await ownUser(app, app.db, await keyOf(app.db, viewer)), photos: [], videos: [] }
}

/** Tells somebody that his record changed elsewhere. */
export async function tellUserInfo(tx: Tx, user_id: number): Promise<void> {
  const row = await userById(tx, user_id)
  if (!row) return
  const login_id = tx.app.realtime.line(user_id)?.login_id ?? null
  const login = login_id === null ? undefined : await loginById(tx, login_id)
  await tx.tell(user_id, 'user_info', {
    user: await ownUser(tx.app, tx, { user_id, login_id, generation: login?.generation ?? 0 }),
  })
}

/** The token by which this user's page opens `/signal`: of the login that is live, or of a guest. */
export async function ortcTokenOf(app: App, reader: Reader, user_id: UserId): Promise<string> {
  const login_id = app.realtime.line(user_id)?.login_id ?? null
  const login = login_id === null ? undefined : await loginById(reader, login_id)
  return derivedToken(app, 'ortc', { user_id, login_id, generation: login?.generation ?? 1 })
}
