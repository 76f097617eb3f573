import { sql } from 'kysely'
import type { Tx } from '../../../core/app.ts'

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
