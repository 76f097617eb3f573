import { deepEqual, equal, ok } from 'node:assert/strict'
import { loadavg } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROLES, type Role } from '@duet/protocol/kernel/roles.ts'
import type { Database } from '@duet/server/platform/database/open.ts'
import { ProcessSearcher, type ServerAddress } from '@duet/testkit/calls/process-searcher.ts'
import { addSearcherRows, type SearcherRow } from '@duet/testkit/database/searcher-rows.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { freshDatabase } from '@duet/testkit/database/template.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { freePort, freshFolder, ServerProcess } from '@duet/testkit/server-process.ts'

/**
 * S1 with three server processes against one database. The long form has 2,000 searchers (`SEARCHERS`); `MATCHES` is the
 * number of offers, by default 20,000: 1,000,000 take hours on two cores.
 */
const long = process.env.PROOF === 'long'
const MATCHES = Number(process.env.MATCHES ?? (long ? 20_000 : 120))
const SEARCHERS = Number(process.env.SEARCHERS ?? (long ? 2000 : 60))
/** 2,000 pages that answer at once are more than two cores serve. */
const THINK_MS = long ? 6000 : 500
const PROCESSES = 3
const POOL = 20
const LOOK_MS = 2000
/** One of this many girls has no portrait, and one of this many people is banned. */
const UNFIT_SHARE = 50
const BLOCKS_EACH = 4
const SEED = testSeed()

const SETTINGS = {
  rematch_minutes: 0,
  rematch_last_only: 0,
  rematch_anyone: 0,
  absences_an_hour: 100,
  missed_offers: 100,
  pair_free_start: 100_000,
  free_starts_a_day: 100_000,
  bulk_bans_max: 10_000,
}

type Rows = Readonly<Record<Role, readonly SearcherRow[]>>

test(`${MATCHES} offers of ${SEARCHERS} searchers over ${PROCESSES} server processes: no user in two calls, none blocked, banned or without a portrait (seed ${SEED})`, async () => {
  const random = randomFrom(SEED)
  const database = await freshDatabase({ pool_max: 4 })
  const folders = await Promise.all(
    Array.from({ length: PROCESSES }, (_, number) => freshFolder(`processes-${number}`)),
  )
  const servers: ServerProcess[] = []
  const people: ProcessSearcher[] = []
  try {
    const rows = await addPeople(database, random)
    await runAsOwner(database, WITNESS)
    const env = { DATABASE_URL: toUrl(database), DATABASE_POOL: String(POOL) }
    for (const { path } of folders)
      servers.push(new ServerProcess({ data_dir: path, port: await freePort(), env }))
    await Promise.all(servers.map((server) => server.start()))
    for (const server of servers)
      for (const [key, value] of Object.entries(SETTINGS))
        await server.duet('settings', 'set', key, value)
    await banSome(servers[0]!, rows)
    const addresses = await Promise.all(servers.map(addressFor))
    for (const side of ROLES)
      for (const [at, row] of rows[side].entries())
        people.push(
          new ProcessSearcher({
            row,
            side,
            servers: addresses,
            server_index: at % PROCESSES,
            think_ms: THINK_MS,
            random,
          }),
        )
    const began = performance.now()
    for (const person of people) person.start()
    while ((await countOffers(database)) < MATCHES) {
      await sleep(LOOK_MS)
      for (const server of servers) ok(!server.hasFallen, server.said)
      deepEqual(await inTwoAtOnce(database), [])
    }
    const seconds = (performance.now() - began) / 1000
    await Promise.all(people.map((person) => person.close()))
    deepEqual(await inTwoAtOnce(database), [])
    deepEqual(await inTwoEver(database), [])
    deepEqual(await unfitPairs(database), [])
    await report(database, people, seconds)
    for (const server of servers) equal(server.said.includes('"level":50'), false, server.said)
  } finally {
    await Promise.all(people.map((person) => person.close()))
    for (const server of servers) await server.kill()
    await database.stop()
    for (const folder of folders) await folder.remove()
  }
})

/** Some girls without a portrait, and blocks in both directions, before anybody searches. */
async function addPeople(database: Database, random: () => number): Promise<Rows> {
  const rows = {
    guy: await addSearcherRows(database, 'guy', SEARCHERS / 2),
    girl: await addSearcherRows(database, 'girl', SEARCHERS / 2),
  }
  await database.pool.query('update free_quotas set seconds = 1000000')
  const bare = rows.girl.filter((_, at) => at % UNFIT_SHARE === 1).map(({ id }) => id)
  await database.pool.query('update users set avatar_id = null where id = any($1)', [bare])
  const owners: number[] = []
  const blocked: number[] = []
  for (const side of ROLES)
    for (const { id } of rows[side])
      for (let one = 0; one < BLOCKS_EACH; one += 1) {
        const others = rows[side === 'guy' ? 'girl' : 'guy']
        owners.push(id)
        blocked.push(others[Math.floor(random() * others.length)]!.id)
      }
  await database.pool.query(
    `insert into blocks (owner_id, blocked_id, at) select *, now() from unnest($1::int8[], $2::int8[])
     on conflict do nothing`,
    [owners, blocked],
  )
  return rows
}

async function banSome(server: ServerProcess, rows: Rows): Promise<void> {
  for (const side of ROLES)
    for (const { id } of rows[side].filter((_, at) => at % UNFIT_SHARE === 2))
      await server.duet('ban', id, '--reason', 'other', '--comment', 'proof')
}

