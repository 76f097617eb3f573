/**
 * Measures a page of the catalogue with 100, 10,000, 100,000 and, when asked, 1,000,000 girls: the pages of the database that
 * it reads (those in memory included), and its time beside a bare query of the same moment. Of a few girls the database reads
 * the whole table, so the last number is compared with the number before.
 *
 * Takes `--girls=100,10000,100000`: the numbers of girls, each larger than the one before.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { median } from './figures/median.ts'
import { countPages } from './figures/pages-read.ts'

const { values } = parseArgs({
  options: { girls: { type: 'string', default: '100,10000,100000' } },
})
const SIZES = values.girls.split(',').map(Number)
const ROUNDS = 15
const WARM_UP_ROUNDS = 5
const BARE = 'a bare query'
const FIRST_ID = 1_000_000_000
/** Of a hundred girls, this number is online. */
const ONLINE_SHARE = 10

type Work = () => Promise<unknown>
interface Measured {
  readonly pages: number
  readonly bare_queries: number
}

const testApp = await openTestApp()
try {
  const carl = await addPerson(testApp, 'carl')
  const anna = await addPerson(testApp, 'anna')
  await testApp.duet('premium', carl.id, '--days', 30)
  const measured: Record<string, Measured>[] = []
  for (const [place, size] of SIZES.entries()) {
    await fill(anna.id, SIZES[place - 1] ?? 0, size)
    measured.push(await measure(await createRequests(carl)))
  }
  print(measured)
} finally {
  await testApp.close()
}

async function createRequests(carl: TestUser): Promise<Record<string, Work>> {
  const read = (query: Record<string, string | number>) => () => carl.get('girls', query)
  let after: string | undefined
  for (let page = 0; page < 4; page += 1) {
    const answer = await carl.get('girls', { offline: 1, ...(after && { after }) })
    after = answer.after
  }
  return {
    [BARE]: () =>
      testApp.app.db.selectFrom('users').selectAll().where('id', '=', carl.id).execute(),
    'the best who are offline': read({ offline: 1 }),
    'the fifth page': read({ offline: 1, after: after! }),
    'the newest of a language': read({ offline: 1, sort: 'new', language: 'pt' }),
    'the latest of a language': read({ offline: 1, sort: 'online', language: 'ja' }),
    'a name': read({ query: 'girl 7' }),
    'a name of a language': read({ query: 'girl', language: 'ko' }),
    'the recommended girls': () => carl.get('recommendations'),
  }
}

/** Girls of eleven languages; some are online. They have the picture of one girl. */
async function fill(withPicture: number, from: number, to: number): Promise<void> {
  const now = `timestamptz '${testApp.clock.now().toString()}'`
  const language = `(array['ru','en','de','ar','fr','es','it','pt','zh','ko','ja'])[n % 11 + 1]`
  const ms = `(extract(epoch from ${now}) * 1000)::bigint - n % 5000000`
  const isOnline = `n % 100 < ${ONLINE_SHARE}`
  await runAsOwner(
    testApp.database,
    'set session_replication_role = replica',
    `insert into users (id, role, nick, email, password_hash, birthday, ref_code, registered_at, created_at, verified_at, locale, avatar_id)
     select ${FIRST_ID} + n, 'girl', 'Girl ' || n, n || '@bench.example', '', date '1995-05-05', 'B' || n, ${now}, ${now},
       ${now} - interval '30 days', ${language}, (select avatar_id from users where id = ${withPicture})
     from generate_series(${from + 1}, ${to}) n`,
    `insert into catalogue_girls (girl_id, rank, name, locale, verified_ms, is_online, place)
     select ${FIRST_ID} + n, case when n % 20 = 0 then 3 else 4 end, 'girl ' || n, ${language}, ${ms}, ${isOnline},
       case when ${isOnline} then 1 else -1 end * (${ms})
     from generate_series(${from + 1}, ${to}) n`,
    'vacuum analyze users, catalogue_girls',
  )
}

async function measure(works: Record<string, Work>): Promise<Record<string, Measured>> {
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    // No limit of the rates is met.
    await testApp.advance('10 s')
    for (const [name, work] of Object.entries(works)) {
      const began = performance.now()
      await work()
      if (round >= 0) times[name]!.push(performance.now() - began)
    }
  }
  const nothing = await countPages(testApp, async () => {})
  const found: Record<string, Measured> = {}
  for (const [name, work] of Object.entries(works)) {
    await testApp.advance('10 s')
    const pages = Math.max(0, (await countPages(testApp, work)) - nothing)
    found[name] = { pages, bare_queries: median(times[name]!) / median(times[BARE]!) }
  }
  return found
}

function print(measured: readonly Record<string, Measured>[]): void {
  console.log(`  ${SIZES.join(', then ')} girls; each line: pages read, then bare queries of time`)
  for (const name of Object.keys(measured[0]!)) {
    const pages = measured.map((found) => found[name]!.pages)
    const times = measured.map((found) => found[name]!.bare_queries.toFixed(1))
    const grown = pages.at(-1)! / Math.max(1, pages.at(-2) ?? 0)
    console.log(
      `  ${name}: ${pages.join(', then ')} pages = ${grown.toFixed(2)}x for the last (allowed 1.2x); ${times.join(', then ')} bare queries`,
    )
  }
}
