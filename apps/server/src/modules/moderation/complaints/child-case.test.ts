import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'
import { readEvidence } from './evidence.ts'
import { evidenceFiles } from './evidence-store.ts'

const NO_VIOLATION = { decision: 'no_violation', comment: 'She is 24.' } as const

const start = (staff: TestUser, { id: user_id }: { readonly id: number }) =>
  staff.post('v2/manager/child-cases', { user_id, note: 'She says that she is 15.' })

const sealed = async (testApp: TestApp, complaint_id: number) =>
  (await evidenceFiles(testApp.app.db, complaint_id)).filter(({ is_sealed }) => is_sealed)

const isHeld = async ({ app }: TestApp, user_id: number) => {
  const holds = app.db.selectFrom('evidence_holds').select('hold_id')
  return (
    (await holds
      .where('user_id', '=', user_id)
      .where('lifted_at', 'is', null)
      .executeTakeFirst()) !== undefined
  )
}

story(
  'staff open a case about a child: the call ends, the user is suspended, and the evidence is sealed',
  async ({ testApp, boris, carl, anna, vera }) => {
    await writeMessage(anna, await dialogBetween(anna, carl), 'I am in the ninth class')
    await carl.act('TO_COMPLAIN', { reason: 'child', user_id: vera.id, comment: '' })
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const { complaint_id, is_new } = await start(dana, anna)
    ok(is_new)
    await boris.heard('close_session', { session_id })
    const { moderation_info } = await anna.heard('banned')
    equal(moderation_info.kind, 'suspension')
    await anna.isRefused('banned', () =>
      anna.act('TO_COMPLAIN', { reason: 'spam', user_id: boris.id, comment: '' }),
    )
    ok(await isHeld(testApp, anna.id))
    const record = (await sealed(testApp, complaint_id)).find(({ kind }) => kind === 'record')!
    ok((await readEvidence(testApp.app, record))!.toString().includes('ninth class'))
    // A press that is repeated, and one of another person of staff, are answered with the same case.
    for (const staff of [dana, mia])
      deepEqual(await start(staff, anna), { complaint_id, is_new: false })
    equal((await auditedActs(testApp)).filter((act) => act === 'child_case_open').length, 1)
    const [first] = (await dana.get('v2/manager/complaints')).items
    deepEqual(
      [first?.id, first?.complainer, first?.opened_by, first?.is_serious, first?.for_managers],
      [complaint_id, null, 'dana@duet.example', true, true],
    )
    const shown = await mia.get(`v2/manager/complaints/${complaint_id}`)
    equal(shown['by_complainer'], null)
    ok(JSON.stringify(shown['timeline']).includes('ninth class'))
    // A manager decides within 15 minutes, or an alarm is raised.
    await testApp.leap('16 min')
    await testApp.app.jobs.run('complaints warn')
    await testApp.settle()
    const alarms = (await testApp.mails()).filter(({ subject }) => subject.startsWith('Serious'))
    deepEqual(
      alarms.map(({ to }) => to),
      ['mia@duet.example'],
    )
    const path = `v2/manager/complaints/${complaint_id}/decide`
    await dana.isRefused('role_forbidden', () => dana.post(path, NO_VIOLATION))
    await mia.post(path, NO_VIOLATION)
    equal((await anna.auth()).moderation_info, undefined)
    equal(await isHeld(testApp, anna.id), false)
    ok((await start(dana, anna)).is_new)
  },
)

story(
  'a sign after the suspension was lifted suspends again, and another note of staff is kept',
  async ({ testApp, anna }) => {
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const { complaint_id } = await start(dana, anna)
    const note = 'Her friend says so, too.'
    await dana.post('v2/manager/child-cases', { user_id: anna.id, note })
    const [suspension] = (await mia.get('v2/manager/statements', { user_id: anna.id })).items
    const undo = () =>
      mia.post(`v2/manager/statements/${suspension!.id}/undo`, { reason: 'wrong button' })
    await mia.isRefused('not_found', undo)
    await testApp.duet('unban', anna.id, '--comment', 'wrong button', '--as', 'olga')
    equal((await anna.auth()).moderation_info, undefined)
    deepEqual(await start(dana, anna), { complaint_id, is_new: false })
    equal((await anna.auth()).moderation_info?.kind, 'suspension')
    // A second member suspends in the case of the first, and does not decide the appeal.
    await testApp.duet('unban', anna.id, '--comment', 'wrong button', '--as', 'olga')
    await start(mia, anna)
    const [latest] = (await anna.get('statements')).items
    await anna.post('appeals', { statement_id: latest!.id, text: 'I am 24.' })
    ok((await mia.get('v2/manager/appeals')).items[0]?.is_own_act)
    deepEqual((await auditedActs(testApp)).filter((act) => act.startsWith('child')).toReversed(), [
      'child_case_open',
      'child_sign',
      'child_case_open',
      'child_case_open',
    ])
  },
)

story('two members of staff at once open one case', async ({ testApp, anna }) => {
  const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
  const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
  const [one, other] = await together(2, (at) => start([dana, mia][at]!, anna))
  equal(one!.complaint_id, other!.complaint_id)
  deepEqual([one!.is_new, other!.is_new].toSorted(), [false, true])
  const suspensions = testApp.app.db.selectFrom('sanctions').select('statement_id')
  equal((await suspensions.where('user_id', '=', anna.id).execute()).length, 1)
})

