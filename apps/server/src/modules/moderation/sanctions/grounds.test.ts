import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, pictureBytes } from '@duet/testkit/uploads.ts'

function picture(testApp: TestApp, user: TestUser, id: number, kind: string) {
  return fetch(`${testApp.origin}/api/statements/${id}/evidence/${kind}`, {
    headers: { 'chat-token': user.token! },
  })
}

async function sendFrame(user: TestUser) {
  const { session_id, nonce } = await user.heard('frame_request')
  const fields = { session_id: String(session_id), nonce }
  const form = fileForm('image', await pictureBytes(320, 240), fields)
  const token = { 'user-access-token': String(user.user['fs_token']) }
  await user.post('/upload/image/complaint', form, token)
}

/** A complaint about her in their call, with the frames of both, and the decision about it. */
async function decidedInCall(
  testApp: TestApp,
  { boris, anna }: { boris: TestUser; anna: TestUser },
  reason: 'fraud' | 'child',
  decision: object,
) {
  const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  const about = { reason, user_id: anna.id, comment: 'look at this', session_id }
  const { complaint_id } = await boris.act('TO_COMPLAIN', about)
  for (const one of [boris, anna]) await sendFrame(one)
  const manager = await openStaff(testApp, 'manager')
  const { statement_id } = await manager.post(
    `v2/manager/complaints/${complaint_id}/decide`,
    decision,
  )
  return statement_id as number
}

const BAN = { decision: 'ban', reason: 'other', hours: 24, comment: 'against the rules' }

