import { checkBulk } from '../../bulk/index.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { sql } from 'kysely'
import type { Answer, ComplaintCase } from '@duet/protocol'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { auditedActs, lastAudited, openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'
import { raiseComplaint } from './act-at-once.ts'

const QUEUES = ['complaints', 'photos', 'findings', 'reports'] as const
const SEEN = 'She says that she is 15.'
const NO_VIOLATION = { decision: 'no_violation', comment: 'nothing is seen' } as const

/** A complaint of a call that he makes about her. */
async function complain(testApp: TestApp, guy: TestUser, girl: TestUser, reason = 'spam') {
  const { session_id, connect } = await inCall(testApp, { guy, girl })
  await connect()
  const { complaint_id } = await guy.act('TO_COMPLAIN', {
    reason: reason as 'spam',
    user_id: girl.id,
    comment: 'look at this',
    session_id,
  })
  return { complaint_id, session_id }
}

story('a moderator claims, reads and decides a complaint', async ({ testApp, boris, anna }) => {
  const { complaint_id: id, session_id } = await complain(testApp, boris, anna)
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  const waiting = async () => {
    const { queues } = await dana.get('v2/manager/queues')
    return queues.find(({ queue }) => queue === 'complaints')?.waiting
  }
  equal(await waiting(), 1)
  const { items } = await dana.get('v2/manager/complaints')
  deepEqual(
    items.map(({ accused, complainer, claim }) => [accused.id, complainer?.id, claim]),
    [[anna.id, boris.id, null]],
  )
  await dana.post('v2/manager/claim', { queue: 'complaints', id: String(id) })
  const shown = await dana.get(`v2/manager/complaints/${id}`)
  deepEqual((shown['call'] as { session_id: number }).session_id, session_id)
  deepEqual(shown['about_accused'], { waiting: 1, upheld: 0, rejected: 0 })
  const decide = (given: object) => dana.post(`v2/manager/complaints/${id}/decide`, given)
  await dana.isRefused('invalid', () => decide({ decision: 'no_violation', comment: '' }))
  await dana.isRefused('invalid', () => decide({ decision: 'warning', comment: 'stop it' }))
  const { statement_id } = await decide({
    decision: 'warning',
    reason: 'harassment',
    comment: 'stop it',
  })
  deepEqual((await auditedActs(testApp)).slice(0, 2), ['complaint_decide', 'complaint_view'])
  const { items: statements } = await anna.get('statements')
  deepEqual(
    statements.map(({ id: one, kind, comment }) => [one, kind, comment]),
    [[statement_id, 'warning', 'stop it']],
  )
  const told = boris.all('notice')
  ok(JSON.stringify(told).includes('"acted"'), JSON.stringify(told))
  equal(await waiting(), 0)
  await dana.isRefused('decided', () => decide(NO_VIOLATION))
  await dana.isRefused('not_found', () => dana.get('v2/manager/complaints/999'))
})

story('a case is one timeline of the call', async ({ testApp, boris, anna }) => {
  await testApp.duet('grant', boris.id, 30, 'diamond', '--reason', 'test')
  const { session_id, connect, talk, report } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(4)
  await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: 'one', text: 'a nice talk' })
  await talk(4)
  const { gifts } = await boris.get('gifts')
  const gift = { gift_id: gifts[0]!.gift_id, recipient_id: anna.id, random_id: 'a', session_id }
  await boris.act('GIVE_GIFT', gift)
  await talk(2)
  for (const video of [false, false, true]) {
    await testApp.advance('2 s')
    await report({ girl: { video } })
  }
  const about = { reason: 'spam', user_id: anna.id, comment: '', session_id } as const
  const { complaint_id } = await boris.act('TO_COMPLAIN', about)
  await talk(2)
  await boris.act('SESSION_UP', { session_id })
  await anna.act('SESSION_UP_REACTION', { session_id, accept: true })
  await talk(2)
  await boris.act('BREAK_SESSION', { session_id })
  await testApp.settle()
  const dana = await openStaff(testApp, 'moderator')
  const shown = await dana.get(`v2/manager/complaints/${complaint_id}`)
  const timeline = shown['timeline'] as ComplaintCase['timeline']
  const course = timeline
    .filter(({ type }) => type !== 'frame')
    .map((entry) => {
      const { type } = entry
      if (type === 'text') return `${entry.user_id === boris.id ? 'he' : 'she'}: ${entry.text}`
      if (type === 'media')
        return `${entry.user_id === anna.id ? 'her' : 'his'} camera ${entry.video}`
      return type === 'gift' ? `gift ${entry.gift}` : type
    })
  deepEqual(course, [
    'connected',
    'he: a nice talk',
    `gift ${gifts[0]!.name}`,
    'her camera false',
    'her camera true',
    'reported',
    'private',
    'ended',
  ])
  deepEqual(
    timeline.map(({ at }) => at),
    timeline.map(({ at }) => at).toSorted(),
  )
})

