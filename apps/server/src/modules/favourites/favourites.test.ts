import { toGender } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal } from 'node:assert/strict'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { eraseFavourites } from './on-domain-events.ts'

/** The number of rows and the stored count of the owner. */
async function rowsAndCount(testApp: TestApp, owner_id: number) {
  const { length } = await testApp.app.db
    .selectFrom('favourites')
    .select('id')
    .where('owner_id', '=', owner_id)
    .execute()
  const { favourites_count } = await testApp.app.db
    .selectFrom('users')
    .select('favourites_count')
    .where('id', '=', owner_id)
    .executeTakeFirstOrThrow()
  return [length, favourites_count]
}

story(
  'a favourite can be added, listed, counted and removed',
  async ({ boris, anna, vera, nina }) => {
    const { favourite_id } = await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await boris.heard('add_favourite_success', { favourite_id, user_id: anna.id }, { times: 1 })
    await anna.heard('added_your_favorites', { user_id: boris.id, nick: 'Boris' }, { times: 1 })
    for (const girl of [vera, nina]) await boris.act('ADD_FAVOURITE', { user_id: girl.id })
    const first = await boris.get('favourites_pagination', { 'per-page': 2 })
    deepEqual(
      [first.items.map(({ nick }) => nick), first.total, first.next],
      [['Nina', 'Vera'], 3, true],
    )
    const second = await boris.get('favourites_pagination', { 'per-page': 2, page: 2 })
    deepEqual(
      [second.items.map(({ nick, favourite_id }) => [nick, favourite_id]), second.next],
      [[['Anna', favourite_id]], false],
    )
    deepEqual((await boris.get('favourites_pagination', { page: 9 })).items, [])
    equal((await boris.get('check_favourite', { check_user_id: anna.id })).is_favorite, true)
    equal((await anna.get('check_favourite', { check_user_id: boris.id })).is_favorite, false)
    equal((await boris.act('REMOVE_FAVOURITE', { user_id: anna.id })).favourite_id, favourite_id)
    await boris.heard('remove_favourite_success', { favourite_id, user_id: anna.id }, { times: 1 })
    equal((await boris.get('count_favourites')).count, 2)
    await boris.isRefused('not_found', () => boris.act('REMOVE_FAVOURITE', { user_id: anna.id }))
  },
)

story(
  'favourites far down the list are read by a place, which holds while others are added and removed',
  async ({ testApp, boris, anna }) => {
    await testApp.database.pool.query(
      `with kept as (
         insert into users (id, role, nick, email, password_hash, birthday, ref_code, registered_at, created_at)
         select 1000000 + n, 'girl', 'Girl ' || n, n || '@test.example', '', date '1995-05-05', 'B' || n, $1, $1
         from generate_series(1, 1100) n returning id
       ), counted as (update users set favourites_count = 1100 where id = $2)
       insert into favourites (owner_id, user_id, at) select $2, id, $1 from kept order by id`,
      [testApp.clock.now().toString(), boris.id],
    )
    const read = (query: { page: number; after?: string }) =>
      boris.get('favourites_pagination', { 'per-page': 50, ...query })
    const found: number[] = []
    let answer = await read({ page: 1 })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    for (let page = 2; ; page += 1) {
      found.push(...answer.items.map(({ id }) => id))
      if (answer.after === undefined) break
      await boris.act('REMOVE_FAVOURITE', { user_id: found.at(-1)! })
      answer = await read({ page, after: answer.after })
    }
    deepEqual(
      found,
      Array.from({ length: 1100 }, (_, index) => 1_001_100 - index),
    )
    equal(answer.next, false)
    const last = await read({ page: 20 })
    deepEqual([last.items.length, last.next, last.after !== undefined], [50, true, true])
    deepEqual((await read({ page: 21 })).items, [])
    await boris.isRefused('invalid', () => read({ page: 2, after: 'elsewhere' }))
  },
)

story(
  'a user who is added and removed again and again hears of it once',
  async ({ boris, anna }) => {
    for (let time = 0; time < 5; time += 1) {
      await boris.act('ADD_FAVOURITE', { user_id: anna.id })
      await boris.act('REMOVE_FAVOURITE', { user_id: anna.id })
    }
    await anna.heard('added_your_favorites', { user_id: boris.id }, { times: 1 })
    const { changes } = await anna.act('GET_CHANGES', { since: 0 })
    equal(changes.filter(({ event }) => event === 'added_your_favorites').length, 1)
  },
)

