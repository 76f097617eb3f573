import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import { COMPARED_TEXTS } from '../rules.ts'
import type { Accepted } from './sending.ts'

/** One message with everything that changes by it, as the statement reads it. */
function rowOf({ sending, facts, text, original, digest, answers, cost, reward }: Accepted) {
  return {
    ...{ id: facts.message_id, dialog_id: sending.dialog_id, sender_id: sending.sender_id },
    ...{ receiver_id: facts.receiver_id, is_girl: facts.writing.writer === 'girl' },
    ...{ type: sending.type, text, original, random_id: sending.random_id, asked: sending.asked },
    ...{ price: cost === 'credit' ? 1 : 0, reward: reward.toString(), answers, digest },
  }
}

/**
 * Stores messages, at most one of a dialog, with the views, counters and rights that change by them. The dialogs are
 * locked. Counters are written in the order of the users, as every transaction does.
 */
export async function insertMessages(tx: Tx, accepted: readonly Accepted[]): Promise<void> {
  if (accepted.length === 0) return
  const rows = JSON.stringify(accepted.map(rowOf))
  // From a set in JSON the planner cannot know how few rows change, and would read whole tables.
  const dialogIds = accepted.map(({ sending }) => sending.dialog_id)
  const answered = accepted.flatMap(({ answers }) => answers ?? [])
  await sql`
    with sent as materialized (
      select * from jsonb_to_recordset(${rows}::jsonb) as sent (
        id bigint, dialog_id bigint, sender_id bigint, receiver_id bigint, is_girl boolean, type text, text text,
        original text, random_id text, asked text, price integer, reward bigint, answers bigint, digest text)
    ), stored as (
      insert into messages (id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, create_time, price, reward)
      select id, dialog_id, sender_id, receiver_id, type, text, random_id, asked, ${tx.now}, price, reward from sent
    ), unmasked as (
      insert into message_originals (message_id, dialog_id, sender_id, text, at)
      select id, dialog_id, sender_id, original, ${tx.now} from sent where original is not null
    ), answered as (
      update messages set answered_by = sent.id from sent
      where messages.id = any(${answered}::bigint[]) and messages.id = sent.answers
    ), dialogs_changed as (
      update dialogs set last_message_id = sent.id,
        guy_wrote = guy_wrote or not sent.is_girl,
        girl_wrote = girl_wrote or sent.is_girl,
        girl_unanswered = case when sent.is_girl then girl_unanswered + 1 else 0 end,
        girl_digests = case when sent.is_girl then (sent.digest || girl_digests)[:${COMPARED_TEXTS}::integer] else girl_digests end
      from sent where dialogs.id = any(${dialogIds}::bigint[]) and dialogs.id = sent.dialog_id
    ), views as (
      update dialog_members set activity_id = sent.id, hidden = false,
        unread = unread + (user_id = sent.receiver_id)::integer
      from sent
      where dialog_members.dialog_id = any(${dialogIds}::bigint[]) and dialog_members.dialog_id = sent.dialog_id
    )
    insert into unread_counts as counted (user_id, count)
    select receiver_id, count(*) from sent group by receiver_id order by receiver_id
    on conflict (user_id) do update set count = counted.count + excluded.count`.execute(tx)
}
