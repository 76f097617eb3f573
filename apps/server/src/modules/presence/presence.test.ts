import { toGender, wireRole } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story } from '@duet/testkit/test-app.ts'
import { setActivity } from './index.ts'
import { createMemoryPresence } from './memory-presence.ts'

const offline = { status: 'offline', sub_status: null }

async function statusFor(viewer: TestUser, of: TestUser) {
  const { statuses } = await viewer.act('SUBSCRIBE', { user_ids: [of.id] })
  const { status, sub_status } = statuses[0]!
  return { status, sub_status }
}

story(
  'followers are notified when a user goes online and offline, but not of a reload',
  async ({ testApp, boris, anna, gina }) => {
    for (const follower of [boris, gina])
      deepEqual(await statusFor(follower, anna), { status: 'online', sub_status: 'free' })
    await testApp.advance('1 s')
    for (const follower of [boris, gina]) follower.forget()
    await anna.drop()
    await testApp.advance('3 s')
    await anna.comeBack()
    await testApp.advance('10 s')
    await boris.notHeard('update_status_user', { user_id: anna.id })
    await anna.drop()
    await testApp.advance('6 s')
    for (const follower of [boris, gina])
      await follower.heard('update_status_user', { user_id: anna.id, ...offline }, { times: 1 })
    await anna.comeBack()
    await testApp.advance('1 s')
    await boris.heard(
      'update_status_user',
      { user_id: anna.id, status: 'online', sub_status: 'free' },
      { times: 1 },
    )
    await boris.act('UNSUBSCRIBE', { user_ids: [anna.id] })
    await anna.act('LOGOUT', {})
    await testApp.advance('1 s')
    await gina.heard('update_status_user', { user_id: anna.id, ...offline }, { times: 2 })
    await boris.heard('update_status_user', { user_id: anna.id, ...offline }, { times: 1 })
  },
)

story('a user in a call is busy, and free after it', async ({ testApp, boris, anna, carl }) => {
  await carl.act('SUBSCRIBE', { user_ids: [boris.id, anna.id] })
  const call = await inCall(testApp, { guy: boris, girl: anna })
  await testApp.advance('1 s')
  for (const one of [boris, anna])
    await carl.heard(
      'update_status_user',
      { user_id: one.id, status: 'busy', sub_status: 'public' },
      { times: 1 },
    )
  await boris.act('BREAK_SESSION', { session_id: call.session_id })
  await testApp.advance('1 s')
  deepEqual(await statusFor(carl, boris), { status: 'online', sub_status: 'free' })
})

story('a guest who registers is online as a member at once', async ({ testApp, boris }) => {
  const guest = await testApp.guest()
  await boris.act('SUBSCRIBE', { user_ids: [guest.id] })
  deepEqual(await statusFor(boris, guest), offline)
  await guest.post('age/confirm', { confirmed: true, terms: true })
  await guest.act('UPDATE_PROFILE', {
    nick: 'Maria',
    email: 'm@duet.example',
    password: 'maria-secret-1',
    birthday: '1998-02-03',
    gender: toGender('girl'),
  })
  await testApp.advance('1 s')
  await boris.heard(
    'update_status_user',
    { user_id: guest.id, status: 'online', sub_status: 'free' },
    { times: 1 },
  )
  // She is counted when the catalogue may show her.
  equal((await boris.get('system')).women_online, 0)
})

story(
  'blocked users are offline to each other at once, also if they followed each other before',
  async ({ testApp, boris, anna, carl }) => {
    for (const one of [boris, carl]) {
      await one.act('SUBSCRIBE', { user_ids: [anna.id] })
      await one.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    }
    await anna.act('SUBSCRIBE', { user_ids: [boris.id] })
    await testApp.advance('1 s')
    for (const one of [boris, carl, anna]) one.forget()
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.heard('update_status_user', { user_id: anna.id, ...offline }, { times: 1 })
    await boris.heard('update_status_girl', { user_id: anna.id, status: 'offline' }, { times: 1 })
    await anna.heard('update_status_user', { user_id: boris.id, ...offline }, { times: 1 })
    boris.forget()
    await anna.drop()
    await testApp.advance('6 s')
    await anna.comeBack()
    await testApp.advance('1 s')
    await boris.notHeard('update_status_user')
    await boris.notHeard('update_status_girl')
    await carl.heard('update_status_user', { user_id: anna.id, status: 'online' }, { times: 1 })
    await carl.heard('update_status_girl', { user_id: anna.id, status: 'online' }, { times: 1 })
    deepEqual(await statusFor(boris, anna), offline)
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    await testApp.advance('1 s')
    await boris.heard(
      'update_status_user',
      { user_id: anna.id, status: 'online', sub_status: 'free' },
      { times: 1 },
    )
    deepEqual(await statusFor(boris, anna), { status: 'online', sub_status: 'free' })
  },
)

