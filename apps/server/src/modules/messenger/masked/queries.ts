import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import {
  type DoneTexts,
  isNotDone,
  type MaskedCount,
  maskedPage,
  type MaskedRequest,
  type MaskedText,
} from '../../calls/index.ts'

/**
 * Users by the number of their messages that are not done since a moment in which contacts were masked, the most first. A text that a hold kept
 * when it disappeared is an original too, and is not counted: whether it was masked is unknown then.
 */
export async function maskedMessageCounts(
  db: Db,
  since: Temporal.Instant,
  done: DoneTexts,
  limit: number,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select original.sender_id as user_id, count(*)::integer as count, max(original.at) as last_at
    from message_originals original join messages on messages.id = original.message_id
    where original.at >= ${since} and original.at is distinct from messages.removed_at
      and ${isNotDone(done, 'original.sender_id', 'original.at')}
    group by original.sender_id order by count desc, user_id limit ${limit}`.execute(db)
  return rows
}

/** Masked messages of a user. */
export async function readMaskedMessages(
  db: Db,
  user_id: UserId,
  request: MaskedRequest,
): Promise<MaskedText[]> {
  const { rows } = await sql<MaskedText>`
    select 'message' as kind, messages.dialog_id as place_id, messages.receiver_id as partner_id,
      original.text as original, messages.text as masked, original.at
    from message_originals original join messages on messages.id = original.message_id
    where original.sender_id = ${user_id} and original.at is distinct from messages.removed_at
      ${maskedPage(request, 'original.at')}`.execute(db)
  return rows
}

/** The users whose texts are done up to a moment after `since`. */
export async function doneTexts(db: Db, since: Temporal.Instant): Promise<DoneTexts> {
  const rows = await db
    .selectFrom('masked_text_views')
    .select(({ fn }) => ['user_id', fn.max('until').as('until')])
    .where('until', '>=', since)
    .where('is_done', '=', true)
    .groupBy('user_id')
    .execute()
  return {
    user_ids: rows.map(({ user_id }) => user_id),
    untils: rows.map(({ until }) => until!),
  }
}

/** Up to when the masked texts of this user are done; undefined if none is. */
export async function doneUntil(db: Db, user_id: UserId): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('masked_text_views')
    .select(({ fn }) => fn.max('until').as('until'))
    .where('user_id', '=', user_id)
    .where('is_done', '=', true)
    .executeTakeFirst()
  return row?.until ?? undefined
}
