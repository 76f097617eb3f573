import type { Gift } from '@duet/protocol'
import type { Tx } from '../../../core/app.ts'
import { toWire } from '../../../lib/money.ts'
import { reachAway } from '../away/reach-away.ts'
import type { Pair } from '../store.ts'
import { notifyMessage } from '../stored-changes.ts'
import { insertEntry } from './entry-store.ts'
import type { GiftFacts } from './message-types.ts'

interface PaidGift extends Pair {
  /** With its English name: a page shows the name of its own language where it knows the gift. */
  readonly gift: Gift
  /** In units of coins. */
  readonly reward: bigint
}

/** Writes a gift into the dialog of the two, which it opens if it is missing, and shows it to both. */
export async function addGiftEntry(
  tx: Tx,
  { guy_id, girl_id, gift, reward }: PaidGift,
): Promise<{ dialog_id: number; message_id: number }> {
  const facts: GiftFacts = { gift, reward: toWire('coin', reward) }
  const entry = {
    guy_id,
    girl_id,
    sender_id: guy_id,
    type: 'gift',
    facts,
    is_unread: true,
  } as const
  const message = await insertEntry(tx, entry)
  for (const user_id of [guy_id, girl_id])
    await notifyMessage(tx, user_id, { ...message, sender_id: guy_id, with_dialog: true })
  await reachAway(tx, [{ ...message, user_id: girl_id }])
  return message
}