story(
  'a banned user sees the own frame of the call, its place and its time, and nothing of the reporter',
  async ({ testApp, boris, anna, nina }) => {
    const id = await decidedInCall(testApp, { boris, anna }, 'fraud', BAN)
    const statement = await anna.get(`statements/${id}`)
    deepEqual(
      [statement.evidence, statement.texts, statement.place, typeof statement.call_at],
      [['camera'], [], 'public_call', 'string'],
    )
    const told = JSON.stringify(statement)
    for (const word of [String(boris.user['nick']), 'look at this']) ok(!told.includes(word), word)
    const answer = await picture(testApp, anna, id, 'camera')
    deepEqual(
      [answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')],
      [200, 'image/webp', 'no-store'],
    )
    const bytes = Buffer.from(await answer.arrayBuffer())
    equal(bytes.toString('latin1', 8, 12), 'WEBP')
    for (const kind of ['screenshot', 'picture', 'frame'])
      equal((await picture(testApp, anna, id, kind)).status, 404, kind)
    for (const other of [boris, nina])
      equal((await picture(testApp, other, id, 'camera')).status, 404)
    equal((await picture(testApp, anna, id, 'seen')).status, 400)
  },
)

story(
  'a decision about a minor and one after the panic key show their reason only',
  async ({ testApp, boris, anna, carl, clara }) => {
    const child = await decidedInCall(testApp, { boris, anna }, 'child', BAN)
    const { session_id, connect } = await inCall(testApp, { guy: carl, girl: clara })
    await connect()
    const { complaint_id } = await clara.act('PANIC', { session_id })
    await sendFrame(carl)
    const manager = await openStaff(testApp, 'owner')
    const panic = await manager.post(`v2/manager/complaints/${complaint_id}/decide`, BAN)
    const cases = [
      [anna, child],
      [carl, panic.statement_id as number],
    ] as const
    for (const [user, id] of cases) {
      const { evidence, texts, place, call_at } = await user.get(`statements/${id}`)
      deepEqual([evidence, texts, place, call_at], [[], [], undefined, undefined])
      equal((await picture(testApp, user, id, 'camera')).status, 404)
    }
  },
)

story(
  'a penalty about a minor shows neither place nor picture, and no other act answers such a case',
  async ({ testApp, boris, anna, carl, clara }) => {
    const penalty = { decision: 'penalty', reason: 'other', amount: '10', comment: 'not so' }
    const id = await decidedInCall(testApp, { boris, anna }, 'child', penalty)
    equal((await anna.get(`statements/${id}`)).place, undefined)
    const { session_id, connect } = await inCall(testApp, { guy: carl, girl: clara })
    await connect()
    const about = { reason: 'child', user_id: clara.id, comment: '', session_id } as const
    const { complaint_id } = await carl.act('TO_COMPLAIN', about)
    const manager = await openStaff(testApp, 'owner')
    const { decision: _decision, ...act } = penalty
    const impose = { ...act, user_id: clara.id, place: 'public_call', session_id }
    await manager.isRefused('invalid', () =>
      manager.post('v2/manager/penalty/impose', { ...impose, complaint_id }),
    )
    await manager.isRefused('not_found', () =>
      manager.post('v2/manager/ban/impose', { ...BAN, user_id: boris.id, complaint_id }),
    )
    // A decision about the same call would name it.
    const { statement_id } = await manager.post('v2/manager/penalty/impose', impose)
    const shown = await clara.get(`statements/${statement_id}`)
    deepEqual([shown.place, shown.call_at, shown.evidence], [undefined, undefined, []])
  },
)

story('a ban because of a minor names no call', async ({ testApp, boris, anna }) => {
  const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  const dana = await openStaff(testApp, 'moderator')
  const ban = { user_id: anna.id, hours: 24, comment: 'against the rules', session_id }
  for (const reason of ['nudity', 'child'] as const) {
    const { statement_id } = await dana.post('v2/manager/ban/impose', { ...ban, reason })
    const { place, call_at } = await anna.get(`statements/${statement_id}`)
    const isNamed = reason !== 'child'
    deepEqual([place !== undefined, call_at !== undefined], [isNamed, isNamed])
  }
})

story('a removed picture and a removed text are shown', async ({ testApp, boris, anna }) => {
  testApp.vision.nudity = 0.41
  const form = fileForm('media', await patternBytes(5), {})
  const { media } = await boris.post('gallery/media', form)
  const dana = await openStaff(testApp, 'moderator')
  const remove = { approve: false, verdict: 'personal_data' }
  await dana.post(`v2/manager/photos/${media.id}/decide`, remove)
  const [photo] = (await boris.get('statements')).items
  deepEqual([photo!.evidence, photo!.place], [['picture'], 'gallery'])
  equal((await picture(testApp, boris, photo!.id, 'picture')).status, 200)
  equal((await picture(testApp, anna, photo!.id, 'picture')).status, 404)

  const dialogId = await dialogBetween(anna, boris)
  const { message_id } = await writeMessage(anna, dialogId, 'a rude word')
  const why = { reason: 'harassment', comment: 'Be kind.' }
  const removed = await dana.post(`v2/manager/messages/${message_id}/remove`, why)
  const [text] = (await anna.get('statements')).items
  equal(text!.id, removed.statement_id)
  deepEqual(
    text!.texts.map(({ text, place, at }) => [text, place, typeof at]),
    [['a rude word', 'messenger', 'string']],
  )
})

story('a picture of a minor or of another is not shown again', async ({ testApp, boris }) => {
  testApp.vision.nudity = 0.41
  const dana = await openStaff(testApp, 'moderator')
  // The last verdict suspends him.
  for (const [index, verdict] of ['intimate_image', 'minor'].entries()) {
    const form = fileForm('media', await patternBytes(5 + index), {})
    const { media } = await boris.post('gallery/media', form)
    await dana.post(`v2/manager/photos/${media.id}/decide`, { approve: false, verdict })
    const [photo] = (await boris.get('statements')).items
    deepEqual([photo!.reason, photo!.evidence], [verdict, []])
    equal((await picture(testApp, boris, photo!.id, 'picture')).status, 404)
  }
})

story(
  'the message of a complaint and masked texts stay with the decision, also when they disappear',
  async ({ testApp, boris, anna }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'write me at anna@example.com')
    await testApp.advance('2 min')
    const about = { reason: 'spam', user_id: anna.id, comment: '', message_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', about)
    const dana = await openStaff(testApp, 'moderator')
    const warning = { decision: 'warning', reason: 'contacts', comment: 'keep contacts away' }
    await dana.post(`v2/manager/complaints/${complaint_id}/decide`, warning)
    const { view_id } = await dana.get(`v2/manager/masked/${anna.id}`)
    await dana.post(`v2/manager/masked/${anna.id}/decide`, { ...warning, view_id })
    await testApp.app.db.deleteFrom('message_originals').execute()
    const { items } = await anna.get('statements')
    deepEqual(
      items.map(({ texts }) => texts.map(({ text, place }) => [text, place])),
      Array(2).fill([['write me at anna@example.com', 'messenger']]),
    )
  },
)
