import { sql } from 'kysely'
import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'

interface ChangedMessage {
  readonly id: number
  readonly dialog_id: number
  readonly sender_id: UserId
  readonly receiver_id: UserId
}

/**
 * Removes the texts of at most `limit` messages whose time has come, and their originals. The original of a user whose data
 * staff keep as evidence stays.
 */
export async function removeVanished(tx: Tx, limit: number): Promise<readonly ChangedMessage[]> {
  const { rows } = await sql<ChangedMessage>`
    with removed as (
      update messages set text = '', removed_at = ${tx.now}
      where id in (
        select id from messages where vanish_at <= ${tx.now} and removed_at is null
        order by vanish_at limit ${limit} for update skip locked)
      returning id, dialog_id, sender_id, receiver_id
    ), originals as (
      delete from message_originals using removed where message_id = removed.id and not exists (
        select from evidence_holds h where h.user_id in (removed.sender_id, removed.receiver_id) and h.lifted_at is null)
    )
    select * from removed order by id`.execute(tx)
  return rows
}

/** The messages that this user has read and that have not disappeared yet stay. */
export async function keepVanishing(
  tx: Tx,
  receiver_id: UserId,
): Promise<readonly ChangedMessage[]> {
  const { rows } = await sql<ChangedMessage>`
    update messages set vanish_at = null
    where receiver_id = ${receiver_id} and vanish_at > ${tx.now} and removed_at is null
    returning id, dialog_id, sender_id, receiver_id`.execute(tx)
  return rows
}

/** A change of the log names at most this many messages. */
const NAMED_MAX = 200

/** Changed messages by dialog, in parts of a bounded size. */
export function byDialog(changed: readonly ChangedMessage[]) {
  const dialogs = Map.groupBy(changed, ({ dialog_id }) => dialog_id)
  return [...dialogs].flatMap(([dialog_id, messages]) => {
    const [{ sender_id, receiver_id }] = messages as [ChangedMessage]
    const ids = messages.map(({ id }) => id).toSorted((one, other) => one - other)
    return chunksOf(ids).map((message_ids) => ({
      ...{ dialog_id, message_ids },
      users: [sender_id, receiver_id],
    }))
  })
}

function chunksOf(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / NAMED_MAX) }, (_, at) =>
    ids.slice(at * NAMED_MAX, (at + 1) * NAMED_MAX),
  )
}
