import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'

/** Every write of this module, each a single statement with its condition: row and count change together or not at all. */

export async function add(
  tx: Tx,
  owner_id: UserId,
  user_id: UserId,
): Promise<{ favourite_id: number; added: boolean }> {
  const { rows } = await sql<{ favourite_id: number; added: boolean }>`
    with kept as (
      insert into favourites (owner_id, user_id, at) values (${owner_id}, ${user_id}, ${tx.now})
      -- A no-op update returns the row that is there already; xmax tells the two apart.
      on conflict (owner_id, user_id) do update set user_id = excluded.user_id
      returning id as favourite_id, (xmax = 0) as added
    ), counted as (
      update users set favourites_count = favourites_count + 1 where id = ${owner_id} and (select added from kept)
    )
    select favourite_id, added from kept`.execute(tx)
  return rows[0]!
}

/** The id of what was let go, or nothing when it was not kept. */
export async function remove(
  tx: Tx,
  owner_id: UserId,
  user_id: UserId,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with gone as (
      delete from favourites where owner_id = ${owner_id} and user_id = ${user_id} returning id
    ), counted as (
      update users set favourites_count = favourites_count - 1 where id = ${owner_id} and exists (select from gone)
    )
    select id from gone`.execute(tx)
  return rows[0]?.id
}

export async function removeAllOf(tx: Tx, user_id: UserId): Promise<void> {
  await sql`
    with gone as (
      delete from favourites where owner_id = ${user_id} or user_id = ${user_id} returning owner_id
    )
    update users set favourites_count = favourites_count - of.gone
    from (select owner_id, count(*)::integer as gone from gone group by owner_id) of
    where users.id = of.owner_id`.execute(tx)
}
