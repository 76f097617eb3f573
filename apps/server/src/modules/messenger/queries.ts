import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { batchedRead, inKeys } from '../../platform/database/statements/batched-read.ts'
import type { Tables } from '../../core/tables.gen.ts'
import type { DialogRights } from './rules.ts'

export type MessageRow = Selectable<Tables['messages']>

/** A message by its id; its caller checks who may read it. */
export const messageById = batchedRead<number, MessageRow>(async (db, ids) => {
  const rows = await db.selectFrom('messages').selectAll().where('id', '=', inKeys(ids)).execute()
  return new Map(rows.map((row) => [row.id, row]))
})

/** A message with what its reader is told beside it. */
export interface MessageOfReader extends MessageRow {
  readonly cleaned_to: number
  /** In all dialogs of the reader. */
  readonly unread_count: number
}

const messagesByReader = batchedRead<string, MessageOfReader>(async (db, keys) => {
  const pairs = keys.map((key) => key.split(':').map(Number))
  const { rows } = await sql<MessageOfReader & { reader_id: UserId }>`
    select m.*, asked.reader_id, view.cleaned_to, coalesce(counted.count, 0) as unread_count
    from unnest(${pairs.map(([message]) => message)}::bigint[], ${pairs.map(([, reader]) => reader)}::bigint[])
      as asked (message_id, reader_id)
    join messages m on m.id = asked.message_id
    join dialog_members view on view.dialog_id = m.dialog_id and view.user_id = asked.reader_id
    left join unread_counts counted on counted.user_id = asked.reader_id`.execute(db)
  return new Map(rows.map((row) => [`${row.id}:${row.reader_id}`, row]))
})

/** A message for one of the two of its dialog, in one statement for all that are rendered together. */
export function messageOfReader(
  db: Db,
  { message_id, reader_id }: { readonly message_id: number; readonly reader_id: UserId },
): Promise<MessageOfReader | undefined> {
  return messagesByReader(db, `${message_id}:${reader_id}`)
}

/** The number of unread messages of a user, in all dialogs. */
const unreadCounts = batchedRead<UserId, number>(async (db, ids) => {
  const rows = await db
    .selectFrom('unread_counts')
    .selectAll()
    .where('user_id', '=', inKeys(ids))
    .execute()
  return new Map(rows.map(({ user_id, count }) => [user_id, count]))
})

export async function unreadCount(db: Db, user_id: UserId): Promise<number> {
  return (await unreadCounts(db, user_id)) ?? 0
}

/** The view of one of the two of a dialog, and the rights of the dialog. */
export interface DialogRow extends DialogRights {
  readonly dialog_id: number
  readonly interlocutor_id: UserId
  readonly activity_id: number
  readonly hidden: boolean
  readonly cleaned_to: number
  readonly unread: number
  readonly last_message_id: number | null
  readonly interlocutor_role: string | null
}

const dialogsByKey = batchedRead<string, DialogRow>(async (db, keys) => {
  const pairs = keys.map((key) => key.split(':').map(Number))
  const wanted = sql`select * from dialog_members m where (m.dialog_id, m.user_id) in (
    select * from unnest(${pairs.map(([dialog]) => dialog)}::bigint[], ${pairs.map(([, user]) => user)}::bigint[]))`
  const rows = await dialogRows(db, wanted)
  return new Map(rows.map((row) => [`${row.dialog_id}:${row.user_id}`, row]))
})

/** The view that a user has of a dialog. Both ids are numbers: as two parameters they could be swapped. */
export interface DialogView {
  readonly dialog_id: number
  readonly user_id: UserId
}

/** The row of a user in a dialog, also where the dialog is not in the user's view. */
export function readDialogView(
  db: Db,
  { dialog_id, user_id }: DialogView,
): Promise<DialogRow | undefined> {
  return dialogsByKey(db, `${dialog_id}:${user_id}`)
}

/** A dialog in the view of this user; undefined if the user has no part in it or it is not in the view. */
export async function findDialog(db: Db, view: DialogView): Promise<DialogRow | undefined> {
  const row = await readDialogView(db, view)
  return row?.hidden === false ? row : undefined
}

/** The likes of a girl, and whether this guy likes her. The id 0 stands for no guy. */
export async function readLikes(
  db: Db,
  guy_id: UserId,
  girl_id: UserId,
): Promise<{ likes: number; liked: boolean }> {
  const { rows } = await sql<{ likes: number; liked: boolean }>`
    select coalesce((select count from liked_counts where user_id = ${girl_id}), 0) as likes,
      exists (select from likes where liker_id = ${guy_id} and liked_id = ${girl_id}) as liked`.execute(
    db,
  )
  return rows[0]!
}

/** The rights of a guy in his dialog with this girl. Undefined without a dialog. */
export async function rightsOfPair(
  db: Db,
  guy_id: UserId,
  girl_id: UserId,
): Promise<DialogRights | undefined> {
  const { rows } = await sql<DialogRights>`
    select * from dialog_rights where guy_id = ${guy_id} and girl_id = ${girl_id} and user_id = ${guy_id}`.execute(
    db,
  )
  return rows[0]
}

export interface DialogsRequest {
  readonly filter: 'all' | 'unread' | 'favourites'
  /** Only dialogs with less recent activity than this dialog. */
  readonly before?: number | undefined
  /** The beginning of the interlocutor's nick. */
  readonly nick?: string | undefined
  readonly limit: number
}

