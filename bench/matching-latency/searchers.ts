import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '@duet/server/lib/ids.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { openDatabase } from '@duet/server/platform/database/open.ts'
import type { BenchMember } from '../sockets/members.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

export interface Searchers {
  readonly guys: readonly BenchMember[]
  readonly girls: readonly BenchMember[]
}

/** Makes a database with as many guys as girls who may search, as rows, and leaves it stopped. */
export async function makeSearchers(dataDir: string, pairs: number): Promise<Searchers> {
  const database = await openDatabase({ data_dir: dataDir })
  try {
    await migrate(database.connection)
    const make = async (role: string) => {
      const members = Array.from({ length: pairs }, () => ({
        token: newToken(),
        tab_id: randomUUID(),
      }))
      await database.pool.query(
        `with hash as (select value, row_number() over () as n from unnest($1::bytea[]) as value),
              person as (
                insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at, created_at, registered_at, verified_at)
                select nextval('user_ids'), $2, $2, $2 || ' ' || n, $2 || n || '@bench.test', 'none', '1990-01-01', $2 || n, now(), now(), now(), case when $2 = 'girl' then now() end
                from hash
                returning id, email)
         insert into logins (user_id, token_hash, created_at, used_at)
         select person.id, hash.value, now(), now() from hash join person on person.email = $2 || hash.n || '@bench.test'`,
        [members.map(({ token }) => hashToken(token)), role],
      )
      return members
    }
    const searchers = { guys: await make('guy'), girls: await make('girl') }
    await database.pool.query(
      `insert into media (id, owner_id, product, kind, width, height, status, created_at)
       select gen_random_uuid(), id, 'avatar', 'photo', 600, 800, 'ready', now() from users where role = 'girl'`,
    )
    await database.pool.query(
      'update users set avatar_id = media.id from media where media.owner_id = users.id',
    )
    await database.pool.query(
      "insert into free_quotas (user_id, seconds) select id, 60 from users where role = 'guy'",
    )
    await runAsOwner(database, 'vacuum analyze')
    return searchers
  } finally {
    await database.stop()
  }
}