story(
  'the public channels publish the statuses and the count of girls only',
  async ({ testApp, boris, anna, vera, gina }) => {
    await testApp.advance('1 s')
    await gina.act('SUBSCRIBTION_ROOM', { room: 'online', on: true })
    await gina.heard('online.count', { woman: 2 }, { times: 1 })
    await boris.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    await testApp.advance('1 s')
    boris.forget()
    gina.forget()
    for (const one of [anna, vera]) await one.drop()
    await testApp.duet('user', 'show', 'boris@duet.example')
    await testApp.advance('6 s')
    await gina.heard('online.count', { woman: 0 }, { times: 1 })
    equal(gina.all('online.count').length, 1, 'two girls left within 250 ms: one count')
    for (const one of [anna, vera])
      await boris.heard('update_status_girl', { user_id: one.id, status: 'offline' }, { times: 1 })
    await gina.act('SUBSCRIBTION_ROOM', { room: 'online', on: false })
    await anna.comeBack()
    await testApp.advance('1 s')
    equal(gina.all('online.count').length, 1)
    equal((await gina.get('system')).women_online, 1)
  },
)

story(
  'a guy who goes offline is not published in the public channels',
  async ({ testApp, boris, carl }) => {
    await carl.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    await carl.act('SUBSCRIBTION_ROOM', { room: 'online', on: true })
    await testApp.advance('1 s')
    carl.forget()
    await boris.drop()
    await testApp.advance('6 s')
    deepEqual(carl.all('update_status_girl', 'update_status_user', 'online.count'), [])
  },
)

story('rejects an unknown channel; an unknown user is offline', async ({ boris, gina }) => {
  for (const room of ['user:1', wireRole('guy'), '', 'girls ', 'constructor', undefined, 5])
    deepEqual(await refusedFields(boris, 'SUBSCRIBTION_ROOM', { room, on: true }), ['room'])
  deepEqual(await refusedFields(boris, 'SUBSCRIBTION_ROOM', { room: 'girls' }), ['on'])
  const many = Array.from({ length: 201 }, (_, index) => index + 1)
  for (const action of ['SUBSCRIBE', 'UNSUBSCRIBE']) {
    for (const wrong of [{}, { user_ids: 5 }, { user_ids: many }])
      deepEqual(await refusedFields(boris, action, wrong), ['user_ids'])
    deepEqual(await refusedFields(boris, action, { user_ids: [1, 'x'] }), ['user_ids.1'])
  }
  deepEqual((await boris.act('SUBSCRIBE', { user_ids: [2_000_000_000, gina.id] })).statuses, [
    { user_id: 2_000_000_000, ...offline },
    { user_id: gina.id, ...offline },
  ])
})

story(
  'a status that changes all the time is published at most four times a second',
  async ({ testApp, boris, anna }) => {
    await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
    await testApp.advance('1 s')
    boris.forget()
    for (let change = 0; change < 20; change += 1) {
      setActivity(testApp.app, anna.id, change % 2 ? 'free' : 'searching')
      await testApp.advance('50 ms')
    }
    setActivity(testApp.app, anna.id, 'break')
    await testApp.advance('250 ms')
    await boris.heard('update_status_user', { user_id: anna.id, sub_status: 'break' })
    const updates = boris.all('update_status_user').length
    ok(updates >= 2 && updates <= 5, `${updates} updates in 1.25 s`)
  },
)

story(
  'a guest may follow the girls of the catalogue only, and no guy',
  async ({ testApp, gina, boris, anna, nina }) => {
    const { statuses } = await gina.act('SUBSCRIBE', { user_ids: [boris.id, nina.id, anna.id] })
    deepEqual(statuses, [
      { user_id: boris.id, ...offline },
      { user_id: nina.id, ...offline },
      { user_id: anna.id, status: 'online', sub_status: 'free' },
    ])
    await gina.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    await testApp.advance('1 s')
    gina.forget()
    for (const one of [boris, nina, anna]) setActivity(testApp.app, one.id, 'searching')
    await testApp.advance('1 s')
    deepEqual(
      gina.all('update_status_user', 'update_status_girl').map(({ payload }) => payload.user_id),
      [anna.id, anna.id],
    )
  },
)

story(
  'a status whose publication failed is published when the database answers again',
  async ({ testApp, boris, anna }) => {
    await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
    await testApp.advance('1 s')
    boris.forget()
    const { pool } = testApp.database
    const { connect } = pool
    setActivity(testApp.app, anna.id, 'searching')
    Object.assign(pool, { connect: () => Promise.reject(new Error('the database is away')) })
    await testApp.advance('250 ms')
    await boris.notHeard('update_status_user')
    Object.assign(pool, { connect })
    await testApp.advance('1 s')
    await boris.heard(
      'update_status_user',
      { user_id: anna.id, status: 'online', sub_status: 'searching' },
      { times: 1 },
    )
  },
)

test('the memory of a break ends with the connection, that of a call does not', () => {
  const users = createMemoryPresence()
  for (const [user_id, activity] of [
    [1, 'break'],
    [2, 'public'],
  ] as const) {
    users.setOnline(user_id, 'girl')
    users.setActivity(user_id, activity)
    users.setOffline(user_id)
  }
  deepEqual([users.getActivity(1), users.getActivity(2)], ['free', 'public'])
})
