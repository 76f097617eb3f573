import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { paidCall } from '@duet/testkit/calls/in-call.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { setVerified } from '../identity/index.ts'
import type { GirlList } from './girl-list.ts'
import { selectGirls } from './queries.ts'

type Query = Readonly<Record<string, string | number>>

/** The nicks of one answer. */
async function list(user: TestUser, query: Query = {}) {
  return (await user.get('girls', query)).items.map(({ nick }) => nick)
}

async function leave(testApp: TestApp, user: TestUser): Promise<void> {
  user.wire!.socket.disconnect()
  await testApp.untilGone(user.id)
  await testApp.advance('6 s')
}

story(
  'the list has the girls who are online, and with offline the others, each in one of the two',
  async ({ testApp, boris, gina, anna, vera, nina }) => {
    await testApp.advance('1 s')
    deepEqual(await list(boris), ['Anna', 'Vera'])
    deepEqual(await list(gina), ['Anna', 'Vera'])
    deepEqual(await list(boris, { offline: 1 }), [])
    await leave(testApp, anna)
    deepEqual(await list(boris), ['Vera'])
    deepEqual(await list(boris, { offline: 1 }), ['Anna'])
    deepEqual([nina.user.nick, vera.user.nick], ['Nina', 'Vera'])
    await anna.auth()
    await testApp.advance('1 s')
    // The girl who has waited longest comes first.
    deepEqual(await list(boris), ['Vera', 'Anna'])
    deepEqual(await list(boris, { sort: 'online' }), ['Anna', 'Vera'])
    const page = await boris.get('girls')
    deepEqual([page.page, page.per_page, page.total, page.next], [1, 20, null, false])
    equal(page.items[0]!.is_new, true)
    // Nina is not verified, so no list shows her.
    equal((await boris.get('girls/online')).woman, 2)
    await boris.act('SUBSCRIBTION_ROOM', { room: 'online', on: true })
    boris.forget()
    await testApp.duet('verify', vera.id, '--decline', 'other')
    await testApp.advance('1 s')
    await boris.heard('online.count', { woman: 1 }, { times: 1 })
  },
)

story(
  'a name is found by its beginning, without accents and capitals, also of a girl who is offline',
  async ({ testApp, boris, anna, vera }) => {
    await anna.act('UPDATE_PROFILE', { nick: 'Ánnabel Löwe' })
    await leave(testApp, anna)
    for (const query of ['anna', 'ÁNN', ' annabel lowe'])
      deepEqual(await list(boris, { query }), ['Ánnabel Löwe'], query)
    deepEqual(await list(boris, { query: 'Löwe' }), [])
    for (const query of ['%', '_', "a'; --", '\\', '\u{10FFFF}'])
      deepEqual(await list(boris, { query }), [], query)
    for (const other of [{ offline: 1 }, { offline: 0 }, { top: 1 }] as Query[]) {
      deepEqual(await list(boris, { query: 'vera', ...other }), [vera.user.nick])
      deepEqual(await list(boris, { query: 'anna', ...other }), ['Ánnabel Löwe'])
    }
  },
)

story('the language is that of the girl', async ({ testApp, boris, anna, vera }) => {
  await anna.act('CHANGE_LOCALE', { locale: 'pt' })
  await testApp.advance('1 s')
  deepEqual(await list(boris, { language: 'pt' }), ['Anna'])
  for (const sort of ['best', 'new', 'online'])
    deepEqual(await list(boris, { language: 'en', sort }), [vera.user.nick])
  deepEqual(await list(boris, { language: 'en', query: 'a' }), [])
  deepEqual(await list(boris, { top: 1 }), [])
})

story(
  'without Premium there is the first page of twenty, and a premium guy reads every girl once at any page size',
  async ({ testApp, boris, carl, gina }) => {
    const { girls } = await enterCrowd(testApp, { guys: 0, girls: 25, minutes: 0 })
    await testApp.advance('1 s')
    for (const user of [boris, gina]) {
      const first = await user.get('girls')
      deepEqual([first.items.length, first.next, first.after], [20, true, undefined])
      for (const query of [
        { page: 2 },
        { 'per-page': 21 },
        { after: 'x' },
        { page: 2, query: 'Girl' },
      ] as Query[])
        await user.isRefused('premium_only', () => user.get('girls', query))
      equal((await user.get('girls', { query: 'girl' })).items.length, 20)
    }
    await testApp.duet('premium', carl.id, '--days', 30)
    for (const query of [
      { sort: 'best' },
      { sort: 'new' },
      { sort: 'online' },
      { query: 'girl' },
      { language: 'en' },
    ] as Query[])
      for (const perPage of [7, 20, 50]) {
        const seen: number[] = []
        let after: string | undefined
        do {
          const page = await carl.get('girls', {
            ...query,
            'per-page': perPage,
            ...(after && { after }),
          })
          seen.push(...page.items.map(({ id }) => id))
          after = page.next ? page.after : undefined
          ok(page.next === (after !== undefined))
        } while (after !== undefined)
        deepEqual(seen.toSorted(), girls.map(({ id }) => id).toSorted(), JSON.stringify(query))
      }
    const numbered = [1, 2, 3].map(async (page) => list(carl, { page, 'per-page': 10 }))
    equal(new Set((await Promise.all(numbered)).flat()).size, 25)
  },
)

