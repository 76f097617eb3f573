import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

/** A picture that a message brings into its dialog. */
export interface SentPicture {
  readonly media_id: string
  readonly message_id: number
  readonly receiver_id: UserId
  readonly picture_waits: boolean
}

/** A statement of its own, because few batches have a picture: the others do not pay for it. */
export async function setPictures(tx: Tx, sent: readonly SentPicture[]): Promise<void> {
  const ids = sent.map(({ message_id }) => message_id)
  const pictures = sent.map(({ media_id }) => media_id)
  const waits = sent.map(({ picture_waits }) => picture_waits)
  await sql`
    update messages set media_id = sent.media_id, picture_waits = sent.picture_waits
    from unnest(${ids}::bigint[], ${pictures}::uuid[], ${waits}::boolean[]) as sent (id, media_id, picture_waits)
    where messages.id = any(${ids}::bigint[]) and messages.id = sent.id`.execute(tx)
}

/**
 * The picture of this message does not wait any more. Returns when the message disappears. If it was read
 * while the picture waited, that is `shownUntil`, else null. A message that was read with Premium stays.
 * The hour of a locked message has not begun.
 */
export async function endWaiting(
  tx: Tx,
  message_id: number,
  shownUntil: Temporal.Instant | null,
): Promise<Temporal.Instant | null> {
  const { rows } = await sql<{ vanish_at: Temporal.Instant | null }>`
    update messages set picture_waits = false,
      vanish_at = case when read_at is not null and not read_premium and not read_locked then ${shownUntil}::timestamptz end
    where id = ${message_id} and picture_waits and removed_at is null
    returning vanish_at`.execute(tx)
  return rows[0]?.vanish_at ?? null
}
