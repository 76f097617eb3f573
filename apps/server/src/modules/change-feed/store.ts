import { sql } from 'kysely'
import type { AppendedChange, Tx } from '../../core/app.ts'

/**
 * Takes the next numbers of the users and writes the rows, in one statement; returns the numbers in the order of the
 * changes. The locks on the heads are taken in the order of the users and held until the commit, so that there are no
 * gaps (C1) and two transactions never wait for each other.
 */
export async function appendChanges(
  tx: Tx,
  changes: readonly AppendedChange[],
): Promise<readonly number[]> {
  const asked = changes.map(({ user_id, event, payload }, n) => ({ n, user_id, event, payload }))
  const { rows } = await sql<{ change_id: number }>`
    with asked as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as asked (n integer, user_id bigint, event text, payload jsonb)
    ), drawn as (
      insert into change_heads (user_id, head)
      select user_id, count(*) from asked group by user_id order by user_id
      on conflict (user_id) do update set head = change_heads.head + excluded.head
      returning user_id, head
    ), numbered as (
      select n, asked.user_id, event, payload,
        head - count(*) over of_user + row_number() over (partition by asked.user_id order by n) as change_id
      from asked join drawn using (user_id) window of_user as (partition by asked.user_id)
    ), stored as (
      insert into changes (user_id, change_id, event, payload, at)
      select user_id, change_id, event, payload, ${tx.now} from numbered
    )
    select change_id from numbered order by n`.execute(tx)
  return rows.map(({ change_id }) => change_id)
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
