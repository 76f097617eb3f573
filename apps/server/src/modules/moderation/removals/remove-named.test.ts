import { deepEqual, equal } from 'node:assert/strict'
import type { ComplaintCase } from '@duet/protocol'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { actAsPerson } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'

const WARNING = { decision: 'warning', reason: 'harassment', comment: 'Stop it.' } as const

async function addPhoto(user: TestUser, pattern: number) {
  const { media } = await user.post('gallery/media', fileForm('media', await patternBytes(pattern)))
  return media.id
}

async function readStatus(testApp: TestApp, id: string) {
  const row = await testApp.app.db
    .selectFrom('media')
    .select(['status', 'reason'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return [row.status, row.reason]
}

const decide = (staff: TestUser, id: number, given: object) =>
  staff.post(`v2/manager/complaints/${id}/decide`, given)

async function namedIn(staff: TestUser, id: number) {
  const { named } = await staff.get(`v2/manager/complaints/${id}`)
  return named as ComplaintCase['named']
}

async function readKinds(user: TestUser) {
  const { items } = await user.get('statements')
  return items.map(({ kind, reason }) => `${kind} ${reason}`).toSorted()
}

story(
  'a decision removes the reported picture in its transaction, and the picture is shown in the case before',
  async ({ testApp, anna, boris }) => {
    const media_id = await addPhoto(anna, 51)
    const said = { reason: 'nudity', user_id: anna.id, comment: '', media_id } as const
    const { complaint_id: id } = await boris.act('TO_COMPLAIN', said)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    deepEqual(await namedIn(dana, id), {
      media_id,
      message_id: null,
      status: 'ready',
      can_remove: true,
    })
    const open = (source: string) =>
      fetch(`${testApp.origin}/api/v2/manager/complaints/${id}/evidence/picture?source=${source}`, {
        headers: { 'client-version': '2.0.0', cookie: dana.cookie! },
      })
    equal((await open(media_id)).status, 200)
    equal((await open(await addPhoto(anna, 52))).status, 404)
    const nothing = { decision: 'no_violation', comment: 'Fine.', remove: true }
    await dana.isRefused('invalid', () => decide(dana, id, nothing))
    await testApp.setting('bulk_removals_max', '1')
    const first = `v2/manager/users/${anna.id}/pictures/${await addPhoto(anna, 56)}/remove`
    await dana.post(first as 'v2/manager/users/{id}/pictures/{media_id}/remove', {
      verdict: 'nudity',
      reason: 'No.',
    })
    await dana.isRefused('bulk_stopped', () => decide(dana, id, { ...WARNING, remove: true }))
    // Neither of the two happened.
    deepEqual(await readStatus(testApp, media_id), ['ready', null])
    deepEqual(await readKinds(anna), ['photo nudity'])
    const owner = await openStaff(testApp, 'owner')
    await owner.post('v2/manager/bulk-stops/1/allow', { reason: 'one person, many pictures' })
    await decide(dana, id, { ...WARNING, remove: true })
    deepEqual(await readStatus(testApp, media_id), ['removed', 'nudity'])
    deepEqual(await readKinds(anna), ['photo nudity', 'photo nudity', 'warning harassment'])
    await anna.isRefused('image_removed', () => addPhoto(anna, 51))
  },
)

story(
  'a decision without it leaves the picture, and a removed message has a statement of its own',
  async ({ testApp, anna, boris }) => {
    const media_id = await addPhoto(anna, 53)
    const about = { reason: 'spam', user_id: anna.id, comment: '' } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', { ...about, media_id })
    await decide(await openStaff(testApp, 'moderator'), complaint_id, WARNING)
    deepEqual(await readStatus(testApp, media_id), ['ready', null])

    const dialog_id = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialog_id, 'buy this')
    await testApp.leap('25 h')
    const { complaint_id: id } = await boris.act('TO_COMPLAIN', { ...about, message_id })
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    equal((await namedIn(dana, id))?.can_remove, true)
    await decide(dana, id, { ...WARNING, remove: true })
    await boris.heard('messenger_message_removed')
    deepEqual(await readKinds(anna), [
      'text harassment',
      'warning harassment',
      'warning harassment',
    ])
    equal((await namedIn(dana, id))?.can_remove, false)
  },
)

story(
  'an intimate picture that a decision removes closes its report, whose reporter reads why',
  async ({ testApp, anna, boris }) => {
    const media_id = await addPhoto(anna, 54)
    const said = { reason: 'intimate_image', user_id: anna.id, comment: '', media_id } as const
    const { complaint_id: id, report } = await actAsPerson(boris, 'TO_COMPLAIN', said)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    equal((await namedIn(dana, id))?.status, 'pending')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const claimed = {
      queue: 'reports',
      id: String((await emil.get('v2/manager/reports')).items[0]!.id),
    } as const
    await emil.post('v2/manager/claim', claimed)
    await dana.isRefused('claimed', () => decide(dana, id, { ...WARNING, remove: true }))
    deepEqual(await readStatus(testApp, media_id), ['pending', 'intimate_image'])
    await emil.post('v2/manager/release', claimed)
    await decide(dana, id, { ...WARNING, remove: true })
    deepEqual(await readStatus(testApp, media_id), ['removed', 'intimate_image'])
    const state = await boris.post('reports/state', { secret: report!.secret })
    deepEqual([state.decision, state.pictures], ['upheld', 1])
    equal(state.answer.startsWith('We agree with you and removed the picture.'), true)
    deepEqual((await dana.get('v2/manager/reports')).items, [])
    deepEqual(await readKinds(anna), ['photo intimate_image', 'warning harassment'])
  },
)

story('a case about a minor names nothing to remove', async ({ testApp, anna, boris }) => {
  const media_id = await addPhoto(anna, 55)
  const said = { reason: 'child', user_id: anna.id, comment: '', media_id } as const
  const { complaint_id: id } = await boris.act('TO_COMPLAIN', said)
  const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
  equal((await namedIn(mia, id))?.can_remove, false)
  await mia.isRefused('invalid', () => decide(mia, id, { ...WARNING, remove: true }))
})

story(
  'the case marks the reported message, also behind many later ones',
  async ({ testApp, anna, boris }) => {
    const dialog_id = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialog_id, 'buy this')
    await testApp.database.pool.query(
      `insert into messages (id, dialog_id, sender_id, receiver_id, type, text, create_time)
       select nextval('message_ids'), dialog_id, sender_id, receiver_id, type, 'later ' || number, create_time
       from messages, generate_series(1, 60) number where id = $1`,
      [message_id],
    )
    const said = { reason: 'spam', user_id: anna.id, comment: '', message_id } as const
    const { complaint_id: id } = await boris.act('TO_COMPLAIN', said)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const { timeline } = (await dana.get(`v2/manager/complaints/${id}`)) as unknown as ComplaintCase
    const texts = timeline.filter((entry) => entry.type === 'text')
    deepEqual(
      texts.filter((entry) => entry.is_reported).map(({ text }) => text),
      ['buy this'],
    )
    equal(texts.length, 51)
  },
)
