import { UserSettings } from '@duet/protocol'
import type { Ack, Answer, Body, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Tx } from '../../core/tx.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { connectionAttributes } from './connection-attributes.ts'
import { tokenSubjectOf, tokenSubjectOfSocket } from './token-subject.ts'
import { userById } from './queries.ts'
import { changeUser, endGuest, endLogins, ensureGuestRow } from './store.ts'
import { ownUser } from './views.ts'

/** The version of the terms that a confirmation names; it rises when their text changes. */
export const terms_version = '2026-11'

/** The first confirmation of a version stands: repeating it changes nothing of what was recorded. */
export async function confirmAge(
  app: App,
  viewer: Guest | Member,
  _: Body<'POST age/confirm'>,
  context: RequestContext,
): Promise<Answer<'POST age/confirm'>> {
  await app.transact(async (tx) => {
    if (viewer.kind === 'guest')
      await ensureGuestRow(tx, viewer, connectionAttributes(context.connection).fingerprint)
    const row = await userById(tx, viewer.id)
    if (row?.age_confirmed_at && row.terms_version === terms_version) return
    await changeUser(tx, viewer.id, { age_confirmed_at: tx.now, terms_version })
    await tx.publish('member_updated', { user_id: viewer.id })
    await notifyUserInfo(tx, viewer.id)
  })
  return {}
}

/** A guest without a row keeps nothing: the page sends its language with every AUTH. */
export async function changeLocale(
  app: App,
  viewer: Guest | Member,
  { locale }: Input<'CHANGE_LOCALE'>,
): Promise<Ack<'CHANGE_LOCALE'>> {
  if (hasRow(viewer)) {
    await app.transact(async (tx) => {
      await changeUser(tx, viewer.id, { locale })
      await tx.publish('member_updated', { user_id: viewer.id })
    })
  }
  return {}
}

export async function setFingerprint(
  app: App,
  viewer: Guest | Member,
  { fingerprint }: Input<'D_INFO'>,
  context: RequestContext,
): Promise<Ack<'D_INFO'>> {
  connectionAttributes(context.connection).fingerprint = fingerprint
  if (hasRow(viewer)) await app.transact((tx) => changeUser(tx, viewer.id, { fingerprint }))
  return {}
}

function hasRow(viewer: Guest | Member): boolean {
  return viewer.kind === 'member' || viewer.has_row
}

/** Ends this login, or all of the user's; the tokens are dead when the answer leaves. */
export async function logout(
  app: App,
  viewer: Guest | Member,
  { everywhere }: Input<'LOGOUT'>,
  { connection }: RequestContext,
): Promise<Ack<'LOGOUT'>> {
  await app.transact(async (tx) => {
    if (viewer.kind === 'guest') await endGuest(tx, viewer.id)
    else await endLogins(tx, viewer.id, everywhere ? 'all' : { only: viewer.login_id })
    await tx.publish('logged_out', { user_id: viewer.id })
    tx.afterCommit(async () => {
      if (connection) await app.realtime.detach(connection)
      if (everywhere) await app.realtime.endLogin({ user_id: viewer.id })
    })
  })
  return {}
}

export async function userSettings(
  app: App,
  viewer: Guest | Member,
): Promise<Answer<'GET user/settings'>> {
  return UserSettings.parse(
    await ownUser(app, app.db, await tokenSubjectOf(app, app.db, viewer), viewer.locale),
  )
}

export async function profile(app: App, viewer: Member): Promise<Answer<'GET profile'>> {
  return {
    user: await ownUser(app, app.db, await tokenSubjectOf(app, app.db, viewer)),
    photos: [],
    videos: [],
  }
}

/** Tells somebody's live page that his record changed elsewhere. */
export async function notifyUserInfo(tx: Tx, user_id: number): Promise<void> {
  await tx.notify(user_id, 'user_info', {
    user: await ownUser(tx.app, tx, await tokenSubjectOfSocket(tx.app, tx, user_id)),
  })
}
