import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { RowKeys } from '../../../platform/database/tables.gen.ts'
import { COMPARED_TEXTS, priceOf } from '../rules.ts'
import type { Accepted } from './sending.ts'

/** One message with everything that changes by it: a `sent_message` of the database. */
function rowOf({
  sending,
  facts,
  text,
  original,
  digest,
  answers,
  cost,
  reward,
}: Accepted): Record<RowKeys['sent_message'], unknown> {
  return {
    id: facts.message_id,
    dialog_id: sending.dialog_id,
    sender_id: sending.sender_id,
    receiver_id: facts.receiver_id,
    is_girl: facts.writing.writer === 'girl',
    type: sending.type,
    text,
    original,
    random_id: sending.random_id,
    asked: sending.asked,
    price: priceOf(cost),
    reward: reward.toString(),
    answers,
    digest,
  }
}

/**
 * Stores messages, at most one of a dialog, with the views, counters and rights that change by them. The dialogs are
 * locked.
 */
export async function insertMessages(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = JSON.stringify(accepted.map(rowOf))
  await sql`select messenger_store(${rows}::jsonb, ${COMPARED_TEXTS}::integer, ${tx.now})`.execute(
    tx,
  )
}
