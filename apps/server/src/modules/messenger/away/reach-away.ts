import type { App, Tx } from '../../../core/app.ts'
import { msBetween } from '../../../lib/clock.ts'
import { interlocutors, type UserRow } from '../../identity/index.ts'
import { readBrowsers, messageSentence, type PushText, sendPush } from '../../notices/index.ts'
import { messageById, readDialogView } from '../queries.ts'
import { reachableAmong, type Unread } from './away-queries.ts'
import * as store from './away-store.ts'
import { MAIL_EVERY_HOURS, UNREAD_HOURS } from './mail-unread.ts'

interface MessagePush {
  readonly dialog_id: number
  readonly message_id: number
  readonly subscription_id: number
}

/** The kind of push messages about dialogs in the outbox. */
export const MESSAGE_PUSH = 'message push'
const USEFUL_HOURS = 24

/**
 * Writes push messages for receivers without a connected page. A dialog gets a single push until its
 * receiver reads in the dialog. Marks the messages of all receivers for the mail about unread messages: a
 * connected receiver may leave without reading. The dialogs are locked.
 */
export async function reachAway(tx: Tx, unread: readonly Unread[]): Promise<void> {
  const connected = await Promise.all(
    unread.map(({ user_id }) => tx.app.realtime.isConnected(user_id)),
  )
  if (unread.length === 0) return
  const online = new Set(unread.filter((_, n) => connected[n]).map(({ user_id }) => user_id))
  const away = await reachableAmong(tx, unread)
  const pushed = away.filter(({ is_pushed, user_id }) => is_pushed && !online.has(user_id))
  const mailed = away.filter(({ is_mailed }) => is_mailed).map(({ user_id }) => user_id)
  if (pushed.length > 0) {
    await store.setPushed(tx, pushed)
    await enqueuePushes(tx, pushed)
  }
  if (mailed.length > 0)
    await store.awaitMails(tx, mailed, { waitHours: UNREAD_HOURS, everyHours: MAIL_EVERY_HOURS })
}

async function enqueuePushes(tx: Tx, unread: readonly Unread[]): Promise<void> {
  const browsers = await readBrowsers(
    tx,
    unread.map(({ user_id }) => user_id),
  )
  for (const { id: subscription_id, user_id } of browsers)
    for (const { dialog_id, message_id } of unread.filter((one) => one.user_id === user_id)) {
      const delivery: MessagePush = { dialog_id, message_id, subscription_id }
      await tx.enqueue(MESSAGE_PUSH, delivery, `${message_id}:${subscription_id}`)
    }
}

/** Sends one push message about a dialog. */
export function deliverMessagePush(app: App, delivery: MessagePush): Promise<void> {
  return sendPush(app, delivery.subscription_id, (user) => textFor(app, user, delivery))
}

/**
 * The line names only the sender: other people see a lock screen, and a text may vanish. Undefined if the
 * message was read or removed since, or the sender's account has ended.
 */
async function textFor(
  app: App,
  user: UserRow,
  { dialog_id, message_id }: MessagePush,
): Promise<PushText | undefined> {
  const message = await messageById(app.db, message_id)
  const view = await readDialogView(app.db, { dialog_id, user_id: user.id })
  if (!message || message.receiver_id !== user.id || !view) return undefined
  if (message.read_at !== null || message.removed_at !== null || message.id <= view.cleaned_to)
    return undefined
  const restMs = USEFUL_HOURS * 3_600_000 - msBetween(message.create_time, app.clock.now())
  if (restMs <= 0) return undefined
  const [sender] = await interlocutors(app, app.db, user.id, [message.sender_id])
  if (!sender || view.is_gone) return undefined
  // One of the two may have blocked the other since the message arrived.
  if ((await app.hooks.hiddenUsers(app.db, user, [sender.id])).has(sender.id)) return undefined
  const { nick } = sender
  return {
    tag: `dialog-${dialog_id}`,
    ttl_seconds: Math.ceil(restMs / 1000),
    body: messageSentence(user.locale, nick, message.type),
    url: `/messenger/${dialog_id}`,
  }
}
