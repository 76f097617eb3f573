import { UserSettings } from '@duet/protocol'
import type { Answer, User } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import type { UserId } from '../../core/ids.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { readTokenSubject, tokenSubjectOfSocket } from './tokens/token-subject.ts'
import { userById } from './users/queries.ts'
import { changeUser } from './users/store.ts'
import { ownUser } from './views.ts'

export async function userSettings(
  app: App,
  viewer: Guest | Member,
): Promise<Answer<'GET user/settings'>> {
  const subject = await readTokenSubject(app, app.db, viewer)
  return UserSettings.parse(await ownUser(app, app.db, subject, viewer.locale))
}

/** The own record of a member, for the answer to a change. */
export async function ownRecord(app: App, viewer: Member, db: Db = app.db): Promise<User> {
  return ownUser(app, db, await readTokenSubject(app, db, viewer))
}

/** Sends the own record to the user's active connection after a change that did not come from it. */
export async function notifyUserInfo(tx: Tx, user_id: UserId): Promise<void> {
  const subject = await tokenSubjectOfSocket(tx.app, tx, user_id)
  await tx.notify(user_id, 'user_info', { user: await ownUser(tx.app, tx, subject) })
}

/** Ends mails about notices, as the switch of the profile does. */
export async function endNoticeMails(
  tx: Tx,
  { user_id }: DomainEvents['mail_unsubscribed'],
): Promise<void> {
  const user = await userById(tx, user_id)
  if (!user?.role || user.erased_at || !user.noty_email) return
  await changeUser(tx, user_id, { noty_email: false })
  await tx.publish('member_updated', { user_id })
  await notifyUserInfo(tx, user_id)
}