story('a moderator bans for days, a manager permanently', async ({ testApp, boris, anna }) => {
  const { complaint_id: id } = await complain(testApp, boris, anna)
  const dana = await openStaff(testApp, 'moderator')
  const manager = await openStaff(testApp, 'manager')
  const ban = (staff: TestUser, until: string | null) =>
    staff.post(`v2/manager/complaints/${id}/decide`, {
      decision: 'ban',
      reason: 'nudity',
      until,
      comment: 'enough',
    })
  const inDays = (days: number) =>
    testApp.clock
      .now()
      .add({ hours: 24 * days })
      .toString({ fractionalSecondDigits: 3 })
  await dana.isRefused('role_forbidden', () => ban(dana, null))
  await dana.isRefused('role_forbidden', () => ban(dana, inDays(8)))
  await dana.isRefused('invalid', () => ban(dana, inDays(-1)))
  await testApp.setting('bulk_bans_max', '1')
  const { staff } = await manager.get('v2/manager/me')
  await testApp.app.transact((tx) => checkBulk(tx, { id: staff.id, address: '::1' }, 'ban'))
  await manager.isRefused('bulk_stopped', () => ban(manager, null))
  const owner = await openStaff(testApp, 'owner')
  await owner.post('v2/manager/bulk-stops/1/allow', { reason: 'a wave of spam' })
  await ban(manager, null)
  await anna.heard('banned')
})

story('a case that one has, no other can claim or decide', async ({ testApp, boris, anna }) => {
  const { complaint_id } = await complain(testApp, boris, anna)
  const id = String(complaint_id)
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
  const key = { queue: 'complaints', id }
  await dana.post('v2/manager/claim', key)
  const refused = await emil.isRefused('claimed', () => emil.post('v2/manager/claim', key))
  equal((refused['claim'] as { email: string }).email, 'dana@duet.example')
  const decide = (staff: TestUser) => staff.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION)
  await emil.isRefused('claimed', () => decide(emil))
  await dana.post('v2/manager/release', key)
  await emil.post('v2/manager/claim', key)
  testApp.clock.sleep(testApp.clock.now().add({ minutes: 11 }))
  await dana.post('v2/manager/claim', key)
  await dana.isRefused('invalid', () => dana.post('v2/manager/claim', { ...key, queue: 'x' }))
  await decide(dana)
  const { comment: reason } = NO_VIOLATION
  deepEqual(await lastAudited(testApp), { act: 'complaint_decide', reason })
})

story('a penalty of a private call names the private call', async ({ testApp, boris, anna }) => {
  await testApp.duet('grant', boris.id, 30, 'diamond', '--reason', 'test')
  const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna, kind: 'direct' })
  await connect()
  const complaint = { reason: 'fraud', user_id: anna.id, comment: '', session_id } as const
  const { complaint_id } = await boris.act('TO_COMPLAIN', complaint)
  const manager = await openStaff(testApp, 'manager')
  const given = { decision: 'penalty', reason: 'asking_money', amount: '10', comment: 'enough' }
  await manager.post(`v2/manager/complaints/${complaint_id}/decide`, given)
  const rows = await testApp.app.db.selectFrom('penalties').select('place').execute()
  deepEqual(rows, [{ place: 'private_call' }])
})