story(
  'a case is not opened about an own account, and counts as a ban',
  async ({ testApp, boris, anna, vera }) => {
    const own = await openStaff(testApp, 'moderator', 'boris@duet.example')
    await own.isRefused('role_forbidden', () => start(own, boris))
    const finance = await openStaff(testApp, 'finance', 'fay@duet.example')
    await finance.isRefused('role_forbidden', () => start(finance, anna))
    await own.isRefused('not_found', () => start(own, { id: 2_000_000_000 }))
    await testApp.setting('bulk_bans_max', '1')
    await start(own, anna)
    await own.isRefused('bulk_stopped', () => start(own, vera))
    // An open case is no further act.
    equal((await start(own, anna)).is_new, false)
  },
)

story(
  'the verdict that a picture shows a minor suspends its owner and seals the picture',
  async ({ testApp, anna }) => {
    testApp.vision.nudity = 0.41
    const bytes = await patternBytes(5)
    const { media } = await anna.post('gallery/media', fileForm('media', bytes))
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    await dana.post('v2/manager/claim', { queue: 'photos', id: media.id })
    const verdict = { approve: false, verdict: 'minor' } as const
    await dana.post(`v2/manager/photos/${media.id}/decide`, verdict)
    equal((await anna.heard('banned')).moderation_info.kind, 'suspension')
    await testApp.settle()
    const [row] = (await dana.get('v2/manager/complaints')).items
    deepEqual([row?.accused.id, row?.opened_by], [anna.id, 'dana@duet.example'])
    const files = await sealed(testApp, row!.id)
    ok(files.some(({ kind }) => kind === 'record'))
    const copy = files.find(({ source }) => source === media.id)!
    ok(await readEvidence(testApp.app, copy))
    equal((await auditedActs(testApp)).includes('child_case_open'), true)
  },
)

story(
  'every call with a sign of a minor suspends, whatever else the complainer reported',
  async ({ testApp, boris, anna, clara }) => {
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    for (const girl of [anna, clara]) {
      const { session_id, connect } = await inCall(testApp, { guy: boris, girl })
      await connect()
      const said = { reason: 'child', user_id: girl.id, comment: '', session_id } as const
      const { complaint_id } = await boris.act('TO_COMPLAIN', said)
      await girl.heard('banned')
      await dana.isRefused('role_forbidden', () =>
        dana.post(`v2/manager/complaints/${complaint_id}/decide`, NO_VIOLATION),
      )
      boris.forget()
    }
  },
)

story(
  'who suspends by a raise is named as a person, and another decides the appeal',
  async ({ testApp, boris, anna }) => {
    const said = { reason: 'dislike', user_id: anna.id, comment: '' } as const
    await writeMessage(anna, await dialogBetween(anna, boris), 'I am 15')
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    await mia.post(`v2/manager/complaints/${complaint_id}/raise`, { note: 'See her text.' })
    const [statement] = (await anna.get('statements')).items
    deepEqual([statement?.kind, statement?.automatic], ['suspension', false])
    await anna.post('appeals', { statement_id: statement!.id, text: 'I am 24.' })
    const [appeal] = (await mia.get('v2/manager/appeals')).items
    ok(appeal?.is_own_act)
    const decided = { upheld: false, answer: 'No.' }
    await mia.isRefused('role_forbidden', () =>
      mia.post(`v2/manager/appeals/${appeal.id}/decide`, decided),
    )
    const shown = await mia.get(`v2/manager/complaints/${complaint_id}`)
    equal((shown['complaint'] as { passed: { note: string } }).passed.note, 'See her text.')
  },
)

story(
  'the pictures of all signs of a case are sealed, also after its suspension was lifted',
  async ({ testApp, boris, anna }) => {
    testApp.vision.nudity = 0.41
    const ids: string[] = []
    for (const seed of [5, 6, 7]) {
      const form = fileForm('media', await patternBytes(seed))
      ids.push((await anna.post('gallery/media', form)).media.id)
    }
    await writeMessage(anna, await dialogBetween(anna, boris), 'I am in the ninth class')
    const about = { reason: 'child', user_id: anna.id, comment: '' } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', about)
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const verdict = { approve: false, verdict: 'minor' } as const
    for (const [number, id] of ids.entries()) {
      if (number === 2) await testApp.duet('unban', anna.id, '--comment', 'wrong button')
      await mia.post('v2/manager/claim', { queue: 'photos', id })
      await mia.post(`v2/manager/photos/${id}/decide`, verdict)
      await testApp.settle()
    }
    equal((await anna.auth()).moderation_info?.kind, 'suspension')
    const pictures = (await sealed(testApp, complaint_id)).filter(({ kind }) => kind === 'picture')
    deepEqual(pictures.map(({ source }) => source).toSorted(), ids.toSorted())
    for (const copy of pictures) ok(await readEvidence(testApp.app, copy))
  },
)

story(
  'the verdict of a minor at the shell is the act of the operator, also under the name of a member of staff',
  async ({ testApp, anna }) => {
    testApp.vision.nudity = 0.41
    const { media } = await anna.post('gallery/media', fileForm('media', await patternBytes(5)))
    await openStaff(testApp, 'moderator', 'dana@duet.example')
    const as = ['--as', 'dana@duet.example'] as const
    await testApp.duet('media', 'reject', media.id, '--reason', 'minor', ...as)
    const entries = testApp.app.db.selectFrom('audit_entries').select(['operator', 'staff_id'])
    const opened = await entries.where('act', '=', 'child_case_open').execute()
    deepEqual(opened, [{ operator: 'dana@duet.example', staff_id: null }])
  },
)