story(
  'pages beyond the end are empty, and a foreign place, a long name and an unknown language are refused',
  async ({ testApp, boris, carl }) => {
    await enterCrowd(testApp, { guys: 0, girls: 3, minutes: 0 })
    await testApp.advance('1 s')
    for (const guy of [boris, carl]) await testApp.duet('premium', guy.id, '--days', 30)
    const { items, next } = await carl.get('girls', { page: 9 })
    deepEqual([items, next], [[], false])
    const { after } = await carl.get('girls', { 'per-page': 1 })
    // The place belongs to the list and not to the reader.
    equal((await boris.get('girls', { 'per-page': 1, after: after! })).items.length, 1)
    for (const query of [
      { after: after!, sort: 'new' },
      { after: after!, language: 'en' },
      { after: after!, offline: 1 },
      { after: `${after!.slice(0, -6)}AAAAA=` },
      { after: 'eyJpZCI6MX0=' },
    ] as Query[])
      deepEqual(await fields(carl, query), ['after'])
    deepEqual(await fields(carl, { page: 51 }), ['page'])
    deepEqual(await fields(carl, { page: 1_000_001 }), ['page'])
    deepEqual(await fields(carl, { query: 'x'.repeat(101) }), ['query'])
    deepEqual(await fields(carl, { after: 'x'.repeat(513) }), ['after'])
    deepEqual(await fields(carl, { language: 'tlh' }), ['language'])
    deepEqual(await fields(carl, { sort: 'worst' }), ['sort'])
    deepEqual(await fields(carl, { 'per-page': 51 }), ['per-page'])
    const long = await fetch(`${testApp.origin}/api/girls?query=${'x'.repeat(1_000_000)}`)
    ok(long.status >= 400 && long.status < 500, String(long.status))
  },
)

/** The wrong fields of a refused request. */
async function fields(user: TestUser, query: Query): Promise<string[]> {
  try {
    await user.get('girls', query)
  } catch (error) {
    const { additional } = error as { additional: { fields: { path: string }[] } }
    return additional.fields.map(({ path }) => path)
  }
  return []
}

story(
  'a girl who takes calls of premium guys only is in the lists of premium guys, and a girl in her quiet hours in none',
  async ({ testApp, boris, carl, anna, vera }) => {
    await testApp.duet('premium', carl.id, '--days', 30)
    await anna.act('UPDATE_PROFILE', { premium_calls_only: true })
    const hour = testApp.clock.now().toZonedDateTimeISO('UTC').hour
    const clock = (at: number) => `${String(at % 24).padStart(2, '0')}:00`
    await vera.act('UPDATE_PROFILE', {
      quiet_hours: { from: clock(hour), to: clock(hour + 2), zone: 'UTC' },
    })
    await testApp.advance('1 s')
    deepEqual(await list(boris), [])
    deepEqual(await list(carl), ['Anna'])
    deepEqual(await list(boris, { query: 'anna' }), [])
    await testApp.leap('2 h')
    for (const user of [boris, carl, vera]) await user.auth()
    ok((await list(boris, { query: 'vera' })).includes('Vera'))
  },
)

story(
  'a shared copy is half a minute old at most, has no personal fields, and hides a girl at once',
  async ({ testApp, boris, david, anna, vera }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await testApp.advance('1 s')
    const copy = await boris.get('girls', { force_cache: 1 })
    deepEqual(
      copy.items.map(({ nick, is_favorite, can_call }) => [nick, is_favorite, can_call]),
      [
        ['Anna', false, undefined],
        ['Vera', false, undefined],
      ],
    )
    await vera.act('UPDATE_PROFILE', { nick: 'Verena' })
    deepEqual(await list(david, { force_cache: 1 }), ['Anna', 'Vera'])
    await anna.act('BLOCK_USER', { user_id: boris.id })
    deepEqual(await list(boris, { force_cache: 1 }), ['Vera'])
    deepEqual(await list(david, { force_cache: 1 }), ['Anna', 'Vera'])
    await testApp.advance('31 s')
    deepEqual(await list(david, { force_cache: 1 }), ['Anna', 'Verena'])
  },
)