/** Complaints of other days. Returns their numbers. */
async function insertComplaints({ app }: TestApp, guy: TestUser, girl: TestUser, count: number) {
  const { rows } = await sql<{ complaint_id: number }>`
    insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select ${guy.id}, ${girl.id}, 'spam', 'again', date '2020-01-01' + n, ${app.clock.now()}
    from generate_series(1, ${count}::integer) as n returning complaint_id`.execute(app.db)
  return rows.map(({ complaint_id }) => String(complaint_id))
}

story('the shell lists complaints in the order of the queue', async ({ testApp, boris, anna }) => {
  // They came at the same time, and the first is stored last.
  const { db, clock } = testApp.app
  await sql`insert into complaints (complaint_id, complainer_id, accused_id, reason, comment, day, at)
    overriding system value
    select n, ${boris.id}, ${anna.id}, 'spam', 'again', date '2020-01-01' + n, ${clock.now()}
    from unnest(array[3, 2, 1]) as n`.execute(db)
  const dana = await openStaff(testApp, 'moderator')
  const { items } = await dana.get('v2/manager/complaints')
  const listed = await testApp.duet<{ complaint_id: number }[]>('complaints', 'list')
  const orders = [items.map(({ id }) => id), listed.map((row) => row.complaint_id)]
  deepEqual(orders, Array(2).fill([1, 2, 3]))
})

story(
  'a claim needs a case that waits and the role that decides it, and one person has at most five',
  async ({ testApp, boris, carl, anna, vera }) => {
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const claim = (staff: TestUser, queue: string, id: string, take_over = false) =>
      staff.post('v2/manager/claim', { queue, id, take_over })
    for (const queue of ['complaints', 'photos', 'masked', 'findings', 'reports'])
      await dana.isRefused('not_found', () => claim(dana, queue, '99999'))
    for (const queue of ['appeals', 'verifications'])
      await dana.isRefused('role_forbidden', () => claim(dana, queue, '77'))
    const { complaint_id: child } = await complain(testApp, boris, anna, 'child')
    await dana.isRefused('role_forbidden', () => claim(dana, 'complaints', String(child)))
    const ids = await insertComplaints(testApp, carl, vera, 6)
    for (const id of ids) {
      testApp.clock.sleep(testApp.clock.now().add({ seconds: 1 }))
      await claim(dana, 'complaints', id)
    }
    await claim(emil, 'complaints', ids[0]!)
    await emil.isRefused('claimed', () => claim(emil, 'complaints', ids[5]!))
    await emil.isRefused('role_forbidden', () => claim(emil, 'complaints', ids[5]!, true))
    const manager = await openStaff(testApp, 'manager')
    await manager.isRefused('claimed', () => claim(manager, 'complaints', ids[5]!))
    await claim(manager, 'complaints', ids[5]!, true)
    deepEqual((await auditedActs(testApp))[0], 'claim_take')
    await dana.isRefused('claimed', () => claim(dana, 'complaints', ids[5]!))
    await manager.post(`v2/manager/complaints/${ids[5]!}/decide`, NO_VIOLATION)
    await manager.isRefused('not_found', () => claim(manager, 'complaints', ids[5]!, true))
    await testApp.duet('staff', 'end', 'dana@duet.example', '--as', 'olga')
    await claim(emil, 'complaints', ids[4]!)
  },
)

story('staff decide nothing about an account of their own', async ({ testApp, boris, anna }) => {
  const { complaint_id: id } = await complain(testApp, boris, anna)
  const self = await openStaff(testApp, 'manager', 'anna@duet.example')
  await self.isRefused('role_forbidden', () =>
    self.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION),
  )
})

