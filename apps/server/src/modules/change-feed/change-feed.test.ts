import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { sql } from 'kysely'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

const DAYS_62 = `${62 * 24} h`

/** Rows of a month without a partition move to their month first. */
async function dropOldMonths({ app }: TestApp): Promise<void> {
  await app.jobs.run('month partitions')
  await app.jobs.run('retention')
}

/** Stores durable changes, in one transaction each. */
async function addChanges(testApp: TestApp, of: TestUser, times: number): Promise<void> {
  for (let at = 1; at <= times; at += 1)
    await testApp.app.transact((tx) =>
      tx.notify(of.id, 'add_favourite_success', { favourite_id: at, user_id: of.id }),
    )
}

function ids(changes: readonly { change_id: number }[]): number[] {
  return changes.map(({ change_id }) => change_id)
}

story(
  'changes during an absence are read later, in order and without gaps',
  async ({ boris, anna, vera }) => {
    await boris.close()
    for (const one of [anna, vera]) await one.act('ADD_FAVOURITE', { user_id: boris.id })
    const { change_id } = await boris.comeBack()
    // A favourite is a change of its own and a line of the bell.
    equal(change_id, 4)
    const { changes, next, reset } = await boris.act('GET_CHANGES', { since: 0 })
    deepEqual([ids(changes), next, reset], [[1, 2, 3, 4], false, false])
    deepEqual(
      changes.map(({ event, payload }) => [event, payload.nick]),
      [
        ['added_your_favorites', 'Anna'],
        ['notice', undefined],
        ['added_your_favorites', 'Vera'],
        ['notice', undefined],
      ],
    )
    deepEqual(await boris.act('GET_CHANGES', { since: 4 }), {
      changes: [],
      next: false,
      reset: false,
    })
  },
)

story('a pushed event carries the number of its change', async ({ boris, anna }) => {
  await boris.act('ADD_FAVOURITE', { user_id: anna.id })
  const heard = await anna.heard('added_your_favorites')
  const [read] = (await anna.act('GET_CHANGES', { since: 0 })).changes
  deepEqual(read, { change_id: heard.change_id, event: 'added_your_favorites', payload: heard })
})

story('many changes are read in pages of two hundred', async ({ testApp, boris }) => {
  await addChanges(testApp, boris, 401)
  const first = await boris.act('GET_CHANGES', { since: 0 })
  deepEqual([first.changes.length, first.changes[0]!.change_id, first.next], [200, 1, true])
  const second = await boris.act('GET_CHANGES', { since: 200 })
  deepEqual([second.changes.length, second.next], [200, true])
  const third = await boris.act('GET_CHANGES', { since: 400 })
  deepEqual([ids(third.changes), third.next], [[401], false])
})

story(
  'a page of a hundred changes costs no query for each change',
  async ({ testApp, carl, anna }) => {
    await anna.act('ADD_FAVOURITE', { user_id: carl.id })
    const dialogId = await dialogBetween(anna, carl)
    await writeMessage(anna, dialogId, 'Hello')
    const { pool } = testApp.database
    const { rows: stored } = await pool.query<{ event: string; payload: object }>(
      'select event, payload from changes where user_id = $1',
      [carl.id],
    )
    const fetchQueries = async (size: number) => {
      await carl.close()
      await testApp.app.transact(async (tx) => {
        for (let at = 0; at < size; at += 1) {
          const { event, payload } = stored[at % stored.length]!
          await tx.notify(carl.id, event as never, payload as never)
        }
      })
      const { change_id } = await carl.comeBack()
      await testApp.settle()
      let queries = 0
      const count = () => void (queries += 1)
      pool.on('acquire', count)
      const { changes } = await carl.act('GET_CHANGES', { since: change_id - size })
      pool.off('acquire', count)
      equal(changes.length, size)
      return queries
    }
    const [few, many] = [await fetchQueries(10), await fetchQueries(100)]
    // Reads that meet in one moment share a query, so the two figures may differ by some.
    ok(many < few + 10, `${few} and ${many}`)
    ok(stored.length > 2, String(stored.length))
  },
)

