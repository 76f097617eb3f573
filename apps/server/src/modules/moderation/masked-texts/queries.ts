import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** A text as it was written and as it is shown, in a call or a dialog. */
interface MaskedText {
  readonly kind: 'call' | 'message'
  readonly place_id: number
  readonly partner_id: UserId
  readonly original: string
  readonly masked: string
  readonly at: Temporal.Instant
}

/**
 * The texts in which contacts were masked. A hold keeps the text of a message that disappears as an original, too. Whether
 * such a text was masked is unknown, so it is not here.
 */
const MASKED_TEXTS = sql`(
  select 'message' as kind, original.sender_id as user_id, message.dialog_id as place_id,
    message.receiver_id as partner_id, original.text as original, message.text as masked, original.at
  from message_originals original join messages message on message.id = original.message_id
  where original.at is distinct from message.removed_at
  union all
  select 'call', written.sender_id, written.session_id,
    case when call.guy_id = written.sender_id then call.girl_id else call.guy_id end,
    written.original, written.text, written.create_time
  from session_texts written join video_sessions call on call.session_id = written.session_id
  where written.original is not null) masked_texts`

/** How many masked texts of a user wait for a look of staff. */
interface MaskedCount {
  readonly user_id: UserId
  readonly messages: number
  readonly call_texts: number
  readonly last_at: Temporal.Instant
  readonly done_until: Temporal.Instant | null
}

/** The users with masked texts since a moment that are not done, the most of them first. */
export async function countMaskedTexts(
  db: Db,
  since: Temporal.Instant,
  limit: number,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select user_id, (count(*) filter (where kind = 'message'))::integer as messages,
      (count(*) filter (where kind = 'call'))::integer as call_texts, max(at) as last_at, max(done.until) as done_until
    from ${MASKED_TEXTS}
    left join (select user_id, max(until) as until from masked_text_views
      where is_done and until >= ${since} group by user_id) done using (user_id)
    where at >= ${since} and at > coalesce(done.until, '-infinity')
    group by user_id order by count(*) desc, user_id limit ${limit}`.execute(db)
  return rows
}

/** Masked texts of a user: those after a moment, the oldest first; null: all, the newest first. */
export async function readMaskedTexts(
  db: Db,
  user_id: UserId,
  { after, limit }: { readonly after: Temporal.Instant | null; readonly limit: number },
): Promise<MaskedText[]> {
  const page = after === null ? sql`order by at desc` : sql`and at > ${after} order by at`
  const { rows } = await sql<MaskedText>`
    select kind, place_id, partner_id, original, masked, at
    from ${MASKED_TEXTS} where user_id = ${user_id} ${page} limit ${limit}`.execute(db)
  return rows
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