story(
  'staff decide a case of an account on their device or in their network, which is recorded',
  async ({ testApp, boris, anna, nina }) => {
    const { complaint_id: id } = await complain(testApp, boris, anna)
    const key = { queue: 'complaints', id: String(id) }
    const { db } = testApp.app
    const seen = (user_id: number, signal: string, value: string) =>
      sql`insert into client_signals (user_id, signal, value_hash, first_at, last_at, last_day)
        values (${user_id}, ${signal}, sha256(${value}::bytea), now(), now(), current_date)`.execute(
        db,
      )
    const owner = await openStaff(testApp, 'manager', 'nina@duet.example')
    await owner.post('v2/manager/claim', key)
    await owner.post('v2/manager/release', key)
    for (const one of [anna, nina]) await seen(one.id, 'device', 'one phone')
    await owner.post('v2/manager/claim', key)
    equal((await auditedActs(testApp))[0], 'shared_device')
    await owner.post('v2/manager/release', key)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    await dana.post('v2/manager/claim', key)
    await dana.post('v2/manager/release', key)
    await seen(boris.id, 'network', 'one home')
    await sql`update staff_sessions set network_hash = sha256('one home'::bytea)
      from staff_members as member where member.id = staff_id and member.email = 'dana@duet.example'`.execute(
      db,
    )
    await dana.post('v2/manager/claim', key)
    equal((await auditedActs(testApp))[0], 'shared_network')
    await dana.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION)
    deepEqual((await auditedActs(testApp)).slice(0, 2).toSorted(), [
      'complaint_decide',
      'shared_network',
    ])
  },
)

story(
  'after their share of severe cases a moderator gets others, and a manager still gets all',
  async ({ testApp, boris, anna }) => {
    await testApp.duet('settings', 'set', 'severe_cases_hour_max', '2')
    await sql`insert into complaints (complainer_id, accused_id, reason, comment, day, at)
      select ${boris.id}, ${anna.id}, reason, '', date '2030-01-01' + place::integer, ${testApp.clock.now()}
      from unnest(array['nudity', 'threats', 'child', 'spam']) with ordinality as one (reason, place)`.execute(
      testApp.app.db,
    )
    const dana = await openStaff(testApp, 'moderator')
    const manager = await openStaff(testApp, 'manager')
    const listed = async (staff: TestUser) =>
      (await staff.get('v2/manager/complaints')).items.map(({ id, reason }) => ({ id, reason }))
    const reasons = async (staff: TestUser) => (await listed(staff)).map(({ reason }) => reason)
    const all = await listed(dana)
    for (const one of ['nudity', 'threats']) {
      equal((await reasons(dana)).length, one === 'nudity' ? 4 : 3)
      const { id } = all.find(({ reason }) => reason === one)!
      await dana.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION)
    }
    deepEqual(await reasons(dana), ['spam'])
    const decide = (queue: string, id: number | string, given: object) =>
      dana.post(`v2/manager/${queue}/${id}/decide` as never, given as never)
    const child = all.find(({ reason }) => reason === 'child')!
    await dana.isRefused('role_forbidden', () => decide('complaints', child.id, NO_VIOLATION))
    deepEqual((await reasons(manager)).toSorted(), ['child', 'spam'])
    const { load } = await dana.get('v2/manager/queues')
    deepEqual([load.severe_hour, load.is_limited, load.is_break_due], [2, true, false])
    // The same in the other queues with severe material; the navigation counts what is listed.
    testApp.vision.nudity = 0.5
    await boris.post('gallery/media', fileForm('media', await patternBytes(5), {}))
    await sql`insert into findings (user_id, kind, key, at)
      values (${anna.id}, 'nudity', 'a', now()), (${boris.id}, 'chargeback', 'b', now())`.execute(
      testApp.app.db,
    )
    const report = { where: 'Anna', text: 'look', contact: 'vera@people.example' }
    for (const reason of ['nudity', 'spam'])
      await boris.post('reports/content', {
        ...report,
        reason: reason as 'spam',
        secret: reason.padEnd(43, 'x'),
      })
    await testApp.advance('2 s')
    const lengths = (staff: TestUser) =>
      Promise.all(
        QUEUES.map(async (queue) => (await staff.get(`v2/manager/${queue}`)).items.length),
      )
    const counts = async (staff: TestUser) => {
      const { queues } = await staff.get('v2/manager/queues')
      return QUEUES.map((one) => queues.find(({ queue }) => queue === one)?.waiting)
    }
    for (const [staff, expected] of [
      [dana, [1, 0, 1, 1]],
      [manager, [2, 1, 2, 2]],
    ] as const) {
      deepEqual(await lengths(staff), expected)
      deepEqual(await counts(staff), expected)
    }
    // Nor does the number of a severe case open it.
    const claim = (queue: 'findings' | 'photos' | 'reports', id: number | string) =>
      dana.post('v2/manager/claim', { queue, id: String(id) })
    const [photo] = (await manager.get('v2/manager/photos')).items
    const reported = (await manager.get('v2/manager/reports')).items
    const report_id = (reason: string) => reported.find((one) => one.reason === reason)!.id
    await dana.isRefused('role_forbidden', () => claim('findings', anna.id))
    await dana.isRefused('role_forbidden', () => claim('photos', photo!.id))
    await dana.isRefused('role_forbidden', () => claim('reports', report_id('nudity')))
    const rejected = { decision: 'rejected', answer: 'x' }
    await dana.isRefused('role_forbidden', () => decide('reports', report_id('nudity'), rejected))
    await dana.isRefused('role_forbidden', () => decide('photos', photo!.id, { approve: true }))
    await claim('findings', boris.id)
    await claim('reports', report_id('spam'))
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 60 }))
    deepEqual((await reasons(dana)).toSorted(), ['child', 'spam'])
  },
)