story(
  'rejects the viewer, a guest and an unknown user as a favourite',
  async ({ boris, gina, anna }) => {
    await gina.act('UPDATE_PROFILE', { gender: toGender('girl') })
    for (const user_id of [boris.id, gina.id, 2_000_000_000]) {
      await boris.isRefused('not_found', () => boris.act('ADD_FAVOURITE', { user_id }))
      await boris.isRefused('not_found', () => boris.act('REMOVE_FAVOURITE', { user_id }))
    }
    await boris.isRefused('not_found', () =>
      boris.get('check_favourite', { check_user_id: gina.id }),
    )
    for (const action of ['ADD_FAVOURITE', 'REMOVE_FAVOURITE']) {
      for (const wrong of [
        {},
        { user_id: '1' },
        { user_id: 0 },
        { user_id: -1 },
        { user_id: 1.5 },
        { user_id: 2 ** 53 },
        { user_id: null },
      ])
        deepEqual(await refusedFields(boris, action, wrong), ['user_id'])
      await gina.isRefused('registered_only', () =>
        gina.act(action as 'ADD_FAVOURITE', { user_id: anna.id }),
      )
    }
    for (const query of [
      { page: 0 },
      { page: 'x' },
      { 'per-page': 51 },
      { 'per-page': 0 },
    ] as Record<string, string | number>[])
      await boris.isRefused('invalid', () => boris.get('favourites_pagination', query))
    for (const query of [{}, { check_user_id: 'x' }, { check_user_id: '0' }])
      await boris.isRefused('invalid', () =>
        boris.get('check_favourite', query as Record<string, string>),
      )
    await gina.isRefused('registered_only', () => gina.get('favourites_pagination'))
    await gina.isRefused('registered_only', () => gina.get('count_favourites'))
  },
)

story(
  'favourites of another user cannot be read or removed',
  async ({ testApp, boris, carl, anna }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await carl.isRefused('not_found', () => carl.act('REMOVE_FAVOURITE', { user_id: anna.id }))
    deepEqual(
      (await carl.get('favourites_pagination', { user_id: boris.id, owner_id: boris.id })).items,
      [],
    )
    deepEqual(await rowsAndCount(testApp, boris.id), [1, 1])
  },
)

story(
  'a block removes the favourites between two users, and prevents new ones',
  async ({ testApp, boris, anna }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    await anna.act('BLOCK_USER', { user_id: boris.id })
    for (const user of [boris, anna]) {
      await user.heard('remove_favourite_success', {}, { times: 1 })
      deepEqual((await user.get('favourites_pagination')).items, [])
      deepEqual(await rowsAndCount(testApp, user.id), [0, 0])
    }
    await boris.isRefused('blocked', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    await anna.isRefused('blocked', () => anna.act('ADD_FAVOURITE', { user_id: boris.id }))
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
  },
)

story(
  'no favourite remains between blocked users when a block and a favourite are added at the same moment',
  async ({ testApp, boris, anna }) => {
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        boris.tryAct('ADD_FAVOURITE', { user_id: anna.id }),
        anna.tryAct('BLOCK_USER', { user_id: boris.id }),
        anna.tryAct('ADD_FAVOURITE', { user_id: boris.id }),
      ])
      deepEqual(
        [await rowsAndCount(testApp, boris.id), await rowsAndCount(testApp, anna.id)],
        [
          [0, 0],
          [0, 0],
        ],
      )
      await anna.act('UNBLOCK_USER', { user_id: boris.id })
    }
  },
)

story(
  'the count equals the number of rows after concurrent additions and removals',
  async ({ testApp, boris, anna, vera }) => {
    await together(20, (index) =>
      boris.tryAct(index % 3 === 0 ? 'REMOVE_FAVOURITE' : 'ADD_FAVOURITE', {
        user_id: index % 2 ? anna.id : vera.id,
      }),
    )
    const [rows, count] = await rowsAndCount(testApp, boris.id)
    equal(rows, count)
    equal((await boris.get('count_favourites')).count, rows)
  },
)

story(
  'a change about a new favourite shows the current nick of its owner',
  async ({ boris, anna }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await boris.act('UPDATE_PROFILE', { nick: 'Boris the Great' })
    const [change] = (await anna.act('GET_CHANGES', { since: 0 })).changes
    deepEqual(change!.payload, { user_id: boris.id, nick: 'Boris the Great', change_id: 1 })
  },
)

story(
  'when a user is deleted, the owners of the favourite are notified and both counts are right',
  async ({ testApp, boris, anna, vera }) => {
    for (const owner of [anna, vera]) await owner.act('ADD_FAVOURITE', { user_id: boris.id })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await testApp.app.transact((tx) => testApp.app.eraseUser(tx, boris.id))
    for (const owner of [anna, vera]) {
      await owner.heard('remove_favourite_success', { user_id: boris.id }, { times: 1 })
      deepEqual(await owner.get('count_favourites'), { count: 0 })
    }
    await boris.notHeard('remove_favourite_success')
  },
)

story(
  'the erasure of a favourite of many owners takes steps, and no step changes more than five hundred',
  async ({ testApp, anna }) => {
    const { pool } = testApp.database
    const now = testApp.clock.now().toString()
    await pool.query(
      `with owners as (
         insert into users (id, created_at, favourites_count)
         select 1000000 + n, $1, 1 from generate_series(1, 1100) n returning id)
       insert into favourites (owner_id, user_id, at) select id, $2, $1 from owners`,
      [now, anna.id],
    )
    const left = async () => {
      const { rows } = await pool.query(
        `select count(*)::integer as favourites,
           (select sum(favourites_count)::integer from users where id > 1000000) as counted
         from favourites where user_id = $1`,
        [anna.id],
      )
      return Object.values(rows[0]!)
    }
    const step = () => testApp.app.transact((tx) => eraseFavourites(tx, anna.id))
    const seen: unknown[] = []
    while ((await step()) === 'more') seen.push(await left())
    deepEqual(seen, [
      [600, 600],
      [100, 100],
    ])
    deepEqual(await left(), [0, 0])
  },
)
