import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { isHeld } from '../../privacy/index.ts'

export interface ChangedMessage {
  readonly id: number
  readonly dialog_id: number
  readonly sender_id: UserId
  readonly receiver_id: UserId
  /** Undefined for a removed message. */
  readonly vanish_at?: Temporal.Instant | null
}

interface VanishedMessage extends ChangedMessage {
  readonly media_id: string | null
}

/**
 * Removes the texts of at most `limit` messages whose time has come, their digests and their originals. If the data of
 * sender or receiver must be kept as evidence, the text is kept as an original.
 */
export async function removeVanished(tx: Tx, limit: number): Promise<readonly VanishedMessage[]> {
  // Everywhere else a dialog is locked before its messages.
  await sql`
    select from dialogs where id in (
      select dialog_id from messages where vanish_at <= ${tx.now} and removed_at is null
      order by vanish_at limit ${limit})
    order by id for no key update`.execute(tx)
  const { rows } = await sql<VanishedMessage>`
    with due as (
      select id, dialog_id, sender_id, receiver_id, text, media_id,
        ${isHeld('messages.sender_id')} or ${isHeld('messages.receiver_id')} as is_held
      from messages where vanish_at <= ${tx.now} and removed_at is null
      order by vanish_at limit ${limit} for update skip locked
    ), removed as (
      update messages set text = '', asked = left(asked, 0), removed_at = ${tx.now} from due where messages.id = due.id
    ), forgotten as (
      update dialogs set girl_digests = '{}'
      where girl_digests <> '{}' and exists (
        select from due where due.dialog_id = dialogs.id and due.sender_id = dialogs.girl_id)
    ), kept as (
      insert into message_originals (message_id, dialog_id, sender_id, text, at)
      select id, dialog_id, sender_id, text, ${tx.now} from due where is_held and text <> ''
      on conflict (message_id) do nothing
    ), originals as (
      delete from message_originals using due where message_id = due.id and not due.is_held
    )
    select id, dialog_id, sender_id, receiver_id, media_id from due order by id`.execute(tx)
  return rows
}

/**
 * Removes at most `limit` originals that are older than `before`. If a user's data must be kept as
 * evidence, their originals stay.
 */
export async function removeAgedOriginals(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from message_originals where message_id in (
      select original.message_id from message_originals original
      join messages on messages.id = original.message_id
      where original.at < ${before}
        and not (${isHeld('messages.sender_id')} or ${isHeld('messages.receiver_id')})
      limit ${limit})`.execute(tx)
  return Number(numAffectedRows)
}

/** The messages that this user has read and that have not disappeared yet stay. */
export async function keepVanishing(
  tx: Tx,
  receiver_id: UserId,
): Promise<readonly ChangedMessage[]> {
  const { rows } = await sql<ChangedMessage>`
    update messages set vanish_at = null
    where receiver_id = ${receiver_id} and vanish_at > ${tx.now} and removed_at is null
    returning id, dialog_id, sender_id, receiver_id, vanish_at`.execute(tx)
  return rows
}

/**
 * Unlocks the locked pictures that this user read. The pictures disappear at `vanish_at`. Null: they stay.
 * A picture that waits for staff gets its time when it is shown.
 */
export async function unlockPictures(
  tx: Tx,
  receiver_id: UserId,
  vanish_at: Temporal.Instant | null,
): Promise<readonly ChangedMessage[]> {
  const { rows } = await sql<ChangedMessage>`
    update messages set read_locked = false,
      read_premium = picture_waits and ${vanish_at}::timestamptz is null,
      vanish_at = case when not picture_waits then ${vanish_at}::timestamptz end
    where receiver_id = ${receiver_id} and read_locked and removed_at is null
    returning id, dialog_id, sender_id, receiver_id, vanish_at`.execute(tx)
  return rows
}

/** A change of the log names at most this many messages. */
const NAMED_MAX = 200

/** Changed messages by dialog and the time at which they disappear, in parts of a bounded size. */
export function byDialog(changed: readonly ChangedMessage[]) {
  const dialogs = Map.groupBy(changed, ({ dialog_id }) => dialog_id)
  return [...dialogs].flatMap(([dialog_id, messages]) => {
    const [{ sender_id, receiver_id }] = messages as [ChangedMessage]
    const users = [sender_id, receiver_id]
    return idsByTime(messages)
      .flatMap(splitChunks)
      .map((message_ids) => ({ dialog_id, message_ids, users }))
  })
}

/** The ids of these messages, apart by the time at which they disappear: an event has one time for all of its messages. */
export function idsByTime(
  messages: readonly Pick<ChangedMessage, 'id' | 'vanish_at'>[],
): number[][] {
  const byTime = Map.groupBy(messages, ({ vanish_at }) => vanish_at?.epochNanoseconds)
  return [...byTime.values()].map((some) =>
    some.map(({ id }) => id).toSorted((one, other) => one - other),
  )
}

function splitChunks(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / NAMED_MAX) }, (_, at) =>
    ids.slice(at * NAMED_MAX, (at + 1) * NAMED_MAX),
  )
}
