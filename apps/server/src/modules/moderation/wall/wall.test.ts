import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { Answer, WatchedCall } from '@duet/protocol'
import sharp from 'sharp'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { matching } from '@duet/testkit/received-events.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, pictureBytes } from '@duet/testkit/uploads.ts'

type WallAnswer = Answer<'GET v2/manager/wall'>
const GIVEN = { rule: 'harassment', comment: 'be kind' } as const

/** The wall as it is after the time for which one read is shared. */
async function readWall(testApp: TestApp, staff: TestUser, query = ''): Promise<WallAnswer> {
  testApp.clock.sleep(testApp.clock.now().add({ seconds: 3 }))
  return (await staff.get(`v2/manager/wall${query}` as 'v2/manager/wall')) as unknown as WallAnswer
}

/** A connected public call in which her page has sent one frame. */
async function sampledCall(testApp: TestApp, guy: TestUser, girl: TestUser) {
  const call = await inCall(testApp, { guy, girl })
  await call.connect()
  await call.talk(4)
  const { session_id } = call
  const [asked] = matching(girl.wire, 'frame_request', { session_id }) as unknown as {
    nonce: string
  }[]
  const fields = { session_id: String(session_id), nonce: asked!.nonce }
  const form = fileForm('image', await pictureBytes(320, 240, { colour: '#a4c' }), fields)
  await girl.post('/upload/image/frame', form, {
    'user-access-token': String(girl.user['fs_token']),
  })
  return call
}

const picture = (testApp: TestApp, staff: TestUser, path: string) =>
  fetch(`${testApp.origin}/api/v2/manager/wall/${path}`, { headers: { cookie: staff.cookie! } })

story(
  'the wall shows running calls by risk, blurred, and a look into one is recorded',
  async ({ testApp, boris, anna, carl, vera }) => {
    const first = await sampledCall(testApp, boris, anna)
    const second = await inCall(testApp, { guy: carl, girl: vera })
    await second.connect()
    await carl.act('TO_COMPLAIN', {
      reason: 'spam',
      user_id: vera.id,
      comment: 'look',
      session_id: second.session_id,
    })
    const dana = await openStaff(testApp, 'moderator')
    const { figures, calls } = await readWall(testApp, dana)
    deepEqual(
      calls.map(({ session_id, reasons }) => [session_id, reasons.includes('complaint')]),
      [
        [second.session_id, true],
        [first.session_id, false],
      ],
    )
    deepEqual([figures.public_calls, figures.private_calls], [2, 0])
    deepEqual([figures.women, figures.men], [2, 2])
    await readWall(testApp, dana)
    deepEqual((await auditedActs(testApp)).filter((act) => act === 'wall_view').length, 1)

    const tile = await picture(testApp, dana, `${first.session_id}/tile`)
    equal(tile.status, 200)
    equal((await sharp(Buffer.from(await tile.arrayBuffer())).metadata()).width, 120)
    equal((await picture(testApp, dana, `${second.session_id}/tile`)).status, 404)

    const open = (id: number) =>
      dana.post(`v2/manager/wall/${id}/open`, {}) as Promise<unknown> as Promise<WatchedCall>
    const watched = await open(first.session_id)
    equal((await auditedActs(testApp))[0], 'call_view')
    const [frame] = watched.frames
    const large = await picture(testApp, dana, `${first.session_id}/frames/${frame!.id}`)
    equal(large.headers.get('content-type'), 'image/jpeg')
    equal((await auditedActs(testApp))[0], 'frames_view')
    equal((await picture(testApp, dana, `${second.session_id}/frames/${frame!.id}`)).status, 404)

    const { db } = testApp.app
    // As when both have agreed to go on in private.
    await db
      .updateTable('video_sessions')
      .set({ state: 'private' })
      .where('session_id', '=', first.session_id)
      .execute()
    const { calls: later } = await readWall(testApp, dana)
    const secret = later.find(({ session_id }) => session_id === first.session_id)!
    deepEqual([secret.is_private, secret.frame_at], [true, null])
    equal((await picture(testApp, dana, `${first.session_id}/tile`)).status, 404)
    equal((await picture(testApp, dana, `${first.session_id}/frames/${frame!.id}`)).status, 404)
    deepEqual((await open(first.session_id)).frames, [])
    await dana.isRefused('not_found', () => open(999_999))
    const finance = await openStaff(testApp, 'finance')
    await finance.isRefused('role_forbidden', () => finance.get('v2/manager/wall'))
  },
)

