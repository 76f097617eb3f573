import type { Payload } from '@duet/protocol'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { chargedCredits } from '../../allowances/index.ts'
import { shownBalances } from '../../ledger/index.ts'
import { notifyMessage } from '../stored-changes.ts'
import type { Stored } from './message-store.ts'
import type { MessageRow } from '../queries.ts'
import { messageView } from '../views.ts'
import type { Accepted } from './sending.ts'

/** The columns that change later. */
const LATER_COLUMNS = {
  read_at: null,
  answered_by: null,
  vanish_at: null,
  removed_at: null,
  entry: null,
  media_id: null,
  picture_waits: false,
  read_premium: false,
  read_locked: false,
}

/** Sends the messages to both sides, and to the sender what they cost or earned. */
export async function notifySent(
  tx: Tx,
  accepted: readonly Accepted[],
  stored: ReadonlyMap<number, Stored>,
): Promise<void> {
  for (const one of accepted) {
    const { sending, facts, reward } = one
    const { dialog_id, sender_id, random_id } = sending
    const { message_id, receiver_id } = facts
    await tx.notify(sender_id, 'send_message_success', {
      dialog_id,
      random_id,
      message_id,
      create_time: wireTime(tx.now),
      ...(reward > 0n && { reward: toWire('coin', reward) }),
    })
    if (reward > 0n)
      await tx.publish('girl_earned', { girl_id: sender_id, guy_id: receiver_id, units: reward })
    const message = { dialog_id, message_id, sender_id }
    const shownTo = shownMessage(tx, one, stored.get(message_id)!)
    const isWithDialog = givesRight(one)
    await notifyMessage(tx, sender_id, message, shownTo(sender_id))
    await notifyMessage(
      tx,
      receiver_id,
      { ...message, with_dialog: isWithDialog },
      isWithDialog ? undefined : shownTo(receiver_id),
    )
  }
  const changed = accepted.filter(({ charge, reward }) => charge.type === 'credit' || reward > 0n)
  if (changed.length === 0) return
  tx.afterCommit(() => tx.app.background('sending balances', sendBalances(tx, changed)))
  tx.inDoubt(() => sendBalances(tx, changed))
}

/**
 * How both users see a text that is stored now, equal to a later read of its row. Pictures are read from
 * their row, because their addresses are signed.
 */
function shownMessage(
  tx: Tx,
  { sending, facts, text, charge, reward }: Accepted,
  { sender_unread, receiver_unread }: Stored,
): (viewerId: UserId) => Payload<'messenger_message'> | undefined {
  if (sending.type !== 'text') return () => undefined
  const row: MessageRow = {
    id: facts.message_id,
    dialog_id: sending.dialog_id,
    sender_id: sending.sender_id,
    receiver_id: facts.receiver_id,
    type: sending.type,
    text,
    random_id: sending.random_id,
    asked: sending.asked,
    create_time: tx.now,
    price: chargedCredits(charge),
    reward,
    ...LATER_COLUMNS,
  }
  return (viewerId) => ({
    message: messageView(row, { viewerId, cleaned_to: 0, now: tx.now, pictures: new Map() }),
    count_new_messages: viewerId === sending.sender_id ? sender_unread : receiver_unread,
  })
}

/** Whether the dialog is new to the receiver, or the receiver may write in the dialog from now on. */
function givesRight({ facts: { hidden_from_receiver, writing } }: Accepted): boolean {
  if (hidden_from_receiver) return true
  return writing.writer === 'girl' ? !writing.is_invited : !writing.has_answer
}

async function sendBalances({ app }: Tx, changed: readonly Accepted[]): Promise<void> {
  await Promise.all(
    changed.map(async ({ sending: { sender_id } }) => {
      if (!(await app.realtime.isConnected(sender_id))) return
      const { balance, balance_messages } = await shownBalances(app, app.db, sender_id)
      app.emit(sender_id, 'balance', { balance, balance_messages })
    }),
  )
}
