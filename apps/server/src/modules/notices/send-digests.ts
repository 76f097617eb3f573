import type { App, Tx } from '../../core/app.ts'
import { productDay, wireTime } from '../../lib/clock.ts'
import { enqueueMail } from '../mail/index.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { CHANNELS, type NoticeFacts, type SentNoticeKind } from './kinds.ts'
import { type DigestNotices, digestsDue, noticesByIds } from './queries.ts'
import { toSentence } from './sentence.ts'
import * as store from './store.ts'

/** A notice waits this long for its reader before it is mailed. */
const UNREAD_HOURS = 2
/** A user gets one digest in this time. */
const DIGEST_EVERY_HOURS = 20
const USERS_PER_TRANSACTION = 50
const LINES_MAX = 5

const DIGEST_KINDS = Object.entries(CHANNELS).flatMap(([kind, { mail }]) =>
  mail === 'digest' ? [kind] : [],
)

/** Mails what users have not read: one mail a day with all of it, to those who are away and want mails. */
export async function sendDigests(app: App): Promise<void> {
  while ((await app.transact(sendSome)) === USERS_PER_TRANSACTION);
}

async function sendSome(tx: Tx): Promise<number> {
  const due = await digestsDue(tx, {
    kinds: DIGEST_KINDS,
    before: tx.now.subtract({ hours: UNREAD_HOURS }),
    since: tx.now.subtract({ hours: DIGEST_EVERY_HOURS }),
    limit: USERS_PER_TRANSACTION,
  })
  for (const one of due) {
    const user = await userById(tx, one.user_id)
    if (user && (await wantsDigest(tx, user))) await mailDigest(tx, user, one)
    // An online user sees the bell. A user who wants no mails gets no later mail either.
    await store.settleDigest(tx, one.ids)
  }
  return due.length
}

async function wantsDigest(tx: Tx, user: UserRow): Promise<boolean> {
  const { email, email_confirmed_at, noty_email, erased_at } = user
  if (!email || !email_confirmed_at || !noty_email || erased_at) return false
  return !(await tx.app.realtime.isConnected(user.id))
}

async function mailDigest(tx: Tx, user: UserRow, { ids }: DigestNotices): Promise<void> {
  const notices = await noticesByIds(tx.app, tx, user.id, ids.slice(-LINES_MAX))
  const lines = notices.map(({ kind, facts, user: about }) =>
    toSentence(user.locale, kind as SentNoticeKind, facts as NoticeFacts, about?.nick),
  )
  await enqueueMail(tx, {
    to: user.email!,
    locale: user.locale,
    template: 'digest',
    values: { nick: user.nick ?? '', count: ids.length, lines, link: '/' },
    key: `digest:${user.id}:${productDay(tx.now).toString()}:${wireTime(tx.now)}`,
    unsubscribe: user.id,
  })
}
