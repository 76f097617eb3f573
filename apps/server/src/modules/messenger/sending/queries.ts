import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { productDay } from '../../../lib/clock.ts'
import {
  NEIGHBOUR_CHARACTERS_MAX,
  NEIGHBOURS_MAX,
  NEIGHBOURS_WITHIN_MINUTES,
} from '../../../lib/text-mask.ts'
import type { RowKeys } from '../../../core/tables.gen.ts'
import { setting } from '../../settings/index.ts'
import { type DialogRights, writingFacts } from '../rules.ts'
import type { NewMessage, SendingFacts } from './sending.ts'

interface FactsRow extends DialogRights {
  readonly n: number
  readonly sender_id: UserId
  readonly receiver_id: UserId
  readonly message_id: number
  readonly girl_digests: readonly string[]
  readonly hidden_from_sender: boolean
  readonly hidden_from_receiver: boolean
  readonly earlier_id: number | null
  readonly earlier_asked: string | null
  readonly earlier_text: string | null
  readonly earlier_time: Temporal.Instant | null
  readonly reward: bigint | null
  /** The newest first. */
  readonly recent: readonly string[]
  readonly unanswered_paid: readonly number[]
  readonly free_used: number
}

/** The two users of a dialog. */
export async function readPair(db: Db, dialog_id: number): Promise<UserId[] | undefined> {
  const row = await db
    .selectFrom('dialogs')
    .select(['guy_id', 'girl_id'])
    .where('id', '=', dialog_id)
    .executeTakeFirst()
  return row && [row.guy_id, row.girl_id]
}

/**
 * Locks the dialogs of these sendings until the transaction ends, then reads everything that decides them.
 * Undefined for a sending whose dialog does not exist or is not the sender's.
 */
export async function lockedFacts(
  tx: Tx,
  sendings: readonly NewMessage[],
): Promise<(SendingFacts | undefined)[]> {
  const recentSince = tx.now.subtract({ minutes: NEIGHBOURS_WITHIN_MINUTES })
  const paidSince = tx.now.subtract({ hours: setting(tx.app, 'reward_window') })
  const { rows } = await sql<Pick<FactsRow, RowKeys['messenger_facts']>>`
    select * from messenger_facts(${sendings.map(({ dialog_id }) => dialog_id)}::bigint[],
      ${sendings.map(({ sender_id }) => sender_id)}::bigint[], ${sendings.map(({ random_id }) => random_id)}::text[],
      ${recentSince}, ${paidSince}, ${productDay(tx.now)}, ${NEIGHBOURS_MAX}::integer,
      ${NEIGHBOUR_CHARACTERS_MAX}::integer)`.execute(tx)
  // Rows are numbered from 1.
  const factsByNumber = new Map(rows.map((row) => [row.n - 1, getFacts(tx, row)]))
  return sendings.map((_, n) => factsByNumber.get(n))
}

function getFacts(tx: Tx, row: FactsRow): SendingFacts {
  return {
    sender_id: row.sender_id,
    receiver_id: row.receiver_id,
    message_id: row.message_id,
    writing: writingFacts(row, tx.now, setting(tx.app, 'first_writes_unanswered')),
    hidden_from_sender: row.hidden_from_sender,
    hidden_from_receiver: row.hidden_from_receiver,
    earlier: row.earlier_id === null ? null : toEarlier(row),
    recent: row.recent.toReversed(),
    digests: row.girl_digests,
    unanswered_paid: row.unanswered_paid,
    free_left: Math.max(0, setting(tx.app, 'free_messages_a_day') - row.free_used),
  }
}

function toEarlier({ earlier_id, earlier_asked, earlier_text, earlier_time, reward }: FactsRow) {
  return {
    message_id: earlier_id!,
    asked: earlier_asked!,
    message: earlier_text!,
    create_time: earlier_time!,
    reward: reward ?? 0n,
  }
}
