import { createSerialQueue } from '@duet/state-machine/serial-queue.ts'
import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import { maskNeighbours } from '../../../lib/text-mask.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { RateLimit } from '../../../lib/rate-limit.ts'
import { userText } from '../../../lib/texts/user-text.ts'
import type { App, AppContext, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { setting } from '../../settings/index.ts'
import { endQuiet, getParty } from '../call-registry.ts'
import { getUserId } from '../rules/call.ts'
import { recentTextsBy } from '../queries.ts'
import { insertText } from '../store.ts'

/** Signs of typing that one user may send to another; further signs are dropped. Pages send one in two seconds. */
export const TYPING_LIMIT: RateLimit = { burst: 2, per_second: 0.5 }
const SIGNING_USERS_MAX = 50_000

/** The two halves of a contact that are sent at once are masked as if the second half came later. */
const waitingTexts = perApp(
  'calls: waiting texts',
  'texts that wait for an earlier text of their sender; the page sends a text without an answer again',
  () => createSerialQueue<UserId>(),
)

/**
 * Sends a text to the other party. It is masked before it is stored, together with the user's recent texts.
 * A repeated id returns the first answer.
 */
export async function textChatMessage(
  app: App,
  viewer: Member,
  { session_id, id, text: written }: Input<'TEXT_CHAT_MESSAGE'>,
): Promise<Ack<'TEXT_CHAT_MESSAGE'>> {
  const party = getParty(app, viewer.id, session_id)
  const { call, side } = party
  endQuiet(app, party)
  const charactersMax = setting(app, 'message_chars')
  if ([...written.normalize('NFC')].length > charactersMax)
    refuse('invalid', {
      fields: [{ path: 'text', message: `At most ${charactersMax} characters` }],
    })
  const shown = userText(written)
  if (shown === undefined)
    refuse('invalid', { fields: [{ path: 'text', message: 'A message has a text' }] })
  const words = setting(app, 'competitor_words')
  const store = async (tx: Tx) => {
    const recent = await recentTextsBy(tx, { session_id, sender_id: viewer.id })
    const { text, masked } = maskNeighbours(recent, shown, { words })
    const original = masked ? written : null
    const message = { session_id, sender_id: viewer.id, id, text, original }
    const { stored, is_new: isNew } = await insertText(tx, message)
    if (isNew) {
      const event = { session_id, sender_id: viewer.id, ...stored }
      await tx.notify(viewer.id, 'text_chat_message', event)
      await tx.notify(getUserId(call, otherRole(side)), 'text_chat_message', event)
    }
    return { id, text_id: stored.text_id, text: stored.text }
  }
  return waitingTexts(app).runExclusive(viewer.id, () => app.transact(store))
}

const signs = perApp(
  'calls: signs of typing',
  'how many signs a user sent just now; a new process permits two more',
  (app: AppContext) => app.createRateLimiter(SIGNING_USERS_MAX),
)

/** Shows the other party that the viewer is typing; nothing is stored. */
export async function sessionTyping(
  app: App,
  viewer: Member,
  { session_id }: Input<'SESSION_TYPING'>,
): Promise<Ack<'SESSION_TYPING'>> {
  const party = getParty(app, viewer.id, session_id)
  const { call, side } = party
  endQuiet(app, party)
  const key = `${session_id} ${viewer.id}`
  const waitMs = await signs(app).take(key, TYPING_LIMIT, app.clock.now().epochMilliseconds)
  if (waitMs > 0) return {}
  const event = { session_id, user_id: viewer.id }
  app.emit(getUserId(call, otherRole(side)), 'session_typing', event)
  return {}
}
