import { randomUUID } from 'node:crypto'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { hashToken, newToken } from '@duet/server/lib/ids.ts'
import type { Database } from '@duet/server/platform/database/open.ts'

/** A member who may search, with a login. */
export interface SearcherRow {
  readonly id: number
  readonly token: string
  readonly tab_id: string
}

/**
 * Adds members as rows, because a thousand registrations would take the time of a thousand hashed passwords. Girls are
 * verified and have a portrait, guys have free seconds.
 */
export async function addSearcherRows(
  { pool }: Pick<Database, 'pool'>,
  role: Role,
  count: number,
): Promise<SearcherRow[]> {
  const members = Array.from({ length: count }, () => ({
    token: newToken(),
    tab_id: randomUUID(),
  }))
  const { rows } = await pool.query<{ user_id: number }>(
    `with hash as (select value, n from unnest($1::bytea[]) with ordinality as given (value, n)),
          person as (
            insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at, created_at, registered_at, verified_at)
            select nextval('user_ids'), $2, $2, $2 || ' ' || n, $2 || n || '@bench.test', 'none', '1990-01-01', $2 || n, now(), now(), now(), case when $2 = 'girl' then now() end
            from hash
            returning id, email),
          login as (
            insert into logins (user_id, token_hash, created_at, used_at)
            select person.id, hash.value, now(), now() from hash join person on person.email = $2 || hash.n || '@bench.test')
     select person.id as user_id from hash join person on person.email = $2 || hash.n || '@bench.test' order by hash.n`,
    [members.map(({ token }) => hashToken(token)), role],
  )
  const ids = rows.map(({ user_id }) => user_id)
  if (role === 'guy')
    await pool.query(
      'insert into free_quotas (user_id, seconds) select id, 60 from unnest($1::int8[]) as id',
      [ids],
    )
  else {
    await pool.query(
      `insert into media (id, owner_id, product, kind, width, height, status, created_at)
       select gen_random_uuid(), id, 'avatar', 'photo', 600, 800, 'ready', now() from unnest($1::int8[]) as id`,
      [ids],
    )
    await pool.query(
      'update users set avatar_id = media.id from media where media.owner_id = users.id and users.id = any($1)',
      [ids],
    )
  }
  return members.map((member, at) => ({ ...member, id: ids[at]! }))
}