story(
  'a girl is recommended for a talk, a like, the language or her place, and the reason says which',
  async ({ testApp, boris, gina, anna, vera, clara }) => {
    await testApp.advance('1 s')
    await clara.act('CHANGE_LOCALE', { locale: 'it' })
    await boris.act('LIKING_REACTION', { user_id: vera.id, like: true })
    const call = await paidCall(testApp, { guy: boris, girl: anna, minutes: 20 })
    await call.talk(125)
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    const reasons = async (user: TestUser) =>
      (await user.get('recommendations')).items.map(({ nick, reason, reason_value }) => [
        nick,
        reason,
        reason_value,
      ])
    deepEqual(await reasons(boris), [
      ['Anna', 'talked', 2],
      ['Vera', 'liked', undefined],
      ['Clara', 'best', undefined],
    ])
    const forGuest = await reasons(gina)
    deepEqual(
      forGuest.slice(0, 2).map(([, reason, value]) => [reason, value]),
      [
        ['language', 'en'],
        ['language', 'en'],
      ],
    )
    deepEqual(forGuest.at(-1), ['Clara', 'best', undefined])
    await anna.act('BLOCK_USER', { user_id: boris.id })
    deepEqual(
      (await reasons(boris)).map(([nick]) => nick),
      ['Vera', 'Clara'],
    )
  },
)

story(
  'after a restart every girl is offline in the lists until she connects',
  async ({ testApp, boris, anna }) => {
    await testApp.advance('1 s')
    deepEqual(await list(boris), ['Anna'])
    await testApp.crash()
    deepEqual(await list(boris), [])
    deepEqual(await list(boris, { offline: 1 }), ['Anna'])
    await anna.auth()
    await testApp.advance('1 s')
    deepEqual(await list(boris), ['Anna'])
  },
)

story(
  'a girl is new for a week, and then comes after girls who are new',
  async ({ testApp, boris, anna, vera }) => {
    const almostWeek = testApp.clock.now().subtract({ hours: 24 * 6 + 23 })
    await testApp.app.transact((tx) => setVerified(tx, anna.id, almostWeek))
    await testApp.advance('1 s')
    deepEqual(await list(boris), ['Anna', 'Vera'])
    await testApp.leap('2 h')
    await testApp.app.jobs.run('catalogue trials')
    for (const user of [boris, anna, vera]) await user.auth()
    await testApp.advance('1 s')
    deepEqual(await list(boris, { sort: 'best' }), ['Vera', 'Anna'])
    deepEqual(
      (await boris.get('girls')).items.map(({ is_new }) => is_new),
      [true, undefined],
    )
  },
)

/** Fills the catalogue with girls of eleven languages; a tenth of them is online. */
async function fill({ database }: TestApp, from: number, to: number): Promise<void> {
  const locale = `(array['ru','en','de','ar','fr','es','it','pt','zh','ko','ja'])[n % 11 + 1]`
  await runAsOwner(
    database,
    'set session_replication_role = replica',
    `insert into users (id, created_at, erased_at) select 1000000 + n, now(), now() from generate_series(${from}, ${to}) n`,
    `insert into catalogue_girls (girl_id, rank, name, locale, verified_ms, is_online, place)
     select 1000000 + n, n % 7, 'girl ' || n, ${locale}, n, n % 10 = 0, case when n % 10 = 0 then n else -n end
     from generate_series(${from}, ${to}) n`,
    'vacuum analyze users, catalogue_girls',
  )
}

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Loops': number
  readonly Plans?: readonly Plan[]
}

const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)]

story('of twenty thousand girls a page reads no more rows than it shows', async ({ testApp }) => {
  const all = { top: false, name: '' }
  const best = { ...all, order: 'best', is_online: false } as const
  const lists: (readonly [GirlList, (string | number)[]])[] = [
    [best, [4, -900, 1_000_900]],
    [{ ...best, language: 'pt' }, [4, -900, 1_000_900]],
    [{ ...all, order: 'new', is_online: true }, [900, 1_000_900]],
    [{ ...all, order: 'new', is_online: false, language: 'ja' }, [900, 1_000_900]],
    [{ ...all, order: 'online', is_online: true }, [900, 1_000_900]],
    [{ ...all, order: 'online', is_online: false, language: 'ko' }, [-900, 1_000_900]],
    [{ ...all, order: 'name', name: 'girl' }, ['girl 500', 1_000_500]],
    [{ ...all, order: 'name', name: 'girl 1', language: 'de' }, ['girl 10', 1_000_010]],
    [{ ...best, top: true }, [0, -900, 1_000_900]],
  ]
  const LIMIT = 21
  const read = async ([list, place]: (typeof lists)[number]) => {
    const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`
      explain (analyze, format json) ${selectGirls(list, place, LIMIT)}`.execute(testApp.app.db)
    return nodes(rows[0]!['QUERY PLAN'][0].Plan)
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => {
        const inLoop = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
        return [node['Relation Name'], inLoop * node['Actual Loops']] as const
      })
  }
  await fill(testApp, 1, 20_000)
  for (const list of lists)
    for (const [relation, rows] of await read(list))
      ok(rows <= LIMIT, `${JSON.stringify(list)} reads ${rows} rows of ${relation}`)
})
