import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Pair } from '../store.ts'

/** A message of an earlier time. */
export interface HistoryMessage {
  readonly sender_id: UserId
  readonly type: 'text' | 'like'
  readonly text: string
  readonly create_time: Temporal.Instant
  /** Null: the other one has not read it. */
  readonly read_at: Temporal.Instant | null
}

/** The rights of a dialog that follow from its messages. */
export interface HistoryRights {
  readonly guy_wrote: boolean
  readonly girl_wrote: boolean
  readonly girl_liked: boolean
  readonly girl_unanswered: number
  readonly girl_digests: readonly string[]
}

/** Stores the messages of a new dialog, the oldest first, with its views, counters and rights; returns their ids. */
export async function insertHistory(
  tx: Tx,
  { dialog_id, guy_id, girl_id }: Pair & { readonly dialog_id: number },
  messages: readonly HistoryMessage[],
  rights: HistoryRights,
): Promise<number[]> {
  const { rows: drawn } = await sql<{ id: number }>`
    select nextval('message_ids') as id from generate_series(1, ${messages.length}::integer)`.execute(
    tx,
  )
  const ids = drawn.map(({ id }) => id).toSorted((one, other) => one - other)
  const rows = messages.map((message, n) => ({
    ...message,
    id: ids[n],
    receiver_id: guy_id + girl_id - message.sender_id,
  }))
  const { guy_wrote, girl_wrote, girl_liked, girl_unanswered, girl_digests } = rights
  await sql`
    with earlier as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as earlier (
        id bigint, sender_id bigint, receiver_id bigint, type text, text text, create_time timestamptz, read_at timestamptz)
    ), stored as (
      insert into messages (id, dialog_id, sender_id, receiver_id, type, text, create_time, read_at)
      select id, ${dialog_id}, sender_id, receiver_id, type, text, create_time, read_at from earlier
    ), unread as (
      select receiver_id, count(*)::integer as count from earlier where read_at is null group by receiver_id
    ), dialog as (
      update dialogs set last_message_id = (select max(id) from earlier),
        created_at = (select min(create_time) from earlier),
        guy_wrote = ${guy_wrote}::boolean, girl_wrote = ${girl_wrote}::boolean, girl_liked = ${girl_liked}::boolean,
        girl_unanswered = ${girl_unanswered}::integer, girl_digests = ${[...girl_digests]}::text[]
      where id = ${dialog_id}
    )
    insert into unread_counts as counted (user_id, count) select receiver_id, count from unread order by receiver_id
    on conflict (user_id) do update set count = counted.count + excluded.count`.execute(tx)
  // A statement of its own: the views were inserted in this transaction.
  await sql`
    update dialog_members view set hidden = false, activity_id = ${ids.at(-1)!},
      unread = (select count(*) from messages
        where dialog_id = ${dialog_id} and receiver_id = view.user_id and read_at is null and removed_at is null)
    where dialog_id = ${dialog_id}`.execute(tx)
  return ids
}
