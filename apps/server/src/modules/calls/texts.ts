import type { Ack, Input, SessionText } from '@duet/protocol'
import { limits } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import { maskText } from '../../lib/text-mask.ts'
import type { App } from '../../core/app.ts'
import type { Db, Tx } from '../../core/tx.ts'
import type { Member } from '../../core/viewer.ts'
import { setting } from '../settings/index.ts'
import { otherSide } from './call/call.ts'
import { idOf, liveCall, sideOf } from './live.ts'

/** Texts are stored in the partition of the month in which their call was opened. */
function openedAt(db: Db, session_id: number) {
  return db.selectFrom('video_sessions').select('opened_at').where('session_id', '=', session_id)
}

/** The last texts of a call, oldest first. */
export async function textsOf(db: Db, session_id: number): Promise<SessionText[]> {
  const rows = await db
    .selectFrom('session_texts')
    .select(['text_id', 'id', 'sender_id', 'text', 'create_time'])
    .where('session_id', '=', session_id)
    .where('call_opened_at', '=', openedAt(db, session_id))
    .orderBy('text_id', 'desc')
    .limit(limits.session_texts)
    .execute()
  return rows
    .toReversed()
    .map(({ create_time, ...row }) => ({ ...row, session_id, create_time: wireTime(create_time) }))
}

/** Writes to the other in the call: masked before it is stored, the same id again gives the first answer. */
export async function textChatMessage(
  app: App,
  viewer: Member,
  { session_id, id, text }: Input<'TEXT_CHAT_MESSAGE'>,
): Promise<Ack<'TEXT_CHAT_MESSAGE'>> {
  const live = liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  if (!live || !side) refuse('not_found')
  return app.transact(async (tx) => {
    const { stored, is_new } = await keep(tx, session_id, viewer.id, id, text)
    if (is_new) {
      const said = { session_id, sender_id: viewer.id, ...stored }
      await tx.notify(viewer.id, 'text_chat_message', said)
      await tx.notify(idOf(live.call, otherSide(side)), 'text_chat_message', said)
    }
    return { id, text_id: stored.text_id, text: stored.text }
  })
}

type Stored = Pick<SessionText, 'text_id' | 'id' | 'text' | 'create_time'>

async function keep(
  tx: Tx,
  session_id: number,
  sender_id: number,
  id: string,
  written: string,
): Promise<{ stored: Stored; is_new: boolean }> {
  const { text, masked } = maskText(written.normalize('NFC'), {
    words: setting(tx.app, 'competitor_words'),
  })
  const row = {
    call_opened_at: openedAt(tx, session_id),
    session_id,
    sender_id,
    id,
    text,
    original: masked ? written : null,
    create_time: tx.now,
  }
  const kept = await tx
    .insertInto('session_texts')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'sender_id', 'id', 'call_opened_at']).doNothing(),
    )
    .returning(['text_id', 'id', 'text', 'create_time'])
    .executeTakeFirst()
  if (kept) return { stored: { ...kept, create_time: wireTime(kept.create_time) }, is_new: true }
  const first = await tx
    .selectFrom('session_texts')
    .select(['text_id', 'id', 'text', 'create_time'])
    .where('session_id', '=', session_id)
    .where('sender_id', '=', sender_id)
    .where('id', '=', id)
    .where('call_opened_at', '=', openedAt(tx, session_id))
    .executeTakeFirstOrThrow()
  return { stored: { ...first, create_time: wireTime(first.create_time) }, is_new: false }
}

/** Tells the other that one is writing; never stored. */
export async function sessionTyping(
  app: App,
  viewer: Member,
  { session_id }: Input<'SESSION_TYPING'>,
): Promise<Ack<'SESSION_TYPING'>> {
  const live = liveCall(app, session_id)
  const side = live && sideOf(live.call, viewer.id)
  if (!live || !side) refuse('not_found')
  app.emit(idOf(live.call, otherSide(side)), 'session_typing', { session_id, user_id: viewer.id })
  return {}
}
