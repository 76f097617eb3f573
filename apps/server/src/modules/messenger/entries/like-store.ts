import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

export interface Like {
  readonly liker_id: UserId
  readonly liked_id: UserId
}

/** Takes a like of those that a user may give on a day. False if no like is left. */
export async function takeLike(
  tx: Tx,
  user_id: UserId,
  { day, most }: { readonly day: Temporal.PlainDate; readonly most: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into given_likes as given (user_id, day, used)
    select ${user_id}, ${day}::date, 1 where ${most}::integer > 0
    on conflict (user_id, day) do update set used = given.used + 1 where given.used < ${most}::integer
    returning used`.execute(tx)
  return rows.length === 1
}

/** Stores a like with the message that shows it. */
export async function insertLike(
  tx: Tx,
  { liker_id, liked_id }: Like,
  { message_id, at = tx.now }: { readonly message_id: number; readonly at?: Temporal.Instant },
): Promise<void> {
  await sql`
    with liked as (
      insert into likes (liker_id, liked_id, at, message_id) values (${liker_id}, ${liked_id}, ${at}, ${message_id})
    )
    insert into liked_counts as counted (user_id, count) values (${liked_id}, 1)
    on conflict (user_id) do update set count = counted.count + 1`.execute(tx)
}

/**
 * Removes a like with its message and the right that it gave. Undefined without a like. The two users are
 * locked.
 */
export async function removeLike(
  tx: Tx,
  { liker_id, liked_id }: Like,
): Promise<{ dialog_id: number; message_id: number } | undefined> {
  const { rows } = await sql<{ dialog_id: number; message_id: number }>`
    with removed as (
      delete from likes where liker_id = ${liker_id} and liked_id = ${liked_id} returning message_id
    ), counted as (
      update liked_counts set count = count - 1 where user_id = ${liked_id} and exists (select from removed)
    ), message as (
      update messages set removed_at = ${tx.now} from removed where messages.id = removed.message_id
      returning messages.dialog_id, messages.id as message_id
    ), dialog as (
      update dialogs set girl_liked = false from message
      where dialogs.id = message.dialog_id and dialogs.girl_id = ${liker_id}
    )
    select * from message`.execute(tx)
  return rows[0]
}

/** Removes the likes that an erased user has given and received. */
export async function removeUserLikes(tx: Tx, user_id: UserId): Promise<void> {
  await sql`
    with removed as (
      delete from likes where liker_id = ${user_id} or liked_id = ${user_id} returning liked_id
    ), lost as (
      select liked_id, count(*)::integer as count from removed where liked_id <> ${user_id} group by liked_id
    )
    update liked_counts set count = liked_counts.count - lost.count from lost where user_id = lost.liked_id`.execute(
    tx,
  )
}
