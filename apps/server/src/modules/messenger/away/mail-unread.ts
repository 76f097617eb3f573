import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { interlocutors, userById } from '../../identity/index.ts'
import { enqueueMail } from '../../mail/index.ts'
import { messageSentence } from '../../notices/index.ts'
import { unreadDialogs } from './away-queries.ts'
import * as store from './away-store.ts'

/** A message waits this long for its reader before it is mailed about. */
export const UNREAD_HOURS = 2
/** A user gets one mail about messages in this time. */
export const MAIL_EVERY_HOURS = 20
const USERS_PER_TRANSACTION = 50
const DIALOGS_MAX = 50
const LINES_MAX = 5

/** Mails offline users that they have unread messages: a single mail about all messages, without their texts. */
export async function mailUnread(app: App): Promise<void> {
  while ((await app.transact(mailSome)) === USERS_PER_TRANSACTION);
}

async function mailSome(tx: Tx): Promise<number> {
  const due = await store.claimDue(tx, USERS_PER_TRANSACTION)
  for (const user_id of due) await mailUser(tx, user_id)
  return due.length
}

async function mailUser(tx: Tx, user_id: UserId): Promise<void> {
  const user = await userById(tx, user_id)
  if (!user?.email || !user.email_confirmed_at || !user.noty_email || user.erased_at) return
  if (await tx.app.realtime.isConnected(user_id)) return
  const dialogs = await unreadDialogs(tx, user_id, DIALOGS_MAX)
  const ids = dialogs.map(({ interlocutor_id }) => interlocutor_id)
  const hidden = await tx.app.hooks.hiddenUsers(tx, { id: user_id }, ids)
  const shown = ids.filter((id) => !hidden.has(id))
  const people = await interlocutors(tx.app, tx, user_id, shown)
  if (people.length === 0) return
  await store.setMailed(tx, user_id)
  await enqueueMail(tx, {
    to: user.email,
    locale: user.locale,
    template: 'digest',
    unsubscribe: user_id,
    values: {
      nick: user.nick ?? '',
      count: people.length,
      link: '/messenger/',
      lines: people
        .slice(0, LINES_MAX)
        .map(({ nick }) => messageSentence(user.locale, nick, 'text')),
    },
    key: `messages:${user_id}:${wireTime(tx.now)}`,
  })
}
