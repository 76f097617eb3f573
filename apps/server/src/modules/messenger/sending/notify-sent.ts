import type { Tx } from '../../../core/app.ts'
import { wireTime } from '../../../lib/clock.ts'
import { toWire } from '../../../lib/money.ts'
import { shownBalances } from '../../ledger/index.ts'
import { notifyMessage } from '../stored-changes.ts'
import type { Accepted } from './sending.ts'

/** Sends the messages to both sides, and to the sender what they cost or earned. */
export async function notifySent(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
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
    const message = { dialog_id, message_id, sender_id }
    await notifyMessage(tx, sender_id, message)
    await notifyMessage(tx, receiver_id, { ...message, with_dialog: givesRight(one) })
  }
  const changed = accepted.filter(({ cost, reward }) => cost === 'credit' || reward > 0n)
  if (changed.length > 0)
    tx.afterCommit(() => tx.app.background('sending balances', sendBalances(tx, changed)))
}

/** The receiver gets the dialog where it is new to them, or where they may write from now on. */
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