story(
  'the queue counts what it lists, and a moderator sees what waits for a manager without deciding it',
  async ({ testApp, boris, anna, carl, clara, david, nina }) => {
    const { complaint_id: child } = await complain(testApp, boris, anna, 'child')
    const { complaint_id: passed } = await complain(testApp, carl, clara)
    const { complaint_id: open } = await complain(testApp, david, nina)
    const dana = await openStaff(testApp, 'moderator')
    const manager = await openStaff(testApp, 'manager')
    await dana.post(`v2/manager/complaints/${passed}/pass`, { note: 'for you' })
    await dana.post('v2/manager/claim', { queue: 'complaints', id: String(open) })
    const listed = async (staff: TestUser, state = 'waiting') => {
      const { items, total } = await staff.get(`v2/manager/complaints?state=${state}`)
      return { ids: (items as { id: number }[]).map(({ id }) => id), total }
    }
    const counted = async (staff: TestUser) => {
      const { queues } = await staff.get('v2/manager/queues')
      return queues.find(({ queue }) => queue === 'complaints')?.waiting
    }
    deepEqual(await listed(dana), { ids: [child, open], total: 2 })
    equal(await counted(dana), 2)
    deepEqual(await listed(manager), { ids: [child, passed, open], total: 3 })
    equal(await counted(manager), 3)
    deepEqual(await listed(dana, 'mine'), { ids: [open], total: 1 })
    deepEqual(await listed(manager, 'mine'), { ids: [], total: 0 })
    const { items } = await dana.get('v2/manager/complaints')
    deepEqual(
      items.map(({ for_managers, is_veiled }) => [for_managers, is_veiled]),
      [
        [true, true],
        [false, false],
      ],
    )
    for (const id of [child, passed]) {
      await dana.isRefused('role_forbidden', () =>
        dana.post('v2/manager/claim', { queue: 'complaints', id: String(id) }),
      )
      await dana.isRefused('role_forbidden', () =>
        dana.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION),
      )
    }
  },
)

story(
  'a moderator passes a case to managers, who read the note and decide',
  async ({ testApp, boris, anna }) => {
    const { complaint_id: id } = await complain(testApp, boris, anna)
    const [dana, manager] = [
      await openStaff(testApp, 'moderator'),
      await openStaff(testApp, 'manager'),
    ]
    const at = `v2/manager/complaints/${id}`
    await dana.post('v2/manager/claim', { queue: 'complaints', id: String(id) })
    await dana.isRefused('invalid', () => dana.post(`${at}/pass`, { note: '' }))
    await manager.isRefused('claimed', () => manager.post(`${at}/pass`, { note: 'mine' }))
    await dana.post(`${at}/pass`, { note: 'I know her voice.' })
    equal((await auditedActs(testApp))[0], 'complaint_pass')
    equal((await dana.get('v2/manager/complaints')).items.length, 0)
    const [listed] = (await manager.get('v2/manager/complaints')).items
    deepEqual([listed?.passed?.note, listed?.claim], ['I know her voice.', null])
    await manager.post(`${at}/decide`, NO_VIOLATION)
    await dana.isRefused('decided', () => dana.post(`${at}/pass`, { note: 'again' }))
  },
)