story(
  'a moderator warns one of the two, and ends the call once',
  async ({ testApp, boris, anna, vera }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const dana = await openStaff(testApp, 'moderator')
    const act = (name: 'warn' | 'end', user: TestUser, key: string = crypto.randomUUID()) =>
      dana.post(
        `v2/manager/wall/${session_id}/${name}`,
        { user_id: user.id, ...GIVEN },
        { 'idempotency-key': key },
      )
    const key = crypto.randomUUID()
    const { statement_id } = await act('warn', boris, key)
    deepEqual(await act('warn', boris, key), { statement_id })
    await boris.heard(
      'call_warning',
      { session_id, statement_id: statement_id as number, automatic: false },
      { times: 1 },
    )
    deepEqual(
      (await boris.get('statements')).items.map(({ kind, comment, can_appeal }) => [
        kind,
        comment,
        can_appeal,
      ]),
      [['warning', 'be kind', true]],
    )
    await dana.isRefused('not_found', () => act('warn', vera))
    const emil = await openStaff(testApp, 'manager', 'emil@duet.example')
    await Promise.allSettled(
      [dana, emil].map((staff) =>
        staff.post(
          `v2/manager/wall/${session_id}/end`,
          { user_id: anna.id, ...GIVEN },
          { 'idempotency-key': crypto.randomUUID() },
        ),
      ),
    )
    await boris.heard('close_session', { session_id, reason: 'moderator' })
    await anna.heard('close_session', { session_id, reason: 'moderator' })
    deepEqual(
      (await anna.get('statements')).items.map(({ kind }) => kind),
      ['call_end'],
    )
    ok((await auditedActs(testApp)).includes('call_end'))
    await dana.isRefused('not_found', () => act('end', anna))
  },
)

story(
  'a warning whose call has ended meanwhile is kept, and shown outside of the call',
  async ({ testApp, boris, anna, vera }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const dana = await openStaff(testApp, 'moderator')
    await boris.act('BREAK_SESSION', { session_id })
    await anna.heard('close_session', { session_id, reason: 'left' })
    const act = (name: 'warn' | 'end', user: TestUser) =>
      dana.post(
        `v2/manager/wall/${session_id}/${name}`,
        { user_id: user.id, ...GIVEN },
        { 'idempotency-key': crypto.randomUUID() },
      )
    const { statement_id } = await act('warn', boris)
    await boris.heard('statement', { id: statement_id as number })
    equal(matching(boris.wire, 'call_warning', {}).length, 0)
    deepEqual(
      (await boris.get('statements')).items.map(({ kind, comment }) => [kind, comment]),
      [['warning', 'be kind']],
    )
    equal((await auditedActs(testApp))[0], 'call_warn')
    await dana.isRefused('not_found', () => act('end', anna))
    await dana.isRefused('not_found', () => act('warn', vera))
  },
)

story(
  'the wall filters, orders and finds calls, counts them, and knows both networks',
  async ({ testApp, boris, anna, carl, vera }) => {
    const first = await inCall(testApp, { guy: boris, girl: anna })
    await first.connect()
    testApp.clock.sleep(testApp.clock.now().add({ seconds: 5 }))
    const second = await inCall(testApp, { guy: carl, girl: vera })
    await second.connect()
    const { session_id, session_guid } = first
    const counts = { frames_decoded: 1, frames_sent: 1, reports_received: 1 }
    anna.signal('PEER_STATE', {
      session_id,
      session_guid,
      ...counts,
      audio: true,
      video: true,
      weak: true,
    })
    await boris.heard('partner_media', { user_id: anna.id, weak: true })
    const dana = await openStaff(testApp, 'moderator')
    const ids = async (query: string) =>
      (await readWall(testApp, dana, query)).calls.map((call) => call.session_id)
    deepEqual(await ids('?order=newest'), [second.session_id, session_id])
    deepEqual(await ids('?order=longest'), [session_id, second.session_id])
    deepEqual(await ids('?show=weak'), [session_id])
    deepEqual(await ids('?show=private'), [])
    deepEqual(await ids(`?find=${carl.user['nick'] as string}`), [second.session_id])
    deepEqual(await ids(`?find=${session_id}`), [session_id])
    deepEqual(await ids('?find=100%25'), [])
    const wall = await readWall(testApp, dana, `?show=private&open=${session_id}`)
    deepEqual([wall.found, wall.counts.all, wall.counts.weak], [0, 2, 1])
    deepEqual(
      [wall.opened?.session_id, wall.opened?.network.girl.weak, wall.opened?.network.guy.weak],
      [session_id, true, false],
    )
    equal((await readWall(testApp, dana, '?open=999999')).opened, null)
    await dana.isRefused('invalid', () => readWall(testApp, dana, '?show=nothing'))
  },
)

