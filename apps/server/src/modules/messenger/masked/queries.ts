import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { MaskedCount, MaskedText } from '../../calls/index.ts'

/**
 * Users by the number of their messages since a moment in which contacts were masked, the most first. A text that a hold kept
 * when it disappeared is an original too, and is not counted: whether it was masked is unknown then.
 */
export async function maskedMessageCounts(
  db: Db,
  since: Temporal.Instant,
  limit: number,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select original.sender_id as user_id, count(*)::integer as count, max(original.at) as last_at
    from message_originals original join messages on messages.id = original.message_id
    where original.at >= ${since} and original.at is distinct from messages.removed_at
    group by original.sender_id order by count desc, user_id limit ${limit}`.execute(db)
  return rows
}

/** The latest masked messages of a user, the newest first. */
export async function maskedMessagesOf(
  db: Db,
  user_id: UserId,
  limit: number,
): Promise<MaskedText[]> {
  const { rows } = await sql<MaskedText>`
    select 'message' as kind, messages.dialog_id as place_id, messages.receiver_id as partner_id,
      original.text as original, messages.text as masked, original.at
    from message_originals original join messages on messages.id = original.message_id
    where original.sender_id = ${user_id} and original.at is distinct from messages.removed_at
    order by original.at desc limit ${limit}`.execute(db)
  return rows
}

/** For each of these users: the moment of the last look that is done. */
export async function doneUntil(
  db: Db,
  user_ids: readonly UserId[],
): Promise<ReadonlyMap<UserId, Temporal.Instant>> {
  const rows = await db
    .selectFrom('masked_text_views')
    .select(({ fn }) => ['user_id', fn.max('at').as('until')])
    .where('user_id', 'in', [...user_ids, 0 as UserId])
    .where('is_done', '=', true)
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id, until }) => [user_id, until]))
}