story('of six moderators at once, one decides each case', async ({ testApp, boris, anna }) => {
  // One of the six may decide many more than the others.
  await testApp.setting('bulk_dismissals_max', '200')
  await complain(testApp, boris, anna)
  const { db } = testApp.app
  await sql`insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select ${boris.id}, ${anna.id}, 'spam', '', date '2030-01-01' + n, now() from generate_series(1, 199) n`.execute(
    db,
  )
  const staff: TestUser[] = []
  for (let index = 0; index < 6; index += 1)
    staff.push(await openStaff(testApp, 'moderator', `m${index}@duet.example`))
  const outcomes = await together(6, async (index) => {
    const moderator = staff[index]!
    const decided: number[] = []
    for (;;) {
      // Each lists, takes the first case that is free, and decides it, as in the office. A second passes for the limits.
      testApp.clock.sleep(testApp.clock.now().add({ seconds: 1 }))
      const listed = await moderator.get('v2/manager/complaints?limit=12')
      const { items } = listed as unknown as Answer<'GET v2/manager/complaints'>
      if (items.length === 0) return decided
      const free = items.find(({ claim }) => claim === null) ?? items[0]!
      await moderator
        .post('v2/manager/claim', { queue: 'complaints', id: String(free.id) })
        .then(() => moderator.post(`v2/manager/complaints/${free.id}/decide`, NO_VIOLATION))
        .then(
          () => decided.push(free.id),
          ({ refusal }: { refusal: string }) =>
            ok(['claimed', 'decided', 'not_found'].includes(refusal), refusal),
        )
    }
  })
  const all = outcomes.flat()
  deepEqual([all.length, new Set(all).size], [200, 200])
  ok(outcomes.every(({ length }) => length > 0))
  const told = await sql`
    select 1 from notices where user_id = ${boris.id} and kind = 'complaint'
      and facts ->> 'what' = 'no_violation'`.execute(db)
  equal(told.rows.length, 200)
})

story(
  'staff make a complaint one about a minor: the call ends, she is suspended, and a manager decides',
  async ({ testApp, boris, anna }) => {
    const { complaint_id: id } = await complain(testApp, boris, anna)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const raise = () => dana.post(`v2/manager/complaints/${id}/raise`, { note: SEEN })
    await dana.isRefused('invalid', () => dana.post(`v2/manager/complaints/${id}/raise`, {}))
    for (const _ of [1, 2]) await raise()
    for (const user of [boris, anna])
      await user.heard('close_session', { reason: 'complaint' }, { times: 1 })
    await anna.heard('banned', {}, { times: 1 })
    await testApp.settle()
    const [sealed] = await testApp.duet<{ files: number; is_held: boolean }[]>('seal', 'list')
    deepEqual([sealed?.files, sealed?.is_held], [1, true])
    const decide = (of: TestUser) => of.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION)
    await dana.isRefused('role_forbidden', () => decide(dana))
    await decide(mia)
    await anna.heard('unbanned')
    await dana.isRefused('decided', raise)
    await dana.isRefused('not_found', () =>
      dana.post('v2/manager/complaints/999/raise', { note: SEEN }),
    )
  },
)

