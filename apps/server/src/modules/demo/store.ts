import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

export async function addDemoUser(tx: Tx, name: string, user_id: UserId): Promise<void> {
  await tx.insertInto('cast_members').values({ name, user_id }).execute()
}

/** A message of the past. */
export interface PastMessage {
  readonly sender_id: UserId
  readonly type: 'text' | 'like'
  readonly text: string
  readonly create_time: Temporal.Instant
  /** Null: the other user has not read it. */
  readonly read_at: Temporal.Instant | null
}

/**
 * Stores a dialog of the past with its views, counters, rights and likes. No command of the messenger writes into the past, so
 * these rows are written here. The messages cost and earn nothing, and do not vanish. Two who have a dialog keep it as it is.
 */
export async function insertPastDialog(
  tx: Tx,
  { guy_id, girl_id }: { readonly guy_id: UserId; readonly girl_id: UserId },
  messages: readonly PastMessage[],
): Promise<void> {
  await sql`
    with earlier as materialized (
      select nextval('message_ids') as id, ${guy_id}::bigint + ${girl_id}::bigint - sender_id as receiver_id, past.*
      from (select * from jsonb_to_recordset(${JSON.stringify(messages)}::jsonb) as past (
        sender_id bigint, type text, text text, create_time timestamptz, read_at timestamptz) order by create_time) past
    ), texts as (
      select id, sender_id = ${girl_id} as is_girl from earlier where type = 'text'
    ), opened as (
      insert into dialogs (guy_id, girl_id, created_at, last_message_id, guy_wrote, girl_wrote, girl_liked, girl_unanswered)
      select ${guy_id}, ${girl_id}, min(create_time), max(id), exists (select from texts where not is_girl),
        exists (select from texts where is_girl), bool_or(type = 'like' and sender_id = ${girl_id}),
        (select count(*) from texts where id > all (select id from texts where not is_girl))
      from earlier on conflict (guy_id, girl_id) do nothing returning id, last_message_id
    ), views as (
      insert into dialog_members (dialog_id, user_id, interlocutor_id, activity_id, hidden, unread, favourite)
      select opened.id, side.user_id, interlocutor_id, last_message_id, false,
        (select count(*) from earlier where receiver_id = side.user_id and read_at is null),
        exists (select from favourites f where f.owner_id = side.user_id and f.user_id = interlocutor_id)
      from opened, (values (${guy_id}::bigint, ${girl_id}::bigint), (${girl_id}, ${guy_id})) side (user_id, interlocutor_id)
    ), stored as (
      insert into messages (id, dialog_id, sender_id, receiver_id, type, text, create_time, read_at)
      select earlier.id, opened.id, sender_id, receiver_id, type, text, create_time, read_at from earlier, opened
    ), liked as (
      insert into likes (liker_id, liked_id, at, message_id)
      select sender_id, receiver_id, create_time, earlier.id from earlier, opened where type = 'like'
    ), liked_count as (
      insert into liked_counts as counted (user_id, count)
      select receiver_id, 1 from earlier, opened where type = 'like'
      on conflict (user_id) do update set count = counted.count + 1
    )
    insert into unread_counts as counted (user_id, count)
    select receiver_id, count(*) from earlier, opened where read_at is null group by receiver_id order by receiver_id
    on conflict (user_id) do update set count = counted.count + excluded.count`.execute(tx)
}
