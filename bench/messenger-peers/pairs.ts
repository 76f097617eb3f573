import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '@duet/server/lib/ids.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { type Database, openDatabase } from '@duet/server/platform/database/open.ts'
import type { BenchMember } from '../sockets/members.ts'
import { openDialogs } from '../figures/dialogs.ts'

interface BenchUser extends BenchMember {
  readonly id: number
}

export interface BenchPair {
  readonly guy: BenchUser
  readonly girl: BenchUser
  readonly dialogId: number
}

/**
 * Makes a database of guys with Premium and credits, and leaves the database stopped. Each guy has a dialog with a
 * different girl.
 */
export async function makePairs(dataDir: string, count: number): Promise<BenchPair[]> {
  const database = await openDatabase({ data_dir: dataDir })
  try {
    await migrate(database.connection)
    const guys = await makeUsers(database, 'guy', count)
    const girls = await makeUsers(database, 'girl', count)
    const ids = (users: readonly BenchUser[]) => users.map(({ id }) => id)
    const dialogs = await openDialogs(database, ids(guys), ids(girls))
    await database.pool.query(`update dialogs set guy_wrote = true`)
    return dialogs.map((dialogId, at) => ({ guy: guys[at]!, girl: girls[at]!, dialogId }))
  } finally {
    await database.stop()
  }
}

async function makeUsers({ pool }: Database, role: string, count: number): Promise<BenchUser[]> {
  const members = Array.from({ length: count }, () => ({ token: newToken(), tab_id: randomUUID() }))
  const { rows } = await pool.query<{ id: number }>(
    `with hash as (select value, row_number() over () as n from unnest($2::bytea[]) as value),
       person as (
         insert into users (id, role, declared_role, nick, email, password_hash, birthday, ref_code, age_confirmed_at,
           created_at, registered_at, verified_at, premium_until)
         select nextval('user_ids'), $1, $1, $1 || n, $1 || n || '@bench.test', 'none', '1990-01-01', $1 || n, now(), now(),
           now(), now(), case when $1 = 'guy' then now() + interval '30 days' end
         from hash returning id, email),
       entered as (
         insert into logins (user_id, token_hash, created_at, used_at)
         select person.id, hash.value, now(), now() from hash join person on person.email = $1 || hash.n || '@bench.test')
     select person.id from hash join person on person.email = $1 || hash.n || '@bench.test' order by hash.n`,
    [role, members.map(({ token }) => hashToken(token))],
  )
  return rows.map(({ id }, at) => ({ ...members[at]!, id }))
}