async function addressFor({ origin }: ServerProcess): Promise<ServerAddress> {
  const system = (await (await fetch(`${origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  return { origin, key: Buffer.from(system.data.socket_secret_key, 'base64') }
}

function toUrl({ connection }: Database): string {
  const { user, database, host, port } = connection
  const url = new URL(`postgres://localhost/${database}`)
  url.username = String(user)
  url.search = new URLSearchParams({ host: String(host), port: String(port) }).toString()
  return url.href
}

async function countOffers({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ offers: number }>(
    'select count(*)::integer as offers from pairs',
  )
  return rows[0]!.offers
}

/** At this moment, by one snapshot. */
async function inTwoAtOnce({ pool }: Database): Promise<unknown[]> {
  const { rows } = await pool.query(
    `with sides as (
       select guy_id as id, 'call' as what from video_sessions where status <> 'closed'
       union all select girl_id, 'call' from video_sessions where status <> 'closed'
       union all select guy_id, 'offer' from pairs where state = 'open'
       union all select girl_id, 'offer' from pairs where state = 'open')
     select id, array_agg(what) as what from sides group by id, what having count(*) > 1`,
  )
  return rows
}

/**
 * Writes the beginning and the end of each call and offer in the order of the database. The times of rows are those of
 * three processes, so they may overlap where a call begins at the moment in which the former ends.
 */
const WITNESS = `
  create table witnessed (number bigint generated always as identity, what text, user_id bigint, change integer);
  create function witness() returns trigger language plpgsql as $$
    begin
      insert into witnessed (what, user_id, change)
        select tg_table_name, id, case when tg_op = 'INSERT' then 1 else -1 end from unnest(array[new.guy_id, new.girl_id]) as id;
      return null;
    end $$;
  create trigger witness_begin after insert on video_sessions for each row when (new.status <> 'closed') execute function witness();
  create trigger witness_end after update on video_sessions for each row
    when (old.status <> 'closed' and new.status = 'closed') execute function witness();
  create trigger witness_begin after insert on pairs for each row when (new.state = 'open') execute function witness();
  create trigger witness_end after update on pairs for each row
    when (old.state = 'open' and new.state <> 'open') execute function witness();`

/** Over the whole run: two calls, or two offers, of one user. */
async function inTwoEver({ pool }: Database): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select what, user_id from (
       select what, user_id, sum(change) over (partition by what, user_id order by number) as open from witnessed) counted
     where open not in (0, 1) limit 20`,
  )
  return rows
}

/** Offers and calls between two users who may never meet. Their number is fixed before the first search. */
async function unfitPairs({ pool }: Database): Promise<unknown[]> {
  const { rows } = await pool.query(
    `with met as (select guy_id, girl_id from pairs union select guy_id, girl_id from video_sessions)
     select 'self' as what, guy_id, girl_id from met where guy_id = girl_id
     union all select 'blocked', guy_id, girl_id from met join blocks
       on (owner_id, blocked_id) in ((guy_id, girl_id), (girl_id, guy_id))
     union all select 'banned', guy_id, girl_id from met join users on id in (guy_id, girl_id) and sanction_id is not null
     union all select 'no portrait', guy_id, girl_id from met join users on id = girl_id and avatar_id is null
     limit 20`,
  )
  return rows
}

/** Of each offer, how long both had been free to meet: the wait that is kept over an offer contains the time of that offer. */
const WAITS = `
  with sides as (
    select pair_id, opened_at, closed_at, guy_waiting_since as since, guy_id as user_id from pairs
    union all select pair_id, opened_at, closed_at, girl_waiting_since, girl_id from pairs),
  free as (
    select pair_id, opened_at, greatest(since, lag(closed_at) over (partition by user_id order by opened_at)) as since
    from sides),
  waits as (select pair_id, 1000 * extract(epoch from max(opened_at) - max(since)) as ms from free group by pair_id)
  select round(percentile_cont(0.5) within group (order by ms))::integer as wait_p50,
    round(percentile_cont(0.99) within group (order by ms))::integer as wait_p99 from waits`

/** Prints the figures, which are never asserted: the machine is shared. */
async function report(
  { pool }: Database,
  people: readonly ProcessSearcher[],
  seconds: number,
): Promise<void> {
  const { rows } = await pool.query<Record<string, number>>(
    `select (select count(*) from pairs)::integer as offers, (select count(*) from video_sessions)::integer as calls, *
     from (${WAITS}) waits`,
  )
  const { offers, calls, wait_p50, wait_p99 } = rows[0]!
  ok(calls! > offers! / 10, 'almost no offer became a call')
  const refusals = new Map<string, number>()
  for (const person of people)
    for (const [name, times] of person.refusals)
      refusals.set(name, (refusals.get(name) ?? 0) + times)
  const hops = people.reduce((sum, person) => sum + person.hops, 0)
  console.log(
    `processes: ${offers} offers and ${calls} calls in ${seconds.toFixed(0)} s, ${(offers! / seconds).toFixed(0)} offers/s, ` +
      `${hops} pages went to another process; both waited p50 ${wait_p50} ms, p99 ${wait_p99} ms; load ${loadavg()[0]!.toFixed(1)}`,
  )
  console.log(`processes: refused ${JSON.stringify(Object.fromEntries(refusals))}`)
}
