import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Answer, Payload } from '@duet/protocol'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'
import { plusMs, wireTime } from '../../../lib/clock.ts'
import { collectCommands, runCommand } from '../../../platform/operator/commands.ts'

const COMMENT = 'Another person was before your camera.'
const ban = (testApp: TestApp, user: TestUser, ...more: (string | number)[]) =>
  testApp.duet<{ statement_id: number }>(
    ...['ban', user.id, '--reason', 'foreign_account', '--comment', COMMENT, ...more],
  )
const until = (testApp: TestApp, hours: number) =>
  wireTime(plusMs(testApp.app.clock.now(), hours * 3_600_000))

story(
  'a ban reaches the open page at once, with its reason, and ends the call',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    const { statement_id } = await ban(testApp, boris)
    const { moderation_info } = await boris.heard('banned')
    deepEqual(moderation_info, {
      kind: 'ban',
      reason: 'foreign_account',
      unban_time: null,
      comment: COMMENT,
      statement_id,
      can_appeal: true,
    })
    for (const one of [boris, anna])
      await one.heard('close_session', { session_id: call.session_id, reason: 'banned' })
    const answer = await boris.tryAct('MATCH_AWAIT', {})
    ok('error' in answer)
    deepEqual([answer.error.code, answer.error.additional], [500, moderation_info])
    // The signaling socket refuses too, and another login finds the same.
    boris.signal('JOIN_SESSION', { session_id: call.session_id })
    await boris.signalHeard('error_500')
    const again = await boris.auth({ login: 'boris@duet.example', password: 'boris-secret-1' })
    deepEqual(again.moderation_info, moderation_info)
    await boris.isRefused('banned', () => boris.act('MATCH_AWAIT', {}))
    // The ban is news of the change log for a page that was away.
    const { changes } = await boris.act('GET_CHANGES', { since: 0 })
    const stored = changes.filter(({ event }) => event === 'banned')
    deepEqual(
      stored.map(({ payload }) => (payload as { moderation_info: object }).moderation_info),
      [moderation_info],
    )
  },
)

story(
  'a banned user keeps the own data and reads the statement, and no statement of another user',
  async ({ testApp, boris, anna }) => {
    const { statement_id } = await ban(testApp, boris, '--until', until(testApp, 24))
    const expected = {
      id: statement_id,
      kind: 'ban',
      at: wireTime(testApp.app.clock.now()),
      reason: 'foreign_account',
      rule: 'foreign_account',
      comment: COMMENT,
      until: until(testApp, 24),
      evidence: [],
      texts: [],
      automatic: false,
      can_appeal: true,
    }
    deepEqual((await boris.get('statements')).items, [expected])
    deepEqual(await boris.get(`statements/${statement_id}`), expected)
    deepEqual((await anna.get('statements')).items, [])
    await anna.isRefused('not_found', () => anna.get(`statements/${statement_id}`))
    for (const path of ['gallery', 'notices', 'kyc', 'profile', 'user/settings', 'history_chats'])
      await boris.get(path)
    await boris.post('media/urls', { ids: [crypto.randomUUID()] })
    for (const path of ['favourites_pagination', 'blocked', 'count_favourites'])
      await boris.isRefused('banned', () => boris.get(path))
    const [notice] = (await boris.get('notices')).items
    deepEqual([notice?.kind, notice?.facts], ['statement', { what: 'ban', statement_id }])
    await boris.act('LOGOUT', {})
  },
)

story(
  'a ban ends at its time, on the open page, and the user is as before',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    await ban(testApp, boris, '--until', until(testApp, 1))
    await testApp.leap('59 min')
    await boris.isRefused('banned', () => boris.act('MATCH_AWAIT', {}))
    await testApp.advance('2 min')
    await boris.heard('unbanned', {}, { times: 1 })
    equal((await boris.act('MATCH_AWAIT', {})).state, 'waiting')
    await anna.act('MATCH_AWAIT', {})
    await anna.heard('search_pair')
    const [statement] = (await boris.get('statements')).items
    equal(statement?.lifted_at, undefined)
  },
)

