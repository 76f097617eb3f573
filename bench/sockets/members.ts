import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '@duet/server/lib/ids.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { openDatabase } from '@duet/server/platform/database/open.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

/** A registered member, on a device that is logged in. */
export interface BenchMember {
  readonly token: string
  readonly tab_id: string
}

/**
 * Makes a database with this number of members and leaves the database stopped. The members are written as rows:
 * thousands of registrations would measure the hashing of passwords.
 */
export async function makeMembers(dataDir: string, count: number): Promise<BenchMember[]> {
  const members = Array.from({ length: count }, () => ({ token: newToken(), tab_id: randomUUID() }))
  const database = await openDatabase({ data_dir: dataDir })
  try {
    await migrate(database.connection)
    await database.pool.query(
      `with hash as (select value, row_number() over () as n from unnest($1::bytea[]) as value),
            person as (
              insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at, created_at, registered_at)
              select nextval('user_ids'), 'guy', 'guy', 'guy ' || n, n || '@bench.test', 'none', '1990-01-01', 'bench' || n, now(), now(), now()
              from hash
              returning id, email)
       insert into logins (user_id, token_hash, created_at, used_at)
       select person.id, hash.value, now(), now() from hash join person on person.email = hash.n || '@bench.test'`,
      [members.map(({ token }) => hashToken(token))],
    )
    await runAsOwner(database, 'vacuum analyze users, logins')
  } finally {
    await database.stop()
  }
  return members
}