/** A moderator's press on End, with a key of its own for each repeat. */
async function endPress(testApp: TestApp, session_id: number, user: TestUser) {
  const dana = await openStaff(testApp, 'moderator')
  return (key: string = crypto.randomUUID()) =>
    dana.post(
      `v2/manager/wall/${session_id}/end`,
      { user_id: user.id, ...GIVEN },
      { 'idempotency-key': key },
    )
}

for (const repeat of ['none', 'same key', 'new key'] as const)
  story(
    `an end whose commit answer was lost ends the call, repeat: ${repeat}`,
    async ({ testApp, boris, anna }) => {
      const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
      await connect()
      const press = await endPress(testApp, session_id, anna)
      loseAnswerOfCommit(testApp, /insert into "statements"/)
      const key = crypto.randomUUID()
      await rejects(press(key))
      if (repeat !== 'none') await press(repeat === 'same key' ? key : undefined)
      if (repeat !== 'new key') {
        await talk(22)
        await testApp.running.outbox.poll()
      }
      await anna.heard('close_session', { session_id, reason: 'moderator' }, { times: 1 })
      equal((await anna.get('statements')).items.length, 1)
    },
  )

story(
  'a call ends whose server process died between the commit of its end and the end',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    const { session_id, session_guid } = call
    const press = await endPress(testApp, session_id, anna)
    loseAnswerOfCommit(testApp, /insert into "statements"/)
    await rejects(press())
    await testApp.crash()
    for (const one of [boris, anna]) {
      await one.comeBack()
      await one.openSignal()
      one.signal('JOIN_SESSION', { session_id, session_guid })
      await one.signalHeard('new_peer', { session_guid })
    }
    await call.talk(22)
    await testApp.running.outbox.poll()
    await anna.heard('close_session', { session_id, reason: 'moderator' }, { times: 1 })
  },
)

story(
  'two members of staff do not warn or fine one user twice for the same in a call',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const warn = (staff: TestUser, rule: string) =>
      staff.post(
        `v2/manager/wall/${session_id}/warn`,
        { user_id: anna.id, rule, comment: 'be kind' },
        { 'idempotency-key': crypto.randomUUID() },
      )
    await warn(dana, 'harassment')
    await emil.isRefused('decided', () => warn(emil, 'harassment'))
    await warn(emil, 'nudity_public')
    await warn(dana, 'harassment')
    const penalty = { reason: 'harassment', place: 'public_call', amount: '100' } as const
    const fine = (staff: TestUser) =>
      staff.post(
        'v2/manager/penalty/impose',
        { ...penalty, user_id: anna.id, comment: 'be kind', session_id },
        { 'idempotency-key': crypto.randomUUID() },
      )
    await fine(dana)
    await emil.isRefused('decided', () => fine(emil))
    equal((await anna.get('statements')).items.length, 4)
  },
)

story('all who watch share what is shown of the calls', async ({ testApp, boris, anna }) => {
  const { connect } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  const erik = await openStaff(testApp, 'moderator', 'erik@duet.example')
  const nick = async (staff: TestUser) => {
    const { calls } = await staff.get('v2/manager/wall')
    return calls.map(({ girl }) => girl.nick)
  }
  await testApp.advance('3 s')
  deepEqual(await nick(dana), ['Anna'])
  await testApp.app.db
    .updateTable('users')
    .set({ nick: 'Annika' })
    .where('id', '=', anna.id)
    .execute()
  deepEqual(await nick(erik), ['Anna'])
  await testApp.advance('3 s')
  deepEqual(await nick(erik), ['Annika'])
})