story(
  'of several bans the longest counts, and lifting ends all of them',
  async ({ testApp, boris }) => {
    const longest = await ban(testApp, boris, '--until', until(testApp, 48))
    await ban(testApp, boris, '--until', until(testApp, 1))
    await boris.heard('banned', {}, { times: 1 })
    const endless = await ban(testApp, boris)
    await testApp.settle()
    deepEqual(
      boris
        .all()
        .filter(({ event }) => event === 'banned')
        .map(({ payload }) => (payload as Payload<'banned'>).moderation_info.statement_id),
      [longest.statement_id, endless.statement_id],
    )
    await testApp.leap('49 h')
    await boris.isRefused('banned', () => boris.act('MATCH_AWAIT', {}))
    await testApp.duet('unban', boris.id, '--comment', 'It was another user.')
    await boris.heard('unbanned', {}, { times: 1 })
    const { moderation_info } = await boris.auth()
    equal(moderation_info, undefined)
    const items = (await boris.get('statements')).items
    deepEqual(
      items.map(({ id, lifted_at }) => [id === longest.statement_id, lifted_at !== undefined]),
      [
        [false, true],
        [false, false],
        [true, false],
      ],
    )
  },
)

story(
  'bans are lifted and taken back while another server process owns them',
  async ({ testApp, boris, carl, anna, vera }) => {
    const manager = await openStaff(testApp, 'manager')
    const bans = []
    for (const [user, ...more] of [
      [boris],
      [carl, '--until', until(testApp, 1)],
      [anna],
      [vera, '--until', until(testApp, 1)],
    ] as const)
      bans.push((await ban(testApp, user, ...more)).statement_id)
    const { db } = testApp.app
    const lease_until = testApp.clock.now().add({ hours: 1 })
    const owner = { owner_id: 99, started_at: testApp.clock.now(), lease_until }
    await db.insertInto('process_owners').values(owner).execute()
    await db.updateTable('sanctions').set({ owner_id: 99, fence: 2 }).execute()
    for (const { id } of [boris, carl])
      await testApp.duet('unban', id, '--comment', 'a mistake', '--as', 'olga')
    for (const id of bans.slice(2))
      await manager.post(`v2/manager/statements/${id}/undo`, { reason: 'a mistake' })
    for (const user of [boris, carl, anna, vera]) await user.heard('unbanned', {}, { times: 1 })
  },
)

story(
  'a ban holds after a restart of the server, and ends at its time',
  async ({ testApp, boris }) => {
    await ban(testApp, boris, '--until', until(testApp, 1))
    await testApp.crash()
    ok((await boris.auth()).moderation_info)
    await testApp.leap('2 h')
    equal((await boris.auth()).moderation_info, undefined)
  },
)

story(
  'no other user sees or reaches a banned user on any path',
  async ({ testApp, boris, carl, anna, gina }) => {
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'hello')
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    const follow = (user: TestUser) => user.act('SUBSCRIBE', { user_ids: [anna.id] })
    for (const user of [boris, gina]) equal((await follow(user)).statuses[0]?.status, 'online')
    await gina.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    await testApp.advance('1 s')
    await ban(testApp, anna)
    await testApp.advance('1 s')
    for (const user of [boris, gina])
      await user.heard('update_status_user', { user_id: anna.id, status: 'offline' })
    await gina.heard('update_status_girl', { user_id: anna.id, status: 'offline' })
    for (const user of [boris, carl, gina])
      equal((await follow(user)).statuses[0]?.status, 'offline')
    deepEqual((await boris.get('favourites_pagination')).items, [])
    equal((await testApp.user('visitor').get('system')).women_online, 0)
    for (const user of [boris, gina])
      await user.isRefused('not_found', () =>
        user.get('girl_info', { ref_code: String(anna.user['ref_code']) }),
      )
    await carl.isRefused('not_found', () => carl.act('ADD_FAVOURITE', { user_id: anna.id }))
    const { dialog } = await boris.act('GET_DIALOG', { dialogId })
    deepEqual(
      [dialog.can_write.allowed, dialog.can_write.name, dialog.interlocutor.status],
      [false, 'not_found', 'offline'],
    )
    await boris.isRefused('not_found', () =>
      boris.act('MESSAGE', { dialogId, message: 'hello?', random_id: 'r1' }),
    )
    await testApp.duet('unban', anna.id, '--comment', 'A mistake.')
    await testApp.advance('1 s')
    await boris.heard('update_status_user', { user_id: anna.id, status: 'online' })
    equal((await boris.get('favourites_pagination')).items.length, 1)
  },
)

