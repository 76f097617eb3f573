import { randomUUID } from 'node:crypto'
import type { Ack, CallFacts, Media, Message } from '@duet/protocol'
import type pg from 'pg'
import type { TestApp } from './test-app.ts'
import { WireRefused, type TestUser } from './test-user.ts'

/** Opens the dialog of these two users, or finds their dialog. */
export async function dialogBetween(opener: TestUser, other: TestUser): Promise<number> {
  try {
    return (await opener.act('MESSENGER_START_DIALOG', { interlocutor_id: other.id })).dialog_id
  } catch (error) {
    if (error instanceof WireRefused && error.refusal === 'dialog_exists')
      return error.additional.dialog_id as number
    throw error
  }
}

/** Sends a text under a random_id of its own. */
export function writeMessage(
  sender: TestUser,
  dialogId: number,
  message: string,
  random_id: string = randomUUID(),
): Promise<Ack<'MESSAGE'>> {
  return sender.act('MESSAGE', { dialogId, message, random_id })
}

/** Everything that the database has of texts beside the texts: the digests of messages, then of dialogs. */
export async function textDigests({ database }: TestApp): Promise<readonly (string | null)[]> {
  const { rows } = await database.pool.query<{ digest: string | null }>(`
    (select asked as digest from messages order by id)
    union all (select unnest(girl_digests) from dialogs)`)
  return rows.map(({ digest }) => digest)
}

/** The picture of a message; undefined for every other type. */
export function picture(message: Message | null | undefined): Media | undefined {
  return message?.type === 'image' ? message.media : undefined
}

/** The facts of a call; undefined for every other type. */
export function callFacts(message: Message | undefined): CallFacts | undefined {
  return message?.type === 'call' ? message.call : undefined
}

/** The stored counters and places of dialogs that differ from a recount of the messages. */
export async function recountDialogs(pool: pg.Pool): Promise<object[]> {
  const { rows } = await pool.query<object>(`
    with counted as (
      select m.dialog_id, m.user_id, m.unread, m.activity_id, m.hidden,
        (select count(*)::integer from messages
          where dialog_id = m.dialog_id and receiver_id = m.user_id and read_at is null and removed_at is null
            and id > m.cleaned_to) as recount
      from dialog_members m)
    select 'unread' as what, dialog_id, user_id, unread as stored, recount as expected from counted where unread <> recount
    union all
    select 'total', null, user_id, coalesce(count, 0), recount from (
      select user_id, sum(recount)::integer as recount from counted group by user_id) totals
      left join unread_counts using (user_id) where coalesce(count, 0) <> recount
    union all
    select 'last message', id, null, last_message_id, last_id from dialogs, lateral (
      select max(id) as last_id from messages where dialog_id = dialogs.id) newest
      where last_message_id is distinct from last_id
    union all
    select 'hidden with unread', dialog_id, user_id, unread, 0 from counted where hidden and unread > 0`)
  return rows
}
