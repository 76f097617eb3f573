import { deepEqual, equal, ok } from 'node:assert/strict'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'

async function uploaded(staff: TestUser) {
  const form = fileForm('image', await patternBytes(7), {})
  const { screenshot } = await staff.post('v2/manager/penalty/screenshot', form)
  return screenshot as string
}

function impose(staff: TestUser, girl: TestUser, screenshot: string) {
  const given = { reason: 'contacts', place: 'messenger', amount: '10', comment: 'a number' }
  return staff.post(
    'v2/manager/penalty/impose',
    { user_id: girl.id, screenshot, ...given },
    { 'idempotency-key': crypto.randomUUID() },
  )
}

function fetched(testApp: TestApp, user: TestUser, id: number) {
  return fetch(`${testApp.origin}/api/statements/${id}/evidence/screenshot`, {
    headers: { 'chat-token': user.token! },
  })
}

story(
  'the screenshot of a penalty is encrypted, and seen by its girl only',
  async ({ testApp, anna, nina }) => {
    const dana = await openStaff(testApp, 'moderator')
    const screenshot = await uploaded(dana)
    const { statement_id } = await impose(dana, anna, screenshot)
    const heard = await anna.heard('penalty', { statement_id })
    equal(heard.screenshot, `/api/statements/${statement_id}/evidence/screenshot`)
    const answer = await fetched(testApp, anna, statement_id)
    deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/webp'])
    const plain = Buffer.from(await answer.arrayBuffer())
    equal(plain.subarray(8, 12).toString(), 'WEBP')
    const { content } = await testApp.app.db
      .selectFrom('penalty_pictures')
      .select('content')
      .executeTakeFirstOrThrow()
    ok(!content.includes(plain.subarray(0, 64)))
    equal((await fetched(testApp, nina, statement_id)).status, 404)
    // The picture belongs to one penalty, and to the person who uploaded the picture.
    await dana.isRefused('not_found', () => impose(dana, anna, screenshot))
    const other = await openStaff(testApp, 'manager')
    const second = await uploaded(dana)
    await other.isRefused('not_found', () => impose(other, anna, second))
    equal((await anna.get('penalties')).items.length, 1)
  },
)

story('what is no picture is not stored as a screenshot', async ({ testApp }) => {
  const dana = await openStaff(testApp, 'moderator')
  const text = fileForm('image', Buffer.from('not a picture'), {})
  await dana.isRefused('wrong_type', () => dana.post('v2/manager/penalty/screenshot', text))
})

story(
  'a penalty from a complaint has the place of the complaint',
  async ({ testApp, anna, boris }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const dana = await openStaff(testApp, 'moderator')
    const about = { user_id: anna.id, comment: '' }
    const placeFor = async (sent: object) => {
      const { complaint_id } = await boris.act('TO_COMPLAIN', {
        reason: 'fraud',
        ...about,
        ...sent,
      })
      const decision = { decision: 'penalty', reason: 'asking_money', amount: '5', comment: 'x' }
      await dana.post(`v2/manager/complaints/${complaint_id}/decide`, decision)
      return (await anna.get('penalties')).items[0]!.place
    }
    equal(await placeFor({ session_id }), 'public_call')
    equal(await placeFor({}), 'profile')
  },
)