story(
  'a banned user learns no more who is online, and follows others again after the ban',
  async ({ testApp, boris, anna }) => {
    const follow = async () => {
      await boris.act('SUBSCRIBE', { user_ids: [anna.id] })
      await boris.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
      boris.forget()
    }
    const leave = async () => {
      await anna.close()
      await testApp.advance('6 s')
    }
    await boris.act('WANT_GIRL', { user_id: anna.id, on: true })
    await follow()
    await ban(testApp, boris)
    await leave()
    await testApp.leap('40 min')
    await anna.comeBack()
    await testApp.advance('3 s')
    for (const event of ['update_status_user', 'update_status_girl', 'wanted_girl_online'] as const)
      await boris.notHeard(event)
    deepEqual(
      (await boris.get('notices')).items.map(({ kind }) => kind),
      ['statement'],
    )
    await testApp.duet('unban', boris.id, '--comment', 'A mistake.')
    await follow()
    await leave()
    await boris.heard('update_status_user', { user_id: anna.id, status: 'offline' })
    await boris.heard('update_status_girl', { user_id: anna.id, status: 'offline' })
  },
)

story('a banned user uploads pictures for the support only', async ({ testApp, anna }) => {
  await ban(testApp, anna)
  const { moderation_info } = await anna.heard('banned')
  const stored = () => testApp.app.db.selectFrom('media').select(['id', 'product']).execute()
  const before = new Set((await stored()).map(({ id }) => id))
  for (const product of ['avatar', 'gallery', 'messenger']) {
    const bytes = await pictureBytes()
    const additional = await anna.isRefused('banned', () => uploadImage(anna, product, bytes))
    deepEqual(additional, moderation_info, product)
  }
  await uploadImage(anna, 'support', await pictureBytes())
  const added = (await stored()).filter(({ id }) => !before.has(id))
  deepEqual(
    added.map(({ product }) => product),
    ['support'],
  )
})

story(
  'a ban that is committed while the two accept ends the call that opens',
  async ({ testApp, boris, anna }) => {
    await ban(testApp, anna)
    await testApp.app.transact((tx) =>
      tx.publish('pair_accepted', {
        pair_id: crypto.randomUUID(),
        kind: 'random',
        guy_id: boris.id,
        girl_id: anna.id,
        guy_from_search: true,
        girl_from_search: true,
        free_start: true,
      }),
    )
    await boris.heard('close_session', { reason: 'banned' })
  },
)

story(
  'rejects a ban without a reason, of a guest, and with an end in the past',
  async ({ testApp, boris, gina }) => {
    const code = async (...line: (string | number)[]) =>
      (
        await runCommand(
          testApp.app,
          collectCommands(testApp.running.modules, {}),
          line.map(String),
        )
      ).exit_code
    const right = ['--reason', 'nudity', '--comment', 'why']
    for (const wrong of [
      ['ban', boris.id, '--comment', 'why'],
      ['ban', boris.id, '--reason', 'because', '--comment', 'why'],
      ['ban', boris.id, '--reason', 'nudity'],
      ['ban', boris.id, '--reason', 'nudity', '--comment', ' '],
      ['ban', boris.id, '--reason', 'nudity', '--comment', 'x'.repeat(2001)],
      ['ban', boris.id, ...right, '--until', '2000-01-01'],
      ['ban', boris.id, ...right, '--until', 'tomorrow'],
      ['ban', gina.id, ...right],
      ['ban', 2_000_000_000, ...right],
      ['unban', boris.id, '--comment', 'nothing to lift'],
    ])
      equal(await code(...wrong), 1, wrong.join(' '))
    await boris.notHeard('banned')
  },
)

