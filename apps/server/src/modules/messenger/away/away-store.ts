import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Unread } from './away-queries.ts'

/** No further push message until the user reads. The dialogs are locked. */
export async function setPushed(tx: Tx, unread: readonly Unread[]): Promise<void> {
  await sql`
    update dialog_members m set pushed = true
    from jsonb_to_recordset(${JSON.stringify(unread)}::jsonb) as asked (dialog_id bigint, user_id bigint)
    where (m.dialog_id, m.user_id) = (asked.dialog_id, asked.user_id)`.execute(tx)
}

/** Locks the dialogs with unread messages that this user got no push message about; returns the newest of each. */
export async function lockUnreached(tx: Tx, user_id: UserId, limit: number): Promise<Unread[]> {
  const { rows: dialogs } = await sql<{ id: number }>`
    select id from dialogs where id in (
      select dialog_id from dialog_members
      where user_id = ${user_id} and not hidden and unread > 0 and not pushed
      order by activity_id desc limit ${limit})
    order by id for no key update`.execute(tx)
  if (dialogs.length === 0) return []
  const { rows } = await sql<Unread>`
    select m.dialog_id, m.user_id, newest.message_id from dialog_members m, lateral (
      select max(id) as message_id from messages
      where dialog_id = m.dialog_id and receiver_id = m.user_id and read_at is null and removed_at is null
        and id > m.cleaned_to) newest
    where m.dialog_id = any(${dialogs.map(({ id }) => id)}::bigint[]) and m.user_id = ${user_id}
      and newest.message_id is not null`.execute(tx)
  return rows
}

/** A mail is decided after `waitHours`, and at the earliest `everyHours` after the last mail. */
export async function awaitMails(
  tx: Tx,
  user_ids: readonly UserId[],
  { waitHours, everyHours }: { readonly waitHours: number; readonly everyHours: number },
): Promise<void> {
  const due = tx.now.add({ hours: waitHours })
  await sql`
    insert into message_mails as mails (user_id, due_at)
    select distinct user_id, ${due}::timestamptz from unnest(${[...user_ids]}::bigint[]) as away (user_id) order by user_id
    on conflict (user_id) do update
    set due_at = greatest(excluded.due_at, mails.mailed_at + make_interval(hours => ${everyHours}::integer))
    where mails.due_at is null`.execute(tx)
}

/** Takes the users whose mail is to be decided now; the next message sets a new time. */
export async function claimDue(tx: Tx, limit: number): Promise<readonly UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    update message_mails set due_at = null where user_id in (
      select user_id from message_mails where due_at <= ${tx.now} order by due_at limit ${limit} for update skip locked)
    returning user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

export async function setMailed(tx: Tx, user_id: UserId): Promise<void> {
  await tx
    .updateTable('message_mails')
    .set({ mailed_at: tx.now })
    .where('user_id', '=', user_id)
    .execute()
}
