import { createHmac } from 'node:crypto'
import { getDirection, isLocale } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { PushOutcome } from '../../integrations/push/push.ts'
import { keyFor } from '../../lib/derived-key.ts'
import { plainLine } from '../../lib/texts/plain-line.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { type SubscribedBrowser, subscriptionById } from './push-queries.ts'
import { recordReached, recordUnreachable, removeGone } from './push-store.ts'

/** A lock screen shows little more. */
const BODY_CHARACTERS_MAX = 160

/** RFC 8030 permits 32 characters of base64url. */
const TOPIC_CHARACTERS = 32

/** A push service, or the way to it, may be away for a while; a name that does not exist stays away. */
const UNREACHABLE_HOURS = 24
/** An operator who lost the keys of push messages may have a copy. Afterwards a browser describes itself again. */
const FORBIDDEN_HOURS = 72

export interface PushText {
  /** A later message with the same tag replaces this message. */
  readonly tag: string
  readonly ttl_seconds: number
  readonly body: string
  readonly url: `/${string}`
  /**
   * A call rings: the message wakes the device at once, and stays until the user answers it. `over`: this
   * message replaces that message in silence. `missed`: that message is closed.
   */
  readonly ring?: 'ringing' | 'over' | 'missed'
}

/**
 * Sends a push message to a browser. It is not sent if the user is no longer logged in there or has
 * switched push off. `textFor` decides at this moment whether the message is still useful.
 */
export async function sendPush(
  app: App,
  subscriptionId: number,
  textFor: (user: UserRow) => Promise<PushText | undefined>,
): Promise<void> {
  const target = await subscriptionById(app.db, subscriptionId)
  const user = target && (await userById(app.db, target.user_id))
  if (!target || !user?.noty_push || user.erased_at) return
  const text = await textFor(user)
  if (!text) return
  const { tag, ttl_seconds, body, url, ring } = text
  const outcome = await app.push.send(target, {
    topic: toTopic(app, target.user_id, tag),
    ttl_seconds,
    ...(ring && { urgency: 'high' }),
    payload: JSON.stringify({
      title: 'Duet',
      body: plainLine(body, BODY_CHARACTERS_MAX),
      url,
      tag,
      ...(ring && { ring }),
      lang: user.locale,
      dir: isLocale(user.locale) ? getDirection(user.locale) : 'ltr',
    }),
  })
  await followOutcome(app, { id: subscriptionId, ...target }, outcome)
}

/** Records the outcome of a push. Throws if the message is to be sent again. */
async function followOutcome(
  app: App,
  { id, endpoint, unreachable_since }: SubscribedBrowser & { readonly id: number },
  outcome: PushOutcome,
): Promise<void> {
  const recordFailure = (hoursMax: number) =>
    app.transact((tx) => recordUnreachable(tx, id, { endpoint, hoursMax }))
  if (outcome === 'gone') await app.transact((tx) => removeGone(tx, id, endpoint))
  if (outcome === 'sent' && unreachable_since) await app.transact((tx) => recordReached(tx, id))
  if (outcome === 'forbidden') await recordFailure(FORBIDDEN_HOURS)
  if (outcome === 'unreachable') {
    await recordFailure(UNREACHABLE_HOURS)
    throw new Error('Nothing answers at the address of the browser')
  }
  if (outcome === 'refused' || outcome === 'forbidden')
    app.log.error('a push service refused a message: check the keys of push messages')
}

/** The push service reads the topic, but not the payload: the topic must not tell who writes to the user. */
function toTopic(app: App, userId: UserId, tag: string): string {
  const hash = createHmac('sha256', keyFor(app.config, 'push topic')).update(`${userId} ${tag}`)
  return hash.digest('base64url').slice(0, TOPIC_CHARACTERS)
}