story(
  'a month of changes is dropped thirty days after its end, and a client that needs it is told to reload',
  async ({ testApp, boris }) => {
    const { app } = testApp
    await dropOldMonths(testApp)
    await addChanges(testApp, boris, 3)
    await testApp.leap(DAYS_62)
    await addChanges(testApp, boris, 2)
    await testApp.leap(`${24 * 20} h`)
    await dropOldMonths(testApp)
    const { rows } = await sql<{ change_id: number }>`select change_id from changes`.execute(app.db)
    deepEqual(ids(rows), [4, 5])
    const old = await boris.act('GET_CHANGES', { since: 0 })
    deepEqual([ids(old.changes), old.reset], [[5], true])
    ok((await boris.act('GET_CHANGES', { since: 2 })).reset)
    const young = await boris.act('GET_CHANGES', { since: 3 })
    deepEqual([ids(young.changes), young.reset], [[4, 5], false])
  },
)

story(
  'a user without a kept change reloads and continues from the number of the login',
  async ({ testApp, boris }) => {
    await addChanges(testApp, boris, 3)
    await testApp.leap(DAYS_62)
    await dropOldMonths(testApp)
    const { change_id } = await boris.comeBack()
    equal(change_id, 3)
    deepEqual(await boris.act('GET_CHANGES', { since: 1 }), {
      changes: [],
      next: false,
      reset: true,
    })
    deepEqual((await boris.act('GET_CHANGES', { since: 3 })).reset, false)
    await addChanges(testApp, boris, 1)
    deepEqual(ids((await boris.act('GET_CHANGES', { since: 3 })).changes), [4])
  },
)

story(
  'the months of changes end: a run of the retention leaves those of the last thirty days',
  async ({ testApp, boris }) => {
    const months = async () =>
      (
        await sql<{ name: string }>`
          select inhrelid::regclass::text as name from pg_inherits
          where inhparent = 'changes'::regclass order by 1`.execute(testApp.app.db)
      ).rows.map(({ name }) => name)
    const counts: number[] = []
    for (let month = 0; month < 6; month += 1) {
      await addChanges(testApp, boris, 1)
      await testApp.leap(`${24 * 30} h`)
      await dropOldMonths(testApp)
      counts.push((await months()).length)
    }
    // The default partition, at most two months that are not old enough, this month and the next.
    ok(Math.max(...counts.slice(2)) <= 5, String(counts))
    const refused = sql`select drop_month_partitions('transfers', now())`.execute(testApp.app.db)
    await rejects(refused, { code: '42501' })
  },
)

story('a client ahead of the change log is told to reload', async ({ boris, anna }) => {
  deepEqual(await boris.act('GET_CHANGES', { since: 7 }), { changes: [], next: false, reset: true })
  await anna.act('ADD_FAVOURITE', { user_id: boris.id })
  const { changes, reset } = await boris.act('GET_CHANGES', { since: 7 })
  deepEqual([ids(changes), reset], [[2], true])
})

story(
  'the changes of another user cannot be read, and a guest has none',
  async ({ boris, anna, gina }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    deepEqual(
      ids((await boris.act('GET_CHANGES', { since: 0, user_id: anna.id } as never)).changes),
      [1],
    )
    equal((await boris.act('GET_CHANGES', { since: 0 })).changes[0]!.event, 'add_favourite_success')
    for (const wrong of [
      {},
      { since: '0' },
      { since: -1 },
      { since: 0.5 },
      { since: null },
      { since: 2 ** 53 },
    ])
      deepEqual(await refusedFields(boris, 'GET_CHANGES', wrong), ['since'])
    await gina.isRefused('registered_only', () => gina.act('GET_CHANGES', { since: 0 }))
  },
)

story('a rolled-back transaction sends nothing', async ({ testApp, boris }) => {
  const failed = testApp.app.transact(async (tx) => {
    await tx.notify(boris.id, 'add_favourite_success', { favourite_id: 1, user_id: boris.id })
    throw new Error('no')
  })
  await failed.catch(() => {})
  await boris.notHeard('add_favourite_success')
  await addChanges(testApp, boris, 1)
  await boris.heard('add_favourite_success', { change_id: 1 }, { times: 1 })
})