const FILTERS = {
  all: sql``,
  unread: sql`and m.unread > 0`,
  favourites: sql`and m.favourite`,
}

/** A page of the user's dialogs, newest activity first. Each filter has an index in this order. */
export async function dialogsPage(
  db: Db,
  user_id: UserId,
  { filter, before, nick, limit }: DialogsRequest,
): Promise<readonly DialogRow[]> {
  const rows = await dialogRows(
    db,
    sql`
      select m.* from dialog_members m
      where m.user_id = ${user_id} and not m.hidden ${FILTERS[filter]} ${nick === undefined ? sql`` : withNick(nick)}
        ${before === undefined ? sql`` : sql`and m.activity_id < ${before}`}
      order by m.activity_id desc limit ${limit}`,
  )
  return rows.toSorted((one, other) => other.activity_id - one.activity_id)
}

/** Looks each interlocutor up by id: `offset 0` keeps the planner from a join that searches all users for the nick first. */
function withNick(nick: string): RawBuilder<unknown> {
  return sql`and exists (select from users other where other.id = m.interlocutor_id
    and starts_with(lower(other.nick), lower(${nick})) offset 0)`
}

async function dialogRows(
  db: Db,
  members: RawBuilder<unknown>,
): Promise<(DialogRow & { user_id: UserId })[]> {
  const { rows } = await sql<DialogRow & { user_id: UserId }>`
    select m.user_id, m.dialog_id, m.interlocutor_id, m.activity_id, m.hidden, m.cleaned_to, m.unread,
      d.last_message_id, r.writer, r.premium_until, r.is_gone, r.is_blocked, r.is_invited, r.has_answer, r.unanswered,
      r.interlocutor_role
    from (${members}) m
    join dialogs d on d.id = m.dialog_id
    join dialog_rights r on r.dialog_id = m.dialog_id and r.user_id = m.user_id`.execute(db)
  return rows
}

/** Those of these dialogs in which a paid message since `since` waits for an answer of the girl. */
export async function dialogsWithPaid(
  db: Db,
  dialogIds: readonly number[],
  since: Temporal.Instant,
): Promise<ReadonlySet<number>> {
  if (dialogIds.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select asked.id from unnest(${[...dialogIds]}::bigint[]) as asked (id) where exists (
      select from unanswered_messages where dialog_id = asked.id and create_time > ${since})`.execute(
    db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** Those of these uploads that messages carry which this user sees now. */
export async function readMediaInView(
  db: Db,
  user_id: UserId,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ media_id: string }>`
    select m.media_id from messages m
    join dialog_members own on own.dialog_id = m.dialog_id and own.user_id = ${user_id}
    where m.media_id = any(${[...ids]}::uuid[]) and m.removed_at is null and m.id > own.cleaned_to
      and (m.vanish_at is null or m.vanish_at > ${now})`.execute(db)
  return new Set(rows.map(({ media_id }) => media_id))
}

/** The message that carries an upload, unless it is removed. */
export function messageOfMedia(db: Db, media_id: string): Promise<MessageRow | undefined> {
  return db
    .selectFrom('messages')
    .selectAll()
    .where('media_id', '=', media_id)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export interface MessagesRequest {
  readonly page?: number | undefined
  readonly before?: number | undefined
  readonly after?: number | undefined
  readonly limit: number
  readonly now: Temporal.Instant
}

/**
 * Messages of a dialog above `cleaned_to` that are not removed, oldest first: the newest messages, or the
 * first messages after `after`.
 */
export async function messagesPage(
  db: Db,
  { dialog_id, cleaned_to }: Pick<DialogRow, 'dialog_id' | 'cleaned_to'>,
  { page = 1, before, after, limit, now }: MessagesRequest,
): Promise<readonly MessageRow[]> {
  const isForward = after !== undefined
  const rows = await db
    .selectFrom('messages')
    .selectAll()
    .where('dialog_id', '=', dialog_id)
    .where('id', '>', Math.max(cleaned_to, after ?? 0))
    .where('removed_at', 'is', null)
    .where((row) => row.or([row('vanish_at', 'is', null), row('vanish_at', '>', now)]))
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', isForward ? 'asc' : 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return isForward ? rows : rows.toReversed()
}

/** When the first of these messages disappears that this user has read. */
export async function findVanishTime(
  db: Db,
  receiver_id: UserId,
  dialogId: number,
  ids: readonly number[],
): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('messages')
    .select((read) => read.fn.min('vanish_at').as('vanish_at'))
    .where('id', 'in', [...ids])
    .where('dialog_id', '=', dialogId)
    .where('receiver_id', '=', receiver_id)
    .executeTakeFirst()
  return row?.vanish_at ?? undefined
}

/** The earliest time at which a message disappears. */
export async function nextVanishing(db: Db): Promise<Temporal.Instant | undefined> {
  const row = await db
    .selectFrom('messages')
    .select('vanish_at')
    .where('vanish_at', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('vanish_at')
    .limit(1)
    .executeTakeFirst()
  return row?.vanish_at ?? undefined
}

export async function isLike(
  db: Db,
  { liker_id, liked_id }: { readonly liker_id: UserId; readonly liked_id: UserId },
): Promise<boolean> {
  const row = await db
    .selectFrom('likes')
    .select('at')
    .where('liker_id', '=', liker_id)
    .where('liked_id', '=', liked_id)
    .executeTakeFirst()
  return row !== undefined
}
