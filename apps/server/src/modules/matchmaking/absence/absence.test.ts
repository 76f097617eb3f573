import { deepEqual, equal } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const absences = (testApp: TestApp, { id }: TestUser) =>
  testApp.app.db
    .selectFrom('absences')
    .select(['kind', 'at'])
    .where('user_id', '=', id)
    .orderBy('at')
    .execute()

/** Her page says that no face was seen for this long; with the clock as far. */
async function isAbsent(testApp: TestApp, girl: TestUser): Promise<void> {
  await testApp.advance('21 s')
  await girl.act('FACE_STATE', { present: false, since_ms: 20_000 })
  await testApp.settle()
}

story(
  'no face for 20 s takes a girl out of search, and the third time in an hour pauses her',
  async ({ testApp, anna }) => {
    await testApp.setting('face_absence', '20')
    const isPaused = []
    for (let times = 0; times < 3; times += 1) {
      equal((await anna.act('MATCH_AWAIT', {})).state, 'waiting')
      anna.forget()
      await isAbsent(testApp, anna)
      const state = await anna.heard('search_state')
      equal(state.reason, 'absence')
      isPaused.push(state.state)
    }
    deepEqual(isPaused, ['idle', 'idle', 'paused'])
    equal((await anna.act('MATCH_AWAIT', {})).state, 'paused')
    const { items } = await anna.get('statements')
    deepEqual(
      items.map(({ kind, reason, until }) => [kind, reason, typeof until]),
      [
        ['absence', 'absence', 'string'],
        ['absence', 'absence', 'undefined'],
        ['absence', 'absence', 'undefined'],
      ],
    )
    deepEqual(
      (await anna.get('notices')).items.map(({ facts }) => facts!.what),
      ['absence'],
    )
    await testApp.leap('31 min')
    await anna.heard('search_state', { state: 'idle' })
    equal((await anna.act('MATCH_AWAIT', {})).state, 'waiting')
  },
)

story(
  'an absence in a call is recorded once a stretch, and the call goes on',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('face_absence', '20')
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id } = call
    await call.connect()
    await call.talk(20)
    const report = (present: boolean, since_ms: number) =>
      anna.act('FACE_STATE', { session_id, present, since_ms })
    await report(false, 20_000)
    await report(false, 20_000)
    await call.talk(20)
    await report(false, 40_000)
    equal((await absences(testApp, anna)).length, 1)
    await report(true, 0)
    await call.talk(22)
    await report(false, 20_000)
    equal((await absences(testApp, anna)).length, 2)
    await anna.notHeard('close_session')
  },
)

story(
  'only the girl of the call reports a face, and only while she searches or talks',
  async ({ testApp, boris, carl, anna, vera }) => {
    await testApp.setting('face_absence', '20')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const said = { present: false, since_ms: 3_600_000 }
    for (const girl of [anna, vera])
      await girl.isRefused('not_found', () =>
        girl.act('FACE_STATE', { ...said, session_id: session_id + 1 }),
      )
    await vera.isRefused('not_found', () => vera.act('FACE_STATE', { ...said, session_id }))
    for (const guy of [boris, carl])
      await guy.isRefused('role_forbidden', () => guy.act('FACE_STATE', { ...said, session_id }))
    for (const since_ms of [-1, 1e30, 'long'])
      await anna.isRefused('invalid', () =>
        anna.act('FACE_STATE', { present: false, since_ms: since_ms as number }),
      )
    await vera.act('FACE_STATE', said)
    equal((await absences(testApp, vera)).length, 0)
  },
)

story('an installation that looks for no face records none', async ({ testApp, anna }) => {
  await testApp.setting('face_absence', '0')
  await anna.act('MATCH_AWAIT', {})
  await isAbsent(testApp, anna)
  equal((await absences(testApp, anna)).length, 0)
  await anna.heard('search_state', { state: 'waiting' })
})

story(
  'an absence that an appeal reversed is not counted, and the pause that rested on it ends',
  async ({ testApp, anna }) => {
    await testApp.setting('face_absence', '20')
    for (let times = 0; times < 3; times += 1) {
      await anna.act('MATCH_AWAIT', {})
      await isAbsent(testApp, anna)
    }
    equal((await anna.act('MATCH_AWAIT', {})).state, 'paused')
    const { items } = await anna.get('statements')
    const { id } = await anna.post('appeals', { statement_id: items.at(-1)!.id, text: 'Look.' })
    const mia = await openStaff(testApp, 'manager')
    anna.forget()
    await mia.post(`v2/manager/appeals/${id}/decide`, { upheld: true, answer: 'You were there.' })
    await anna.heard('search_state', { state: 'idle' })
    equal((await absences(testApp, anna)).length, 2)
    equal((await anna.act('MATCH_AWAIT', {})).state, 'waiting')
  },
)
