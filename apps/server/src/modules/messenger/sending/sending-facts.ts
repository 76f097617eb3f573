import { sql } from 'kysely'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { NEIGHBOURS_WITHIN_MINUTES } from '../../../lib/text-mask.ts'
import { setting } from '../../settings/index.ts'
import type { NewMessage, SendingFacts } from './sending.ts'

/** Contact details that are split over messages are found among the last ones only, however long the dialog is. */
const RECENT_ROWS = 40

interface FactsRow {
  readonly n: number
  readonly sender_id: UserId
  readonly receiver_id: UserId
  readonly message_id: number
  readonly writer: Role
  readonly guy_premium: boolean
  readonly is_gone: boolean
  readonly is_blocked: boolean
  readonly guy_wrote: boolean
  readonly girl_wrote: boolean
  readonly girl_liked: boolean
  readonly girl_unanswered: number
  readonly girl_digests: readonly string[]
  readonly hidden_from_sender: boolean
  readonly hidden_from_receiver: boolean
  readonly earlier_id: number | null
  readonly earlier_asked: string | null
  readonly earlier_text: string | null
  readonly earlier_time: Temporal.Instant | null
  readonly reward: bigint | null
  readonly recent: readonly string[] | null
  readonly unanswered_paid: readonly number[]
}

/**
 * Locks the dialogs of these sendings until the transaction ends, then reads everything that decides them. Undefined for a
 * sending into a dialog that does not exist or is not the sender's.
 */
export async function lockedFacts(
  tx: Tx,
  sendings: readonly NewMessage[],
): Promise<(SendingFacts | undefined)[]> {
  const dialogIds = sendings.map(({ dialog_id }) => dialog_id)
  const senderIds = sendings.map(({ sender_id }) => sender_id)
  // In the order of the ids, so that two batches never wait for each other. A dialog of others is never locked.
  await sql`
    select d.id from dialogs d
    join unnest(${dialogIds}::bigint[], ${senderIds}::bigint[]) as asked (dialog_id, sender_id)
      on d.id = asked.dialog_id and asked.sender_id in (d.guy_id, d.girl_id)
    order by d.id for no key update of d`.execute(tx)
  const rows = await readFacts(tx, sendings)
  const factsByNumber = new Map(rows.map((row) => [row.n, factsOf(tx, row)]))
  return sendings.map((_, n) => factsByNumber.get(n))
}

/**
 * A statement of its own: it sees what was committed before the locks were taken. The ids stand in it as an array too: from
 * a set in JSON the planner cannot know how few rows are asked for, and would read whole tables.
 */
async function readFacts(tx: Tx, sendings: readonly NewMessage[]): Promise<readonly FactsRow[]> {
  const asked = sendings.map(({ dialog_id, sender_id, random_id }, n) => ({
    ...{ n, dialog_id, sender_id, random_id },
  }))
  const dialogIds = sendings.map(({ dialog_id }) => dialog_id)
  const since = tx.now.subtract({ minutes: NEIGHBOURS_WITHIN_MINUTES })
  const paidSince = tx.now.subtract({ hours: setting(tx.app, 'reward_window') })
  const { rows } = await sql<FactsRow>`
    select asked.n, nextval('message_ids') as message_id, asked.sender_id,
      d.guy_id + d.girl_id - asked.sender_id as receiver_id,
      case when asked.sender_id = d.guy_id then 'guy' else 'girl' end as writer,
      coalesce(guy.premium_until > ${tx.now}, false) as guy_premium,
      (guy.erased_at is not null or girl.erased_at is not null
        or case when asked.sender_id = d.guy_id then girl.deletion_asked_at else guy.deletion_asked_at end is not null)
        as is_gone,
      exists (select from blocks where owner_id = d.guy_id and blocked_id = d.girl_id
        union all select from blocks where owner_id = d.girl_id and blocked_id = d.guy_id) as is_blocked,
      d.guy_wrote, d.girl_wrote, d.girl_liked, d.girl_unanswered, d.girl_digests,
      own.hidden as hidden_from_sender, other.hidden as hidden_from_receiver,
      earlier.id as earlier_id, earlier.asked as earlier_asked, earlier.text as earlier_text,
      earlier.create_time as earlier_time, earlier.reward, recent.texts as recent,
      array(select id from messages paid
        where asked.sender_id = d.girl_id and paid.dialog_id = d.id and paid.price > 0 and paid.answered_by is null
          and paid.create_time > ${paidSince}
        order by paid.create_time, paid.id limit 2) as unanswered_paid
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as asked (n integer, dialog_id bigint, sender_id bigint, random_id text)
    join dialogs d on d.id = any(${dialogIds}::bigint[]) and d.id = asked.dialog_id
      and asked.sender_id in (d.guy_id, d.girl_id)
    join users guy on guy.id = d.guy_id
    join users girl on girl.id = d.girl_id
    join dialog_members own on (own.dialog_id, own.user_id) = (d.id, asked.sender_id)
    join dialog_members other on other.dialog_id = d.id and other.user_id <> asked.sender_id
    left join messages earlier on earlier.sender_id = asked.sender_id and earlier.random_id = asked.random_id
    left join lateral (
      select jsonb_agg(coalesce(original.text, last.text) order by last.id) as texts
      from (select id, sender_id, type, text, create_time from messages
        where dialog_id = d.id order by id desc limit ${RECENT_ROWS}) last
      left join message_originals original on original.message_id = last.id
      where last.sender_id = asked.sender_id and last.type = 'text' and last.create_time > ${since}
    ) recent on true`.execute(tx)
  return rows
}

function factsOf(tx: Tx, row: FactsRow): SendingFacts {
  return {
    sender_id: row.sender_id,
    receiver_id: row.receiver_id,
    message_id: row.message_id,
    writing: {
      writer: row.writer,
      is_blocked: row.is_blocked,
      is_gone: row.is_gone,
      is_premium: row.guy_premium,
      is_invited: row.girl_wrote || row.girl_liked,
      has_answer: row.guy_wrote,
      unanswered: row.girl_unanswered,
      unanswered_max: setting(tx.app, 'first_writes_unanswered'),
    },
    hidden_from_sender: row.hidden_from_sender,
    hidden_from_receiver: row.hidden_from_receiver,
    earlier: row.earlier_id === null ? null : earlierOf(row),
    recent: row.recent ?? [],
    digests: row.girl_digests,
    unanswered_paid: row.unanswered_paid,
  }
}

function earlierOf({ earlier_id, earlier_asked, earlier_text, earlier_time, reward }: FactsRow) {
  return {
    message_id: earlier_id!,
    asked: earlier_asked!,
    message: earlier_text!,
    create_time: earlier_time!,
    reward: reward ?? 0n,
  }
}