story(
  'a moderator does not decide a complaint that becomes one about a minor in that moment',
  async ({ testApp, boris, anna }) => {
    const { complaint_id: id } = await complain(testApp, boris, anna)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    let refused: Promise<unknown> | undefined
    await testApp.app.transact(async (tx) => {
      await raiseComplaint(tx, { operator: 'olga' }, { complaint_id: id, note: SEEN, by: 'olga' })
      refused = dana.isRefused('role_forbidden', () =>
        dana.post(`v2/manager/complaints/${id}/decide`, NO_VIOLATION),
      )
      while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    })
    client.release()
    await refused
    const [waiting] = await testApp.duet<{ complaint_id: number }[]>('complaints', 'list')
    equal(waiting?.complaint_id, id)
  },
)

story(
  'a raise counts as a ban, ends the own claim, and waits for the claim of another person',
  async ({ testApp, boris, anna, carl }) => {
    const { complaint_id: first } = await complain(testApp, boris, anna)
    const said = { reason: 'dislike', user_id: anna.id, comment: '' } as const
    const { complaint_id: second } = await carl.act('TO_COMPLAIN', said)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    await testApp.setting('bulk_bans_max', '1')
    const raise = (staff: TestUser, id: number) =>
      staff.post(`v2/manager/complaints/${id}/raise`, { note: SEEN })
    const claim = (staff: TestUser) =>
      staff.post('v2/manager/claim', { queue: 'complaints', id: String(first) })
    await claim(dana)
    await emil.isRefused('claimed', () => raise(emil, first))
    for (const _ of [1, 2]) await raise(dana, first)
    // A case about a child is one for managers.
    await emil.isRefused('role_forbidden', () => claim(emil))
    await claim(await openStaff(testApp, 'manager', 'petra@duet.example'))
    await dana.isRefused('bulk_stopped', () => raise(dana, second))
    equal((await testApp.duet<unknown[]>('bulk', 'list')).length, 1)
  },
)

story(
  'a raise of a complaint of a stranger seals it and puts it first, and suspends no one',
  async ({ testApp, boris, anna, carl }) => {
    await complain(testApp, boris, anna)
    const said = { reason: 'dislike', user_id: anna.id, comment: '' } as const
    const { complaint_id } = await carl.act('TO_COMPLAIN', said)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    for (const _ of [1, 2])
      await dana.post(`v2/manager/complaints/${complaint_id}/raise`, { note: SEEN })
    const { items } = await dana.get('v2/manager/complaints')
    deepEqual([items[0]!.id, items[0]!.reason], [complaint_id, 'child'])
    equal((await testApp.duet<unknown[]>('seal', 'list')).length, 1)
    await anna.notHeard('banned')
    const decide = (staff: TestUser) =>
      staff.post(`v2/manager/complaints/${complaint_id}/decide`, NO_VIOLATION)
    await dana.isRefused('role_forbidden', () => decide(dana))
    await decide(await openStaff(testApp, 'manager', 'mia@duet.example'))
  },
)

story(
  'a complaint of a paying or reliable reporter stands before those of many fresh accounts',
  async ({ testApp, boris, carl, anna, vera, clara }) => {
    const about = async (reporter: TestUser, { id: user_id }: TestUser) => {
      const said = { reason: 'dislike', user_id, comment: '' } as const
      return (await reporter.act('TO_COMPLAIN', said)).complaint_id
    }
    for (const reporter of [boris, carl]) await about(reporter, vera)
    await sql`insert into orders (reference, user_id, place, method, pack, value, bonus, price, currency, price_usd, state,
        created_at, expires_at, paid_at, changed_at)
      values ('reference-1', ${carl.id}, 'shop', 'card', 'minutes', 10, 0, 500, 'usd', 500, 'paid', now(), now(), now(), now())`.execute(
      testApp.app.db,
    )
    await about(boris, clara)
    await about(carl, anna)
    const dana = await openStaff(testApp, 'moderator')
    const listed = async () =>
      (await dana.get('v2/manager/complaints')).items.map((row) => [
        row.accused.id,
        row.complainer?.id,
        row.reporters,
        row.paying,
      ])
    deepEqual(await listed(), [
      [vera.id, boris.id, 2, 1],
      [vera.id, carl.id, 2, 1],
      [anna.id, carl.id, 1, 1],
      [clara.id, boris.id, 1, 0],
    ])
  },
)

