import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { isHeld } from '../privacy/index.ts'
import type { DialogView } from './queries.ts'

/*
 * Writes to dialogs and their views. A row of dialog_members changes only while the row of its dialog is
 * locked. So simultaneous reading, sending and cleaning count every message exactly once. Messages are sent
 * in sending/message-store.ts.
 */

export interface Pair {
  readonly guy_id: UserId
  readonly girl_id: UserId
}

/** One side of a locked dialog. */
export interface LockedView {
  readonly dialog_id: number
  readonly interlocutor_id: UserId
  readonly hidden: boolean
  readonly unread: number
  readonly last_message_id: number | null
}

/** Locks the dialog of a pair until the transaction ends. Undefined without a dialog. */
export async function lockPairDialog(
  tx: Tx,
  { guy_id, girl_id }: Pair,
): Promise<number | undefined> {
  const row = await tx
    .selectFrom('dialogs')
    .select('id')
    .where('guy_id', '=', guy_id)
    .where('girl_id', '=', girl_id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.id
}

/**
 * Locks a dialog of this user until the transaction ends, and reads the user's view of the dialog.
 * Undefined if the user is not a party to the dialog.
 */
export async function lockView(
  tx: Tx,
  { dialog_id, user_id }: DialogView,
): Promise<LockedView | undefined> {
  const dialog = await tx
    .selectFrom('dialogs')
    .select(['id', 'last_message_id'])
    .where('id', '=', dialog_id)
    .where((own) => own.or([own('guy_id', '=', user_id), own('girl_id', '=', user_id)]))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!dialog) return undefined
  // A statement of its own: it sees what was committed before the lock was taken.
  const view = await tx
    .selectFrom('dialog_members')
    .select(['dialog_id', 'interlocutor_id', 'hidden', 'unread'])
    .where('dialog_id', '=', dialog_id)
    .where('user_id', '=', user_id)
    .executeTakeFirstOrThrow()
  return { ...view, last_message_id: dialog.last_message_id }
}

/** Opens a dialog. The user who opens it sees it at once, the other user with the first message. */
export async function insertDialog(
  tx: Tx,
  { guy_id, girl_id }: Pair,
  openerId: UserId,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with opened as (
      insert into dialogs (guy_id, girl_id, created_at) values (${guy_id}, ${girl_id}, ${tx.now}) returning id
    ), views as (
      insert into dialog_members (dialog_id, user_id, interlocutor_id, activity_id, hidden, favourite)
      select opened.id, user_id, interlocutor_id, nextval('message_ids'), user_id <> ${openerId},
        exists (select from favourites f where f.owner_id = sides.user_id and f.user_id = sides.interlocutor_id)
      from opened, (values (${guy_id}::bigint, ${girl_id}::bigint), (${girl_id}::bigint, ${guy_id}::bigint))
        sides (user_id, interlocutor_id)
    )
    select id from opened`.execute(tx)
  return rows[0]!.id
}

/** Puts a dialog back into the view of this user, as the most recent dialog. */
export async function showDialog(tx: Tx, { dialog_id, user_id }: DialogView): Promise<void> {
  await tx
    .updateTable('dialog_members')
    .set({ hidden: false, activity_id: sql<number>`nextval('message_ids')` })
    .where('dialog_id', '=', dialog_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Takes every message out of the view of this user, and with `hide` the dialog itself. The dialog is locked. */
export async function cleanView(
  tx: Tx,
  user_id: UserId,
  { dialog_id, unread, last_message_id }: LockedView,
  { hide }: { readonly hide: boolean },
): Promise<void> {
  await sql`
    with cleaned as (
      update dialog_members set cleaned_to = greatest(cleaned_to, ${last_message_id ?? 0}::bigint), unread = 0,
        pushed = false,
        hidden = hidden or ${hide}::boolean
      where dialog_id = ${dialog_id} and user_id = ${user_id}
    )
    update unread_counts set count = count - ${unread}::integer
    where user_id = ${user_id} and ${unread}::integer > 0`.execute(tx)
}

interface Reading {
  readonly ids: readonly number[]
  readonly vanish_at: Temporal.Instant | null
  /** The reader has not confirmed the age, and sees no picture. */
  readonly pictures_locked: boolean
}

interface ReadMessage {
  readonly id: number
  readonly vanish_at: Temporal.Instant | null
}

/**
 * Marks messages of a locked dialog read by their receiver. Returns the newly read messages, each with its
 * present time. `vanish_at` is for the messages of a girl. Null: they stay.
 */
export async function markRead(
  tx: Tx,
  { dialog_id, user_id }: DialogView,
  { ids, vanish_at, pictures_locked }: Reading,
): Promise<readonly ReadMessage[]> {
  const { rows } = await sql<ReadMessage>`
    with view as (
      select cleaned_to from dialog_members where dialog_id = ${dialog_id} and user_id = ${user_id}
    ), read as (
      update messages set read_at = ${tx.now},
        read_premium = picture_waits and ${vanish_at}::timestamptz is null,
        read_locked = type = 'image' and ${pictures_locked}::boolean and ${vanish_at}::timestamptz is not null,
        vanish_at = case
          when type = 'text' or (type = 'image' and not picture_waits and not ${pictures_locked}::boolean)
          then ${vanish_at}::timestamptz
        end
      from view
      where id = any(${[...ids]}::bigint[]) and dialog_id = ${dialog_id} and receiver_id = ${user_id} and read_at is null
        and removed_at is null and id > view.cleaned_to
      returning id, messages.vanish_at
    ), counted as (
      update dialog_members set unread = unread - (select count(*) from read), pushed = false
      where dialog_id = ${dialog_id} and user_id = ${user_id} and exists (select from read)
    ), total as (
      update unread_counts set count = count - (select count(*) from read)
      where user_id = ${user_id} and exists (select from read)
    )
    select id, vanish_at from read order by id`.execute(tx)
  return rows
}

/** Marks the interlocutor as a favourite in the view of this user, or takes the mark away. The dialog is locked. */
export async function setFavourite(
  tx: Tx,
  { dialog_id, user_id }: DialogView,
  on: boolean,
): Promise<void> {
  await tx
    .updateTable('dialog_members')
    .set({ favourite: on })
    .where('dialog_id', '=', dialog_id)
    .where('user_id', '=', user_id)
    .execute()
}

/** Locks the first dialog of a user in which something is left to erase. */
export async function lockDialogToErase(
  tx: Tx,
  user_id: UserId,
): Promise<(Pair & { id: number }) | undefined> {
  const { rows } = await sql<Pair & { id: number }>`
    select d.id, d.guy_id, d.girl_id from (
      (select dialog_id from dialog_members
        where user_id = ${user_id} and not hidden and not erased order by activity_id limit 1)
      union all
      (select dialog_id from dialog_members
        where user_id = ${user_id} and hidden and not erased order by dialog_id limit 1)) m
    join dialogs d on d.id = m.dialog_id limit 1 for no key update of d`.execute(tx)
  return rows[0]
}

/**
 * Removes the texts and digests of at most `limit` messages that this user wrote in a locked dialog. Returns
 * their ids.
 * If the receiver's data must be kept as evidence, the text becomes an original.
 */
export async function clearMessages(
  tx: Tx,
  { dialog_id, user_id }: DialogView,
  limit: number,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with erased as (
      select id, text, ${isHeld('messages.receiver_id')} as is_held from messages
      where dialog_id = ${dialog_id} and sender_id = ${user_id} and removed_at is null
      order by id limit ${limit}
    ), kept as (
      insert into message_originals (message_id, dialog_id, sender_id, text, at)
      select id, ${dialog_id}, ${user_id}, text, ${tx.now} from erased where is_held and text <> ''
      on conflict (message_id) do nothing
    ), cleared as (
      update messages set text = '', asked = left(asked, 0), removed_at = ${tx.now} from erased
      where messages.id = erased.id
    ), forgotten as (
      update dialogs set girl_digests = '{}' where id = ${dialog_id} and girl_id = ${user_id}
    )
    select id from erased order by id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Removes at most `limit` originals of what this user wrote in a dialog. Returns their number. If the
 * receiver's data must be kept as evidence, the originals stay until their retention ends.
 */
export async function eraseOriginals(
  tx: Tx,
  { dialog_id, user_id }: DialogView,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from message_originals where message_id in (
      select original.message_id from message_originals original
      join messages on messages.id = original.message_id
      where original.sender_id = ${user_id} and original.dialog_id = ${dialog_id}
        and not ${isHeld('messages.receiver_id')}
      limit ${limit})`.execute(tx)
  return Number(numAffectedRows)
}

