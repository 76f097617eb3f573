import { deepEqual, equal } from 'node:assert/strict'
import type { AppealCase } from '@duet/protocol'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { auditedActs, lastAudited, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'

/** The user appeals against the latest statement. */
async function appeal(user: TestUser): Promise<`v2/manager/appeals/${number}`> {
  const { items } = await user.get('statements')
  const { id } = await user.post('appeals', { statement_id: items[0]!.id, text: 'no' })
  return `v2/manager/appeals/${id}`
}

const look = (staff: TestUser, path: `v2/manager/appeals/${number}`) =>
  staff.get(path) as Promise<AppealCase>

const fetchPicture = (testApp: TestApp, { cookie }: TestUser, path: string) =>
  fetch(`${testApp.origin}/api/${path}`, { headers: { cookie: cookie! } })

story(
  'an appeal names the complaint and the call that were decided, and the look is recorded',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const { complaint_id } = await boris.act('TO_COMPLAIN', {
      reason: 'spam',
      user_id: anna.id,
      comment: 'look at this',
      session_id,
    })
    const dana = await openStaff(testApp, 'moderator')
    await dana.post(`v2/manager/complaints/${complaint_id}/decide`, {
      decision: 'warning',
      reason: 'contacts',
      comment: 'No numbers.',
    })
    const path = await appeal(anna)
    await dana.isRefused('role_forbidden', () => look(dana, path))
    const mira = await openStaff(testApp, 'manager')
    const shown = await look(mira, path)
    deepEqual(
      [shown.complaint_id, shown.session_id, shown.has_picture],
      [complaint_id, session_id, false],
    )
    equal(shown.statements.length, 1)
    equal((await auditedActs(testApp))[0], 'appeal_view')
  },
)

story(
  'an appeal shows the removed picture with the name of its viewer, and the removed text',
  async ({ testApp, anna, boris }) => {
    testApp.vision.nudity = 0.41
    const form = fileForm('media', await patternBytes(5), {})
    const { media } = await boris.post('gallery/media', form)
    await anna.post('profile', { about: 'Call me: 555-0123' })
    const dana = await openStaff(testApp, 'moderator')
    const verdict = { approve: false, verdict: 'personal_data' }
    await dana.post(`v2/manager/photos/${media.id}/decide`, verdict)
    const text = { user_id: anna.id, reason: 'contacts', comment: 'No.', field: 'about' } as const
    await dana.post('v2/manager/text/remove', text, { 'idempotency-key': 'text' })
    const [ofPicture, ofText] = [await appeal(boris), await appeal(anna)]
    const mira = await openStaff(testApp, 'manager')
    equal((await look(mira, ofPicture)).has_picture, true)
    const picture = await fetchPicture(testApp, mira, `${ofPicture}/picture`)
    equal(picture.headers.get('content-type'), 'image/jpeg')
    deepEqual((await auditedActs(testApp)).slice(0, 2), ['appeal_view', 'appeal_view'])
    const shown = await look(mira, ofText)
    deepEqual([shown.removed_text, shown.has_picture], ['Call me: 555-0123', false])
    equal((await fetchPicture(testApp, mira, `${ofText}/picture`)).status, 404)
    await dana.isRefused('role_forbidden', () => dana.get(`${ofPicture}/picture`))
  },
)

story(
  'the user, the audit log and the appeal read the reason of a ban that staff chose',
  async ({ testApp, anna }) => {
    const dana = await openStaff(testApp, 'moderator')
    const mira = await openStaff(testApp, 'manager')
    for (const reason of ['harassment', 'asking_money', 'child'] as const) {
      const ban = { user_id: anna.id, reason, hours: 24, comment: 'against the rules' }
      await dana.post('v2/manager/ban/impose', ban)
      deepEqual(await lastAudited(testApp), { act: 'ban_impose', reason })
      equal((await anna.get('statements')).items[0]!.reason, reason)
      await appeal(anna)
      const { items } = await mira.get('v2/manager/appeals')
      equal(items.at(-1)!.statement.reason, reason)
    }
  },
)
