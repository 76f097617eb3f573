import { directionOf, isLocale } from '@duet/protocol/kernel/locales.ts'
import { noticePage } from '@duet/protocol/kernel/notice-pages.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { msBetween } from '../../lib/clock.ts'
import { plainLine } from '../../lib/plain-line.ts'
import { userById } from '../identity/index.ts'
import type { NoticeFacts } from './add-notice.ts'
import { channelsOf, type SentNoticeKind } from './kinds.ts'
import { noticeById, subscriptionById } from './push-queries.ts'
import { recordReached, recordUnreachable, removeGone } from './push-store.ts'
import { sentenceOf } from './sentence.ts'

interface PushDelivery {
  readonly notice_id: number
  readonly subscription_id: number
}

/** The kind of push messages in the outbox. */
export const PUSH = 'push'
/** A lock screen shows little more. */
const BODY_CHARACTERS_MAX = 160
/** A push service, or the way to it, may be away for a while; a name that does not exist stays away. */
const UNREACHABLE_HOURS = 24
const HOUR_MS = 3_600_000

/** Writes the push messages of these notices, one for each browser of each user who wants them. */
export async function enqueuePushes(
  tx: Tx,
  kind: SentNoticeKind,
  written: readonly { readonly id: number; readonly user_id: UserId }[],
): Promise<void> {
  if (!channelsOf(kind)?.push || written.length === 0) return
  const subscriptions = await tx
    .selectFrom('push_subscriptions')
    .innerJoin('users', 'users.id', 'push_subscriptions.user_id')
    .innerJoin('logins', 'logins.id', 'push_subscriptions.login_id')
    .select(['push_subscriptions.id', 'push_subscriptions.user_id'])
    .where(
      'push_subscriptions.user_id',
      'in',
      written.map(({ user_id }) => user_id),
    )
    .where('users.noty_push', '=', true)
    .where('logins.ended_at', 'is', null)
    .execute()
  for (const { id: subscription_id, user_id } of subscriptions) {
    const { id } = written.find((one) => one.user_id === user_id)!
    const delivery: PushDelivery = { notice_id: id, subscription_id }
    await tx.enqueue(PUSH, delivery, `${id}:${subscription_id}`)
  }
}

/** Sends one push message, if it is still of use. */
export async function deliverPush(app: App, delivery: PushDelivery): Promise<void> {
  const target = await subscriptionById(app.db, delivery.subscription_id)
  const message = target && (await messageFor(app, target.user_id, delivery.notice_id))
  if (!target || !message) return
  const outcome = await app.push.send(target, message)
  const { subscription_id } = delivery
  const { endpoint } = target
  if (outcome === 'gone') await app.transact((tx) => removeGone(tx, subscription_id, endpoint))
  if (outcome === 'sent' && target.unreachable_since)
    await app.transact((tx) => recordReached(tx, subscription_id))
  if (outcome === 'unreachable') {
    await app.transact((tx) =>
      recordUnreachable(tx, subscription_id, { endpoint, hoursMax: UNREACHABLE_HOURS }),
    )
    throw new Error('Nothing answers at the address of the browser')
  }
  if (outcome === 'refused')
    app.log.error('a push service refused a message: check the keys of push messages')
}

/** The message of a notice; undefined when it is read, too late or switched off, or the other user is hidden by now. */
async function messageFor(app: App, user_id: UserId, noticeId: number) {
  const notice = await noticeById(app.db, user_id, noticeId)
  const user = await userById(app.db, user_id)
  if (!notice || notice.read_at !== null || !user?.noty_push || user.erased_at) return undefined
  const kind = notice.kind as SentNoticeKind
  const restMs = restOfUseMs(kind, notice.at, app.clock.now())
  const about = await shownAbout(app, user_id, notice.about_id)
  if (restMs <= 0 || (notice.about_id !== null && !about)) return undefined
  const facts = notice.facts as NoticeFacts
  const tag = notice.about_id === null ? `notice-${noticeId}` : `about-${notice.about_id}`
  return {
    topic: tag,
    ttl_seconds: Math.ceil(restMs / 1000),
    payload: JSON.stringify({
      title: 'Duet',
      body: plainLine(
        sentenceOf(user.locale, kind, facts, about?.nick ?? undefined),
        BODY_CHARACTERS_MAX,
      ),
      url: noticePage(kind, about?.ref_code ?? null),
      tag,
      lang: user.locale,
      dir: isLocale(user.locale) ? directionOf(user.locale) : 'ltr',
    }),
  }
}

/** How long the message is still of use; not positive when it is too late. */
function restOfUseMs(kind: string, at: Temporal.Instant, now: Temporal.Instant): number {
  return (channelsOf(kind)?.useful_hours ?? 0) * HOUR_MS - msBetween(at, now)
}

/** The other user of a notice, unless they are gone or hide from its reader by now. */
async function shownAbout(app: App, id: UserId, about_id: UserId | null) {
  if (about_id === null) return undefined
  const about = await userById(app.db, about_id)
  if (!about || about.erased_at) return undefined
  return (await app.hooks.hiddenUsers(app.db, { id }, [about_id])).has(about_id) ? undefined : about
}
