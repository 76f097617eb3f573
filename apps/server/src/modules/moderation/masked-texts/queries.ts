import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** A text as it was written and as it is shown, in a call or a dialog. */
export interface MaskedText {
  readonly kind: 'call' | 'message'
  readonly place_id: number
  readonly text_id: number
  readonly is_private: boolean
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
  select 'message' as kind, original.sender_id as user_id, message.dialog_id as place_id, message.id as text_id,
    false as is_private, message.receiver_id as partner_id, original.text as original, message.text as masked, original.at
  from message_originals original join messages message on message.id = original.message_id
  where original.at is distinct from message.removed_at
  union all
  select 'call', written.sender_id, written.session_id, written.text_id,
    coalesce(written.create_time >= call.private_at, false),
    case when call.guy_id = written.sender_id then call.girl_id else call.guy_id end,
    written.original, written.text, written.create_time
  from session_texts written join video_sessions call on call.session_id = written.session_id
  where written.original is not null) masked_texts`

/** How many masked texts of a user wait for a look of staff. */
interface MaskedCount {
  readonly user_id: UserId
  readonly messages: number
  readonly call_texts: number
  readonly first_at: Temporal.Instant
  readonly last_at: Temporal.Instant
  readonly done_until: Temporal.Instant | null
}

/** Masked texts since a moment that are not done; those after the second moment can be shown only later. */
const waitingTexts = (since: Temporal.Instant, before: Temporal.Instant) => sql`
  from ${MASKED_TEXTS}
  left join (select user_id, max(until) as until from masked_text_views
    where is_done and until >= ${since} group by user_id) done using (user_id)
  where at >= ${since} and at <= ${before} and at > coalesce(done.until, '-infinity')`

interface MaskedPage {
  readonly since: Temporal.Instant
  readonly before: Temporal.Instant
  readonly limit: number
  readonly offset?: number
  /** Not this user. */
  readonly own?: UserId | undefined
}

/** The users with masked texts since a moment that are not done, the most of them first. */
export async function countMaskedTexts(
  db: Db,
  { since, before, limit, offset = 0, own }: MaskedPage,
): Promise<MaskedCount[]> {
  const { rows } = await sql<MaskedCount>`
    select user_id, (count(*) filter (where kind = 'message'))::integer as messages,
      (count(*) filter (where kind = 'call'))::integer as call_texts, min(at) as first_at, max(at) as last_at,
      max(done.until) as done_until
    ${waitingTexts(since, before)} and user_id is distinct from ${own ?? null}::bigint
    group by user_id order by count(*) desc, user_id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** How many users wait, and since when. */
export async function countMaskedWriters(
  db: Db,
  since: Temporal.Instant,
  before: Temporal.Instant,
): Promise<{ waiting: number; oldest: Temporal.Instant | null }> {
  const { rows } = await sql<{ waiting: number; oldest: Temporal.Instant | null }>`
    select count(distinct user_id)::integer as waiting, min(at) as oldest
    ${waitingTexts(since, before)}`.execute(db)
  return rows[0]!
}

const EARLIER_MAX = 1000

/** How many masked texts of a user are kept up to a moment, at most a thousand. */
export async function countEarlierTexts(
  db: Db,
  user_id: UserId,
  until: Temporal.Instant,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select 1 from ${MASKED_TEXTS} where user_id = ${user_id} and at <= ${until} limit ${EARLIER_MAX}) earlier`.execute(
    db,
  )
  return rows[0]!.count
}

const NEIGHBOURS = 2
interface Neighbour {
  readonly kind: string
  readonly of: number
  readonly text_id: number
  readonly sender_id: UserId
  readonly text: string
}

/** The texts just before and after each of these texts, as both users saw them. */
export async function readNeighbours(db: Db, texts: readonly MaskedText[]): Promise<Neighbour[]> {
  const shown = JSON.stringify(
    texts.map(({ kind, place_id, text_id }) => ({ kind, place_id, text_id })),
  )
  const message = sql`select id as text_id, sender_id, text from messages
    where shown.kind = 'message' and dialog_id = shown.place_id and type = 'text' and removed_at is null`
  const call = sql`select text_id, sender_id, text from session_texts
    where shown.kind = 'call' and session_id = shown.place_id`
  const { rows } = await sql<Neighbour>`
    select shown.kind, shown.text_id as of, near.text_id, near.sender_id, near.text
    from jsonb_to_recordset(${shown}::jsonb) as shown (kind text, place_id bigint, text_id bigint)
    cross join lateral (
      (${message} and id < shown.text_id order by id desc limit ${NEIGHBOURS})
      union all (${message} and id > shown.text_id order by id limit ${NEIGHBOURS})
      union all (${call} and text_id < shown.text_id order by text_id desc limit ${NEIGHBOURS})
      union all (${call} and text_id > shown.text_id order by text_id limit ${NEIGHBOURS})) near
    order by near.text_id`.execute(db)
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
    select kind, place_id, text_id, is_private, partner_id, original, masked, at
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