/**
 * Removes at most `limit` names that a page gave to the messages of an erased user, because a page may choose any
 * text. Returns their number.
 */
export async function eraseRandomIds(tx: Tx, user_id: UserId, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update messages set random_id = null, asked = null where id in (
      select id from messages where sender_id = ${user_id} and random_id is not null limit ${limit})`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

/** Locks the counters of the two users of a locked dialog, in the order of the users, as everywhere. */
export async function lockUnreadCounts(tx: Tx, dialogId: number): Promise<void> {
  await sql`
    select from unread_counts where user_id in (select user_id from dialog_members where dialog_id = ${dialogId})
    order by user_id for no key update`.execute(tx)
}

/**
 * Takes removed messages that were unread off the counters of their receivers. The view of an erased receiver
 * counts nothing. The dialog is locked.
 */
export async function uncountRemoved(
  tx: Tx,
  dialogId: number,
  ids: readonly number[],
): Promise<void> {
  await lockUnreadCounts(tx, dialogId)
  await sql`
    with lost as (
      select v.user_id, count(*)::integer as count
      from messages m join dialog_members v on v.dialog_id = m.dialog_id and v.user_id = m.receiver_id
      where m.dialog_id = ${dialogId} and m.id = any(${[...ids]}::bigint[]) and m.removed_at is not null
        and m.read_at is null and m.id > v.cleaned_to and not v.erased
      group by v.user_id
    ), view as (
      update dialog_members v set unread = v.unread - lost.count from lost
      where v.dialog_id = ${dialogId} and v.user_id = lost.user_id
    )
    update unread_counts u set count = u.count - lost.count from lost where u.user_id = lost.user_id`.execute(
    tx,
  )
}

/** The view of an erased user is empty. The other user keeps their view. */
export async function eraseView(tx: Tx, { dialog_id, user_id }: DialogView): Promise<void> {
  await tx
    .updateTable('dialog_members')
    .set({ hidden: true, unread: 0, erased: true })
    .where('dialog_id', '=', dialog_id)
    .where('user_id', '=', user_id)
    .execute()
}
