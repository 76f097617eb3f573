import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { freeMessagesLeftOf } from '../../allowances/index.ts'
import { affordableOf } from '../../ledger/index.ts'
import { decideWriting } from '../rules.ts'
import type { Stored } from './message-store.ts'
import type { Accepted, NextWriting, SendingFacts } from './sending.ts'

/** Whether the senders of these messages may write again, and at what cost; after what this transaction has stored. */
export async function nextWritings(
  tx: Tx,
  facts: readonly SendingFacts[],
  {
    accepted,
    free_left,
    stored,
  }: {
    accepted: readonly Accepted[]
    free_left: ReadonlyMap<UserId, number>
    stored: ReadonlyMap<number, Stored>
  },
): Promise<(of: SendingFacts) => NextWriting> {
  const acceptedByFacts = new Map(accepted.map((one) => [one.facts, one]))
  const guys = facts.filter(({ writing }) => writing.writer === 'guy')
  // Those of repeats and refused messages are not known yet.
  const unknown = guys.map(senderOf).filter((id) => !free_left.has(id))
  const freeLeft = new Map([...free_left, ...(await freeMessagesLeftOf(tx.app, tx, unknown))])
  const paying = guys.filter((one) => one.writing.is_premium && freeLeft.get(senderOf(one)) === 0)
  const others = paying.filter(({ message_id }) => !stored.has(message_id))
  const credits = await affordableOf(tx, others.map(senderOf), 'message')
  return (of) => {
    const one = acceptedByFacts.get(of)
    const sent = one ? 1 : 0
    const writing = { ...of.writing, unanswered: of.writing.unanswered + sent }
    const sender = senderOf(of)
    return {
      writing: decideWriting(writing, {
        is_premium: writing.is_premium,
        free_left: freeLeft.get(sender) ?? 0,
        credits: stored.get(of.message_id)?.credits ?? Number(credits.get(sender) ?? 0n),
      }),
      is_rewarded: of.unanswered_paid.length > (one?.answers == null ? 0 : 1),
    }
  }
}

function senderOf({ sender_id }: SendingFacts): UserId {
  return sender_id
}
