import { noticePage } from '@duet/protocol/kernel/notice-pages.ts'
import type { App, Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { msBetween } from '../../lib/clock.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { findChannels, type NoticeFacts, type SentNoticeKind } from './kinds.ts'
import { readBrowsers, noticeById } from './push-queries.ts'
import { type PushText, sendPush } from './send-push.ts'
import { toSentence } from './sentence.ts'

interface PushDelivery {
  readonly notice_id: number
  readonly subscription_id: number
}

/** The kind of push messages in the outbox. */
export const PUSH = 'push'
const HOUR_MS = 3_600_000

/** Writes the push messages of these notices, one for each browser of each user who wants them. */
export async function enqueuePushes(
  tx: Tx,
  kind: SentNoticeKind,
  written: readonly { readonly id: number; readonly user_id: UserId }[],
): Promise<void> {
  if (!findChannels(kind)?.push || written.length === 0) return
  const browsers = await readBrowsers(
    tx,
    written.map(({ user_id }) => user_id),
  )
  for (const { id: subscription_id, user_id } of browsers) {
    const { id } = written.find((one) => one.user_id === user_id)!
    const delivery: PushDelivery = { notice_id: id, subscription_id }
    await tx.enqueue(PUSH, delivery, `${id}:${subscription_id}`)
  }
}

/** Sends one push message, if it is still of use. */
export function deliverPush(app: App, { subscription_id, notice_id }: PushDelivery): Promise<void> {
  return sendPush(app, subscription_id, (user) => messageFor(app, user, notice_id))
}

/** The message of a notice; undefined when it is read or too late, or the other user is hidden by now. */
async function messageFor(
  app: App,
  user: UserRow,
  noticeId: number,
): Promise<PushText | undefined> {
  const notice = await noticeById(app.db, user.id, noticeId)
  if (!notice || notice.read_at !== null) return undefined
  const kind = notice.kind as SentNoticeKind
  const restMs = restOfUseMs(kind, notice.at, app.clock.now())
  const about = await shownAbout(app, user.id, notice.about_id)
  if (restMs <= 0 || (notice.about_id !== null && !about)) return undefined
  const facts = notice.facts as NoticeFacts
  return {
    tag: notice.about_id === null ? `notice-${noticeId}` : `about-${notice.about_id}`,
    ttl_seconds: Math.ceil(restMs / 1000),
    body: toSentence(user.locale, kind, facts, about?.nick ?? undefined),
    url: noticePage(kind, about?.ref_code ?? null),
  }
}

/** How long the message is still of use; not positive when it is too late. */
function restOfUseMs(kind: string, at: Temporal.Instant, now: Temporal.Instant): number {
  return (findChannels(kind)?.useful_hours ?? 0) * HOUR_MS - msBetween(at, now)
}

/** The other user of a notice, unless they are gone or hide from its reader by now. */
async function shownAbout(app: App, id: UserId, about_id: UserId | null) {
  if (about_id === null) return undefined
  const about = await userById(app.db, about_id)
  if (!about || about.erased_at) return undefined
  return (await app.hooks.hiddenUsers(app.db, { id }, [about_id])).has(about_id) ? undefined : about
}
