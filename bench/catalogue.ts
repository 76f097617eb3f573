/**
 * Measures a page of the catalogue, a search by name and the recommendations with more and more girls.
 *
 * Takes `--girls=100,10000,100000`: the numbers of girls, each larger than the one before.
 */
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { measureGrowth, readPlace, type Work } from './figures/growth-of-lists.ts'

const FIRST_ID = 1_000_000_000
/** Of a hundred girls, this number is online. */
const ONLINE_SHARE = 10

const testApp = await openTestApp()
try {
  const carl = await addPerson(testApp, 'carl')
  const anna = await addPerson(testApp, 'anna')
  await testApp.duet('premium', carl.id, '--days', 30)
  await measureGrowth({
    testApp,
    rows: 'girls',
    fill: (from, to) => fill(anna.id, from, to),
    createRequests: () => createRequests(carl),
  })
} finally {
  await testApp.close()
}

async function createRequests(carl: TestUser): Promise<Record<string, Work>> {
  const read = (query: Record<string, string | number>) => () => carl.get('girls', query)
  const after = await readPlace(carl, 'girls', { offline: 1 }, 4)
  return {
    'the best who are offline': read({ offline: 1 }),
    'the fifth page': read({ offline: 1, after }),
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