story('the length of a ban is counted by the clock of the server', async ({ testApp, boris }) => {
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  const ban = (length: object) =>
    dana.post('v2/manager/ban/impose', {
      user_id: boris.id,
      reason: 'other',
      comment: 'enough',
      ...length,
    })
  await dana.isRefused('invalid', () => ban({}))
  await dana.isRefused('invalid', () => ban({ hours: 0 }))
  await dana.isRefused('role_forbidden', () => ban({ hours: 7 * 24 + 1 }))
  // The office shows the limits of the role before a decision is sent.
  const { most } = await dana.get('v2/manager/me')
  deepEqual(most, { penalty_coins: '5000', ban_days: 7 })
  await ban({ hours: 7 * 24 })
  const { until: end } = await testApp.app.db
    .selectFrom('sanctions')
    .select('until')
    .executeTakeFirstOrThrow()
  ok(end)
  deepEqual(
    end.toString(),
    testApp.clock
      .now()
      .add({ hours: 7 * 24 })
      .toString(),
  )
})

story(
  'a ban that is sent twice is one ban, and a present ban that covers it refuses another',
  async ({ testApp, boris }) => {
    const dana = await openStaff(testApp, 'manager', 'dana@duet.example')
    const ban = (given: object, key?: string) =>
      dana.post(
        'v2/manager/ban/impose',
        { user_id: boris.id, reason: 'other', comment: 'enough', ...given },
        key === undefined ? {} : { 'idempotency-key': key },
      )
    const day = { hours: 24 }
    const [first, repeated] = await Promise.all([ban(day, 'one'), ban(day, 'one')])
    deepEqual(repeated, first)
    const end = until(testApp, 24)
    await testApp.leap('1 min')
    for (const length of [day, { hours: 1 }])
      deepEqual(await dana.isRefused('banned_already', () => ban(length, crypto.randomUUID())), {
        until: end,
      })
    await dana.isRefused('banned_already', () => ban(day))
    const other = await ban({ ...day, reason: 'nudity' })
    const endless = await ban({ until: null })
    deepEqual(await dana.isRefused('banned_already', () => ban({ hours: 720 })), { until: null })
    const open = await testApp.app.db.selectFrom('sanctions').select('statement_id').execute()
    deepEqual(
      open.map(({ statement_id }) => statement_id).toSorted((a, b) => a - b),
      [first, other, endless].map(({ statement_id }) => statement_id as number),
    )
  },
)