story(
  'a queue says how long its answers took, and a case how many acts its accused had',
  async ({ testApp, boris, anna, carl, clara }) => {
    const { complaint_id: first } = await complain(testApp, boris, anna)
    const { complaint_id: second } = await complain(testApp, carl, clara)
    const manager = await openStaff(testApp, 'manager')
    const median = async () => {
      const { queues } = await manager.get('v2/manager/queues')
      return queues.find(({ queue }) => queue === 'complaints')!.median_seconds
    }
    equal(await median(), null)
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 2 }))
    await manager.post(`v2/manager/complaints/${second}/decide`, NO_VIOLATION)
    const took = await median()
    ok(took !== null && took >= 120 && took < 180, String(took))
    const penalty = { user_id: anna.id, place: 'other', amount: '5', comment: 'too late' } as const
    for (const reason of ['absence', 'ignoring'] as const)
      await manager.post('v2/manager/penalty/impose', { ...penalty, reason })
    const card = async () =>
      ((await manager.get(`v2/manager/complaints/${first}`)) as unknown as ComplaintCase)
        .accused_card
    deepEqual([(await card()).penalties, (await card()).sanctions], [2, 2])
    const [newest] = (await manager.get('v2/manager/statements', { user_id: anna.id })).items
    await manager.post(`v2/manager/statements/${newest!.id}/undo`, { reason: 'a mistake' })
    deepEqual([(await card()).penalties, (await card()).sanctions], [1, 1])
  },
)

story(
  'an act that an appeal reversed does not count in the next case',
  async ({ testApp, boris, carl, anna }) => {
    const { complaint_id: former } = await complain(testApp, boris, anna)
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const decision = { decision: 'warning', reason: 'harassment', comment: 'stop it' } as const
    const { statement_id } = await emil.post(`v2/manager/complaints/${former}/decide`, decision)
    const said = { reason: 'dislike', user_id: anna.id, comment: '' } as const
    const { complaint_id } = await carl.act('TO_COMPLAIN', said)
    const read = async () => {
      const shown = await mia.get(`v2/manager/complaints/${complaint_id}`)
      const { about_accused, statements, earlier } = shown as unknown as ComplaintCase
      return [about_accused.upheld, statements.length, earlier.map((one) => one.is_taken_back)]
    }
    deepEqual(await read(), [1, 1, [false]])
    await anna.post('appeals', { statement_id, text: 'It was a joke.' })
    const [appeal] = (await mia.get('v2/manager/appeals')).items
    await mia.post(`v2/manager/appeals/${appeal!.id}/decide`, { upheld: true, answer: 'It was.' })
    deepEqual(await read(), [0, 0, [true]])
  },
)

story(
  'staff of one role share the counts of the queues for two seconds, and a decision is counted at once',
  async ({ testApp, boris, anna, carl, clara, david, nina }) => {
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const erik = await openStaff(testApp, 'moderator', 'erik@duet.example')
    const manager = await openStaff(testApp, 'manager')
    const counted = async (staff: TestUser) => {
      const { queues } = await staff.get('v2/manager/queues')
      return queues.find(({ queue }) => queue === 'complaints')!.waiting
    }
    const { complaint_id: first } = await complain(testApp, boris, anna)
    await complain(testApp, carl, clara)
    const { app } = testApp
    await testApp.advance('3 s')
    deepEqual(await Promise.all([dana, erik].map(counted)), [2, 2])
    await sql`update complaints set passed_at = now(), passed_by = 'a test', passed_note = 'a test'
      where complaint_id = ${first}`.execute(app.db)
    deepEqual([await counted(erik), await counted(manager)], [2, 2])
    await testApp.advance('3 s')
    deepEqual([await counted(dana), await counted(manager)], [1, 2])
    const { complaint_id: third } = await complain(testApp, david, nina)
    await testApp.advance('3 s')
    equal(await counted(erik), 2)
    await dana.post(`v2/manager/complaints/${third}/decide`, NO_VIOLATION)
    deepEqual([await counted(erik), await counted(dana)], [1, 1])
  },
)
