import type { Tx } from '../../../core/app.ts'
import { readTogether } from '../../../core/db.ts'
import { chargeFor, nextMessageCharge } from '../../allowances/index.ts'
import { decideWriting, payer } from '../rules.ts'
import type { Stored } from './message-store.ts'
import type { Accepted, NextWriting, SendingFacts } from './sending.ts'

/** Whether the sender of a message that was just stored may write again, and at what cost. */
export function nextWriting(
  { facts: { writing, unanswered_paid }, answers, free_left }: Accepted,
  { credits }: Stored,
): NextWriting {
  const charge = chargeFor('message', payer(writing), { free_left, credits })
  return {
    writing: decideWriting({ ...writing, unanswered: writing.unanswered + 1 }, charge),
    is_rewarded: unanswered_paid.length > (answers === null ? 0 : 1),
  }
}

/** The same of senders who repeated a message that was stored before. */
export async function readNextWritings(
  tx: Tx,
  repeated: readonly SendingFacts[],
): Promise<ReadonlyMap<SendingFacts, NextWriting>> {
  const charges = await readTogether(
    tx,
    repeated.map(
      ({ sender_id: id, writing }) =>
        () =>
          nextMessageCharge(tx.app, tx, { id, ...payer(writing) }),
    ),
  )
  return new Map(
    repeated.map((facts, n) => [
      facts,
      {
        writing: decideWriting(facts.writing, charges[n]!),
        is_rewarded: facts.unanswered_paid.length > 0,
      },
    ]),
  )
}