story('two decisions at once about the same thing make one ban', async ({ testApp, boris }) => {
  const given = { user_id: boris.id, reason: 'other', comment: 'enough', hours: 24 }
  const two = [
    await openStaff(testApp, 'manager', 'dana@duet.example'),
    await openStaff(testApp, 'manager', 'olga@duet.example'),
  ]
  const sent = await Promise.allSettled(two.map((one) => one.post('v2/manager/ban/impose', given)))
  deepEqual(sent.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
})

story(
  'a manager who takes back one of two bans learns of the other, which holds alone',
  async ({ testApp, boris }) => {
    const dana = await openStaff(testApp, 'manager', 'dana@duet.example')
    const olga = await openStaff(testApp, 'manager', 'olga@duet.example')
    const ban = async (given: object) => {
      const all = { user_id: boris.id, comment: 'enough', ...given }
      return (await dana.post('v2/manager/ban/impose', all)).statement_id as number
    }
    const week = await ban({ reason: 'other', hours: 168 })
    const day = await ban({ reason: 'nudity', hours: 24 })
    const end = until(testApp, 24)
    await boris.post('appeals', { statement_id: week, text: 'not me' })
    const [appeal] = (await olga.get('v2/manager/appeals')).items
    const decision = { upheld: true, answer: 'You are right.' }
    const decided = await olga.post(`v2/manager/appeals/${appeal!.id}/decide`, decision)
    deepEqual(decided.standing, { statement_id: day, kind: 'ban', reason: 'nudity', until: end })
    equal((await boris.auth()).moderation_info?.statement_id, day)
    await boris.notHeard('unbanned')
    const undo = (id: number): Promise<Answer<'POST v2/manager/statements/{id}/undo'>> =>
      olga.post(`v2/manager/statements/${id}/undo`, { reason: 'a mistake' }) as never
    deepEqual((await undo(week)).standing?.statement_id, day)
    deepEqual(await undo(day), { restored: null })
    await boris.heard('unbanned', {}, { times: 1 })
  },
)

/** He is banned for a week, and two complaints about him are decided with bans. Returns the statements. */
async function banInCases(
  testApp: TestApp,
  [user, one, other]: readonly [TestUser, TestUser, TestUser],
  hours: number,
) {
  const dana = await openStaff(testApp, 'manager', 'dana@duet.example')
  const act = { reason: 'nudity', comment: 'seen', hours: 168 } as const
  const { statement_id: first } = await dana.post('v2/manager/ban/impose', {
    user_id: user.id,
    ...act,
  })
  await testApp.leap('2 min')
  const complaints = []
  for (const by of [one, other]) {
    const about = { reason: 'spam', user_id: user.id, comment: '' } as const
    complaints.push((await by.act('TO_COMPLAIN', about)).complaint_id)
  }
  const decide = `v2/manager/complaints/${complaints[0]!}/decide`
  const { statement_id: second } = await dana.post(decide, { decision: 'ban', ...act, hours })
  const end = testApp.clock.now().add({ hours: 1 }).toString()
  const line = [
    '--decision',
    'ban',
    '--reason',
    'nudity',
    '--until',
    end,
    '--comment',
    'x',
  ] as const
  const shell = await testApp.duet('complaints', 'decide', complaints[1]!, ...line)
  const undo = (id: unknown) =>
    dana.post(`v2/manager/statements/${String(id)}/undo`, { reason: 'a mistake' })
  return { first, second, third: shell['statement_id'], shell, undo }
}

const standingAct = async (user: TestUser) => (await user.auth()).moderation_info?.statement_id

story(
  'a case of a user who is banned already adds a statement to the ban, and each is taken back alone',
  async ({ testApp, boris, anna, vera }) => {
    const { first, second, third, shell, undo } = await banInCases(
      testApp,
      [boris, anna, vera],
      168,
    )
    equal(await standingAct(boris), first)
    equal(boris.all('banned').length, 1)
    const further = boris.all('notice').filter((one) => JSON.stringify(one).includes('further'))
    equal(further.length, 2)
    equal(shell['earlier_ban'], first)
    const [decided] = await testApp.app.db
      .selectFrom('audit_entries')
      .select('facts')
      .where('act', '=', 'complaint_decide')
      .execute()
    equal((decided!.facts as Record<string, unknown>)['earlier_ban'], first)
    const { items } = await boris.get('statements')
    // The two minutes between the decisions make the ban no longer.
    deepEqual(
      items.map(({ id, until: end, can_appeal }) => [id, end === items[2]!.until, can_appeal]),
      [
        [third, false, true],
        [second, true, true],
        [first, true, true],
      ],
    )
    await undo(first)
    equal(await standingAct(boris), second)
    await undo(second)
    equal(await standingAct(boris), third)
    await undo(third)
    equal(await standingAct(boris), undefined)
  },
)

story('a longer ban of a case extends the ban', async ({ testApp, boris, anna, vera }) => {
  const { first, second, third, undo } = await banInCases(testApp, [boris, anna, vera], 336)
  equal(await standingAct(boris), second)
  await undo(third)
  equal(await standingAct(boris), second)
  await undo(second)
  equal(await standingAct(boris), first)
  equal(boris.all('unbanned').length, 0)
})
