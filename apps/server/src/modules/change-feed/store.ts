import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/**
 * Takes the user's next number and writes the row, in one statement, and returns the number. The lock on the head is
 * held until the commit, so that there are no gaps (C1).
 */
export async function appendChange(
  tx: Tx,
  user_id: UserId,
  event: string,
  payload: object,
): Promise<number> {
  const { rows } = await sql<{ change_id: number }>`
    with drawn as (
      insert into change_heads (user_id, head) values (${user_id}, 1)
      on conflict (user_id) do update set head = change_heads.head + 1
      returning head
    )
    insert into changes (user_id, change_id, event, payload, at)
    select ${user_id}, head, ${event}, ${JSON.stringify(payload)}::jsonb, ${tx.now} from drawn
    returning change_id`.execute(tx)
  return rows[0]!.change_id
}

/**
 * Deletes changes that are older than the wire promises; a client that asks for them is told to fetch its state again.
 * The newest row of each user stays: it holds the user's place in the numbers.
 */
export async function purgeChanges(
  tx: Tx,
  before: Temporal.Instant,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from changes using (
      select old.user_id, old.change_id, old.at from changes old join change_heads of on of.user_id = old.user_id
      where old.at < ${before} and old.change_id < of.head limit ${limit}) old
    where (changes.user_id, changes.change_id, changes.at) = (old.user_id, old.change_id, old.at)`.execute(
    tx,
  )
  return Number(numAffectedRows)
}
