import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { chargedCredits } from '../../allowances/index.ts'
import { affordableColumn } from '../../ledger/index.ts'
import type { RowKeys } from '../../../core/tables.gen.ts'
import { COMPARED_TEXTS } from '../rules.ts'
import type { Accepted } from './sending.ts'

/** Counts and funds of the two users after a message was stored. */
export interface Stored {
  /** The unread messages in all dialogs of the sender, and of the receiver. */
  readonly sender_unread: number
  readonly receiver_unread: number
  /** The message credits that the sender can spend now. */
  readonly credits: bigint
}

interface StoredRow extends Stored {
  readonly message_id: number
  readonly sender_id: UserId
}

/** One message with everything that changes by it: a `sent_message` of the database. */
function toRow({
  sending,
  facts,
  text,
  original,
  digest,
  answers,
  charge,
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
    price: chargedCredits(charge),
    reward: reward.toString(),
    answers,
    digest,
  }
}

/**
 * Stores messages, at most one of a dialog, with the views, counters and rights that change by them. The dialogs are
 * locked.
 */
export async function insertMessages(
  tx: Tx,
  accepted: readonly Accepted[],
): Promise<ReadonlyMap<number, Stored>> {
  if (accepted.length === 0) return new Map()
  const rows = JSON.stringify(accepted.map(toRow))
  const { rows: stored } = await sql<Pick<StoredRow, RowKeys['messenger_store'] | 'credits'>>`
    select stored.*, ${affordableColumn(sql.ref('stored.sender_id'), 'message')} as credits
    from messenger_store(${rows}::jsonb, ${COMPARED_TEXTS}::integer, ${tx.now}) stored`.execute(tx)
  return new Map(stored.map((one) => [one.message_id, one]))
}
