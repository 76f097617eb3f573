import { sql } from 'kysely'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'

/** A message that its receiver has to read. */
export interface Unread {
  readonly dialog_id: number
  readonly message_id: number
  readonly user_id: UserId
  /** A missed call is told also where a message of the dialog was. */
  readonly is_call?: boolean
}

/** How the receiver of a message can be reached while away. */
export interface Reachable extends Unread {
  readonly is_pushed: boolean
  readonly is_mailed: boolean
}

/** Those of these unread messages whose receiver a push message or a mail is still to be written for. */
export async function reachableAmong(db: Db, unread: readonly Unread[]): Promise<Reachable[]> {
  const { rows } = await sql<Reachable>`
    select * from (
      select asked.dialog_id, asked.message_id, asked.user_id,
        u.noty_push and (not m.pushed or coalesce(asked.is_call, false))
          and exists (select from push_subscriptions s
            join logins l on l.id = s.login_id and l.ended_at is null where s.user_id = u.id) as is_pushed,
        u.noty_email and u.email_confirmed_at is not null and not exists (
          select from message_mails mails where mails.user_id = u.id and mails.due_at is not null) as is_mailed
      from jsonb_to_recordset(${JSON.stringify(unread)}::jsonb) as asked (dialog_id bigint, message_id bigint, user_id bigint, is_call boolean)
      join users u on u.id = asked.user_id and u.erased_at is null
      join dialog_members m on (m.dialog_id, m.user_id) = (asked.dialog_id, asked.user_id)) reachable
    where is_pushed or is_mailed`.execute(db)
  return rows
}

/** The interlocutors of a user's unread dialogs, the most recent first, and how many such dialogs there are up to `limit`. */
export async function unreadDialogs(
  db: Db,
  user_id: UserId,
  limit: number,
): Promise<readonly { interlocutor_id: UserId }[]> {
  return db
    .selectFrom('dialog_members')
    .select('interlocutor_id')
    .where('user_id', '=', user_id)
    .where('hidden', '=', false)
    .where('unread', '>', 0)
    .orderBy('activity_id', 'desc')
    .limit(limit)
    .execute()
}
