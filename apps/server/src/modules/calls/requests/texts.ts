import { otherRole } from '@duet/protocol/kernel/roles.ts'
import type { Ack, Input } from '@duet/protocol'
import { maskNeighbours } from '../../../lib/text-mask.ts'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Member } from '../../../core/viewer.ts'
import { setting } from '../../settings/index.ts'
import { getParty } from '../call-registry.ts'
import { getUserId } from '../rules/call.ts'
import { recentTextsBy } from '../queries.ts'
import { insertText } from '../store.ts'

/**
 * Sends a text to the other party. It is masked before it is stored, together with the user's recent texts.
 * A repeated id returns the first answer.
 */
export async function textChatMessage(
  app: App,
  viewer: Member,
  { session_id, id, text: written }: Input<'TEXT_CHAT_MESSAGE'>,
): Promise<Ack<'TEXT_CHAT_MESSAGE'>> {
  const { call, side } = getParty(app, viewer.id, session_id)
  const normalized = written.normalize('NFC')
  const charactersMax = setting(app, 'message_chars')
  if ([...normalized].length > charactersMax)
    refuse('invalid', {
      fields: [{ path: 'text', message: `At most ${charactersMax} characters` }],
    })
  const words = setting(app, 'competitor_words')
  return app.transact(async (tx) => {
    const recent = await recentTextsBy(tx, { session_id, sender_id: viewer.id })
    const { text, masked } = maskNeighbours(recent, normalized, { words })
    const original = masked ? written : null
    const message = { session_id, sender_id: viewer.id, id, text, original }
    const { stored, is_new: isNew } = await insertText(tx, message)
    if (isNew) {
      const event = { session_id, sender_id: viewer.id, ...stored }
      await tx.notify(viewer.id, 'text_chat_message', event)
      await tx.notify(getUserId(call, otherRole(side)), 'text_chat_message', event)
    }
    return { id, text_id: stored.text_id, text: stored.text }
  })
}

/** Shows the other party that the viewer is typing; nothing is stored. */
export async function sessionTyping(
  app: App,
  viewer: Member,
  { session_id }: Input<'SESSION_TYPING'>,
): Promise<Ack<'SESSION_TYPING'>> {
  const { call, side } = getParty(app, viewer.id, session_id)
  const event = { session_id, user_id: viewer.id }
  app.emit(getUserId(call, otherRole(side)), 'session_typing', event)
  return {}
}
