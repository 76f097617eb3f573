import { sql } from 'kysely'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/app.ts'

/**
 * All writes of this module. Each write is one statement, so that the rows and the count change together or
 * not at all (F3).
 */

/** Adds a favourite, or returns the id of the existing row. */
export async function add(
  tx: Tx,
  owner_id: UserId,
  user_id: UserId,
): Promise<{ favourite_id: number; added: boolean }> {
  const { rows } = await sql<{ favourite_id: number; added: boolean }>`
    with favourite as (
      insert into favourites (owner_id, user_id, at) values (${owner_id}, ${user_id}, ${tx.now})
      -- The update changes nothing, but makes an existing row return its id; xmax is 0 for a new row.
      on conflict (owner_id, user_id) do update set user_id = excluded.user_id
      returning id as favourite_id, (xmax = 0) as added
    ), counted as (
      update users set favourites_count = favourites_count + 1
      where id = ${owner_id} and (select added from favourite)
    )
    select favourite_id, added from favourite`.execute(tx)
  return rows[0]!
}

/** Removes a favourite and returns the id of its row. Undefined if there was no row. */
export async function remove(
  tx: Tx,
  owner_id: UserId,
  user_id: UserId,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with removed as (
      delete from favourites where owner_id = ${owner_id} and user_id = ${user_id} returning id
    ), counted as (
      update users set favourites_count = favourites_count - 1
      where id = ${owner_id} and exists (select from removed)
    )
    select id from removed`.execute(tx)
  return rows[0]?.id
}

/**
 * Removes at most `limit` rows in which this user is the owner or the favourite. Returns the removed rows. The rows of the
 * owners are locked in their order, so two erasures never wait for each other.
 */
export async function removeSome(
  tx: Tx,
  user_id: UserId,
  limit: number,
): Promise<readonly { owner_id: UserId; favourite_id: number }[]> {
  const { rows } = await sql<{ owner_id: UserId; favourite_id: number }>`
    with chosen as materialized (
      select id, owner_id from favourites where owner_id = ${user_id} or user_id = ${user_id}
      order by owner_id limit ${limit}
    ), locked as materialized (
      select id from users where id in (select owner_id from chosen) order by id for no key update
    ), removed as (
      delete from favourites using chosen
      where favourites.id = chosen.id and exists (select from locked where locked.id = chosen.owner_id)
      returning favourites.owner_id, favourites.id
    ), counted as (
      update users set favourites_count = favourites_count - per_owner.removed_count
      from (select owner_id, count(*)::integer as removed_count from removed group by owner_id) per_owner
      where users.id = per_owner.owner_id
    )
    select owner_id, id as favourite_id from removed order by owner_id`.execute(tx)
  return rows
}
