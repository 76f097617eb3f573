import { deepEqual, equal } from 'node:assert/strict'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import { blockedPairs } from './queries.ts'

story(
  'a block works in both directions, is listed only for its owner, and can be removed',
  async ({ testApp, boris, anna, vera }) => {
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await testApp.advance('1 s')
    await anna.post('ban_user', {
      user: (await testApp.duet<{ id: number }>('user', 'show', 'vera@duet.example')).id,
    })
    const page = await anna.get('blocked')
    deepEqual(
      page.items.map(({ id, nick, avatar }) => [id, nick, avatar !== null]),
      [
        [vera.id, 'Vera', true],
        [boris.id, 'Boris', false],
      ],
    )
    deepEqual(Object.keys(page.items[0]!).toSorted(), ['avatar', 'create_time', 'id', 'nick'])
    deepEqual((await boris.get('blocked')).items, [])
    for (const user of [boris, anna]) {
      const other = user === boris ? anna : boris
      await user.isRefused('blocked', () => user.act('ADD_FAVOURITE', { user_id: other.id }))
      deepEqual((await user.act('SUBSCRIBE', { user_ids: [other.id] })).statuses, [
        { user_id: other.id, status: 'offline', sub_status: null },
      ])
    }
    await boris.act('UNBLOCK_USER', { user_id: anna.id })
    await boris.isRefused('blocked', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
  },
)

story(
  'a block notifies no user, and repeating it changes nothing',
  async ({ testApp, boris, anna }) => {
    await together(20, () => anna.act('BLOCK_USER', { user_id: boris.id }))
    equal((await testApp.app.db.selectFrom('blocks').select('at').execute()).length, 1)
    await boris.act('BLOCK_USER', { user_id: anna.id })
    deepEqual(
      boris.all().filter(({ event }) => event !== 'update_status_girl'),
      [],
    )
    deepEqual((await boris.act('GET_CHANGES', { since: 0 })).changes, [])
    for (let i = 0; i < 2; i += 1)
      deepEqual(await anna.act('UNBLOCK_USER', { user_id: boris.id }), {})
    await anna.isRefused('blocked', () => anna.act('ADD_FAVOURITE', { user_id: boris.id }))
  },
)

story(
  'rejects a block of oneself, of a guest and of an unknown user',
  async ({ boris, gina, anna }) => {
    for (const user_id of [boris.id, gina.id, 2_000_000_000]) {
      await boris.isRefused('not_found', () => boris.act('BLOCK_USER', { user_id }))
      await boris.isRefused('not_found', () => boris.post('ban_user', { user: user_id }))
      if (user_id !== boris.id)
        await boris.isRefused('not_found', () => boris.act('UNBLOCK_USER', { user_id }))
    }
    for (const action of ['BLOCK_USER', 'UNBLOCK_USER'])
      for (const wrong of [
        {},
        { user_id: '1' },
        { user_id: 0 },
        { user_id: [1] },
        { user_id: 2 ** 53 },
      ])
        deepEqual(await refusedFields(boris, action, wrong), ['user_id'])
    for (const wrong of [{}, { user: 'x' }, { user: '5' }, { user_id: anna.id }])
      await boris.isRefused('invalid', () => boris.post('ban_user', wrong))
    await boris.isRefused('invalid', () => boris.get('blocked', { 'per-page': 500 }))
    for (const request of [
      () => gina.act('BLOCK_USER', { user_id: anna.id }),
      () => gina.get('blocked'),
      () => gina.post('ban_user', { user: anna.id }),
    ])
      await gina.isRefused('registered_only', request)
  },
)

story(
  'the blocks of more users than a statement has parameters are read at once',
  async ({ testApp, boris, anna }) => {
    await anna.act('BLOCK_USER', { user_id: boris.id })
    const ids = [anna.id, ...Array.from({ length: 40_000 }, (_, index) => 1_000_000 + index)]
    deepEqual([...(await blockedPairs(testApp.app.db, ids)).keys()], [anna.id])
  },
)
