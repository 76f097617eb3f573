import type { Tx } from '../../../core/app.ts'
import { assert } from '../../../lib/assert.ts'
import { COMPARED_TEXTS } from '../rules.ts'
import { computeDigest } from '../sending/masking.ts'
import { insertDialog, lockPairDialog, type Pair } from '../store.ts'
import { type HistoryMessage, insertHistory } from './history-store.ts'
import { insertLike } from './like-store.ts'

/**
 * For the demo only: opens the dialog of the two with what they wrote before, the oldest message first. It costs and earns
 * nothing, and what was read does not vanish, as if its reader had Premium then. Two who have a dialog keep it as it is.
 */
export async function storeHistory(
  tx: Tx,
  pair: Pair,
  messages: readonly HistoryMessage[],
): Promise<void> {
  assert(tx.app.config.demo, 'only the demo has messages of an earlier time')
  if ((await lockPairDialog(tx, pair)) !== undefined) return
  const dialog_id = await insertDialog(tx, pair, pair.guy_id)
  const { girl_id } = pair
  const texts = messages.filter(({ type }) => type === 'text')
  const ofGirl = texts.filter(({ sender_id }) => sender_id === girl_id)
  const ids = await insertHistory(tx, { ...pair, dialog_id }, messages, {
    girl_liked: messages.some(({ type, sender_id }) => type === 'like' && sender_id === girl_id),
    guy_wrote: texts.length > ofGirl.length,
    girl_wrote: ofGirl.length > 0,
    girl_unanswered: texts.length - 1 - texts.findLastIndex((one) => one.sender_id !== girl_id),
    girl_digests: ofGirl
      .slice(-COMPARED_TEXTS)
      .toReversed()
      .map(({ text }) => computeDigest(text)),
  })
  for (const [n, { type, sender_id, create_time }] of messages.entries()) {
    if (type !== 'like') continue
    const like = { liker_id: sender_id, liked_id: pair.guy_id + girl_id - sender_id }
    await insertLike(tx, like, { message_id: ids[n]!, at: create_time })
  }
}
