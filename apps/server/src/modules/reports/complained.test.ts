import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { dialogBetween } from '@duet/testkit/messenger.ts'
import { actAsPerson } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, uploadImage } from '@duet/testkit/uploads.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Member } from '../../core/viewer.ts'
import { mayHideNamed } from './report-limits.ts'

const HIDDEN = ['pending', 'intimate_image']
const REMOVED = ['removed', 'intimate_image']
const SHOWN = ['ready', null]

async function addPhoto(user: TestUser, pattern: number) {
  const { media } = await user.post('gallery/media', fileForm('media', await patternBytes(pattern)))
  return media.id
}

async function statuses(testApp: TestApp, ...ids: string[]) {
  const rows = await testApp.app.db
    .selectFrom('media')
    .select(['id', 'status', 'reason'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.filter((row) => row.id === id).map((row) => [row.status, row.reason]))
}

function complaintAbout(user: TestUser, named: { media_id?: string; message_id?: number } = {}) {
  return { reason: 'intimate_image', user_id: user.id, comment: 'It is me.', ...named } as const
}

const listed = (testApp: TestApp) =>
  testApp.duet<{ id: number; complaint_id: number }[]>('report', 'list')

story(
  'an intimate picture that a member complains of is hidden at once, removed by the clock, and refused again',
  async ({ testApp, anna, boris }) => {
    const [id, other] = [await addPhoto(anna, 61), await addPhoto(anna, 62)]
    const said = complaintAbout(anna, { media_id: id })
    await boris.isRefused('captcha_required', () => boris.act('TO_COMPLAIN', said))
    const { complaint_id, report } = await actAsPerson(boris, 'TO_COMPLAIN', said)
    deepEqual(await statuses(testApp, id, other), [[HIDDEN], [SHOWN]])
    match(report!.receipt, /^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
    const { secret } = report!
    const state = await testApp.user('').post('reports/state', { secret })
    deepEqual([state.receipt, state.pictures, state.refused_again], [report!.receipt, 1, true])
    await boris.isRefused('image_removed', () => addPhoto(boris, 61))
    // The answer was lost: the repeat needs no second captcha.
    deepEqual(await boris.act('TO_COMPLAIN', said), { complaint_id, report })
    deepEqual(
      (await listed(testApp)).map((one) => one.complaint_id),
      [complaint_id],
    )
    const { text } = await testApp.duet<{ text: string }>('report', 'show', 1)
    equal(text, 'It is me.')
    await testApp.leap('47 h')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, id, other), [[REMOVED], [SHOWN]])
    await anna.isRefused('image_removed', () => addPhoto(anna, 61))
  },
)

story(
  'a picture of a dialog is hidden by the complaint about its message, and each further picture has a report of its own',
  async ({ testApp, anna, boris }) => {
    const dialogId = await dialogBetween(anna, boris)
    const form = fileForm('media', await patternBytes(63))
    const { media } = await anna.post('v2/gallery/media/messenger', form)
    const sent = { dialogId, message: '', type: 'image', media_id: media.id, random_id: 'one' }
    const { message_id } = await anna.act('MESSAGE', sent as never)
    const photo = await addPhoto(anna, 64)
    const first = await actAsPerson(boris, 'TO_COMPLAIN', complaintAbout(anna, { message_id }))
    deepEqual(await statuses(testApp, media.id, photo), [[HIDDEN], [SHOWN]])
    // Without a message there is one complaint a day, and each picture is reported all the same.
    const next = await actAsPerson(boris, 'TO_COMPLAIN', complaintAbout(anna, { media_id: photo }))
    ok(next.complaint_id !== first.complaint_id)
    ok(next.report!.receipt !== first.report!.receipt)
    deepEqual(await statuses(testApp, media.id, photo), [[HIDDEN], [HIDDEN]])
  },
)

story(
  'a complaint hides no portrait that staff approved, nor more than twenty pictures a day, and a second person is heard too',
  async ({ testApp, anna, boris, carl }) => {
    const portrait = await uploadImage(anna, 'avatar', await patternBytes(65))
    const { id } = portrait as { id: string }
    await testApp.duet('media', 'approve', id)
    await actAsPerson(boris, 'TO_COMPLAIN', complaintAbout(anna, { media_id: id }))
    deepEqual(await statuses(testApp, id), [[SHOWN]])

    const stays = await addPhoto(anna, 66)
    const said = complaintAbout(anna, { media_id: stays })
    const { report } = await actAsPerson(boris, 'TO_COMPLAIN', said)
    deepEqual(await statuses(testApp, stays), [[HIDDEN]])
    const [waiting] = (await listed(testApp)).slice(-1)
    await testApp.duet('report', 'decide', waiting!.id, '--decision', 'rejected', '--answer', 'No.')
    deepEqual(await statuses(testApp, stays), [[SHOWN]])
    deepEqual((await boris.act('TO_COMPLAIN', said)).report, report)
    await actAsPerson(carl, 'TO_COMPLAIN', said)
    deepEqual(await statuses(testApp, stays), [[HIDDEN]])

    const before = {
      viewer: { kind: 'member', id: boris.id } as Member,
      context: { address: '10.20.30.40' } as RequestContext,
    }
    await mayHideNamed(testApp.app, 20, before)
    const late = await addPhoto(anna, 67)
    await actAsPerson(boris, 'TO_COMPLAIN', complaintAbout(anna, { media_id: late }))
    deepEqual(await statuses(testApp, late), [[SHOWN]])
  },
)

story(
  'without a picture the complaint is for staff alone, and names no report',
  async ({ testApp, anna, boris }) => {
    const answer = await boris.act('TO_COMPLAIN', complaintAbout(anna))
    equal(answer.report, undefined)
    deepEqual(await listed(testApp), [])
  },
)

story(
  'a copy of own data has the report of a member, and an erasure removes its contact',
  async ({ testApp, anna, boris }) => {
    const email = await testApp.confirmEmail(boris)
    const id = await addPhoto(anna, 68)
    await actAsPerson(boris, 'TO_COMPLAIN', complaintAbout(anna, { media_id: id }))
    const contact = async () =>
      (await testApp.duet<{ contact: string; text: string }>('report', 'show', 1)).contact
    equal(await contact(), email)
    const copied: unknown[] = []
    for await (const part of testApp.app.exportUser(boris.id, new Set(['reports'])))
      if ('rows' in part) copied.push(...part.rows)
    equal(copied.length, 1)
    await testApp.app.transact((tx) => testApp.app.eraseUser(tx, boris.id))
    equal(await contact(), '')
    equal((await testApp.duet<{ text: string }>('report', 'show', 1)).text, 'It is me.')
  },
)
