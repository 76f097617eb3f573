import { deepEqual, equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { checkPoints } from '@duet/protocol/kernel/identity-checks.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, sendDocuments } from '@duet/testkit/uploads.ts'
import { sql } from 'kysely'
import { addFindings } from '../moderation/findings/finding-store.ts'

const NO_VIOLATION = { decision: 'no_violation', comment: 'nothing is wrong' } as const

/** Complaints of one user about another, the oldest first. */
async function addComplaints(testApp: TestApp, { id: by }: TestUser, { id: about }: TestUser) {
  const { rows } = await sql<{ complaint_id: number }>`
    insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select ${by}, ${about}, 'spam', '', date '2030-01-01' + n, now() from generate_series(1, 8) n
    returning complaint_id`.execute(testApp.app.db)
  return rows.map(({ complaint_id }) => `v2/manager/complaints/${complaint_id}` as const)
}

async function allowFirst(staff: TestUser): Promise<string> {
  const [stop] = (await staff.get('v2/manager/bulk-stops')).stops
  await staff.post(`v2/manager/bulk-stops/${stop!.id}/allow`, { reason: 'a quiet week' })
  return `${stop!.person} ${stop!.kind}`
}

story(
  'a script that dismisses complaint after complaint is stopped until a second person allows more',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('bulk_dismissals_max', '3')
    const paths = await addComplaints(testApp, boris, anna)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    const dismiss = (staff: TestUser, at: number) =>
      staff.post(`${paths[at]!}/decide`, NO_VIOLATION)
    for (const at of [0, 1, 2]) await dismiss(dana, at)
    await dana.isRefused('bulk_stopped', () => dismiss(dana, 3))
    await testApp.leap('3 h')
    await dana.isRefused('bulk_stopped', () => dismiss(dana, 3))
    // The case still waits for others, and acts of other kinds are possible.
    await dismiss(emil, 3)
    await dana.post(`${paths[4]!}/pass`, { note: 'one for managers' })
    const manager = await openStaff(testApp, 'manager')
    equal(await allowFirst(manager), 'dana@duet.example dismissal')
    await dismiss(dana, 5)
  },
)

story(
  'findings, masked texts and reports that are dismissed count together with complaints',
  async ({ testApp, boris, anna }) => {
    await testApp.setting('bulk_dismissals_max', '4')
    const [first, second] = await addComplaints(testApp, boris, anna)
    const finding = { user_id: anna.id, kind: 'linked', key: 'a pair' } as const
    await testApp.app.transact((tx) => addFindings(tx, [finding]))
    await writeMessage(anna, await dialogBetween(anna, boris), 'write me at anna@example.com')
    await testApp.user('vera').post('reports/content', {
      secret: randomBytes(32).toString('base64url'),
      contact: 'vera@elsewhere.example',
      where: 'in a profile',
      reason: 'impersonation',
      text: 'She uses my photos.',
    })
    await testApp.advance('2 min')
    const dana = await openStaff(testApp, 'moderator')
    const decide = (path: string, body: object) => dana.post(`v2/manager/${path}/decide`, body)

    await dana.post(`${first!}/decide`, NO_VIOLATION)
    const { findings } = await dana.get(`v2/manager/findings/${anna.id}`)
    const until_finding = (findings as { id: number }[])[0]!.id
    await decide(`findings/${anna.id}`, { ...NO_VIOLATION, until_finding })
    const { view_id } = await dana.get(`v2/manager/masked/${anna.id}`)
    await decide(`masked/${anna.id}`, { ...NO_VIOLATION, view_id })
    const [report] = (await dana.get('v2/manager/reports')).items
    await decide(`reports/${report!.id}`, { decision: 'rejected', answer: 'These are hers.' })
    await dana.isRefused('bulk_stopped', () => dana.post(`${second!}/decide`, NO_VIOLATION))
    const [stop] = (await (await openStaff(testApp, 'manager')).get('v2/manager/bulk-stops')).stops
    deepEqual([stop!.kind, stop!.acts], ['dismissal', 4])
    const shell = ['--decision', 'no_violation', '--comment', 'x'] as const
    await testApp.setting('bulk_dismissals_max', '1')
    await testApp.duet('complaints', 'decide', second!.split('/').at(-1)!, ...shell)
    equal((await testApp.duet<unknown[]>('bulk', 'list')).length, 2)
  },
)

story(
  'a person who passes on complaints, or approves pictures or identities, is stopped as well',
  async ({ testApp, boris, anna, carl, nina }) => {
    for (const kind of ['passes', 'approvals', 'verifications'])
      await testApp.setting(`bulk_${kind}_max`, '1')
    const manager = await openStaff(testApp, 'manager')
    const isStopped = (path: string, body: object) =>
      manager.isRefused('bulk_stopped', () => manager.post(path, body))
    const [first, second] = await addComplaints(testApp, boris, anna)
    await manager.post(`${first!}/pass`, { note: 'for others' })
    await isStopped(`${second!}/pass`, { note: 'for others' })

    testApp.vision.nudity = 0.41
    const photos: string[] = []
    for (const seed of [1, 2]) {
      const bytes = await patternBytes(seed)
      const { media } = await boris.post('gallery/media', fileForm('media', bytes))
      photos.push(`v2/manager/photos/${media.id}/decide`)
    }
    await manager.post(photos[0]!, { approve: true })
    await isStopped(photos[1]!, { approve: true })
    await manager.post(photos[1]!, { approve: false, verdict: 'screenshot' })

    for (const user of [nina, carl]) await sendDocuments(user)
    const { items } = await manager.get('v2/manager/verifications')
    const checks = items.map(({ id }) => `v2/manager/verifications/${id}/decide`)
    const approved = { verified: true, expires: '2035-05-31', checked: [...checkPoints] }
    await manager.post(checks[0]!, approved)
    await isStopped(checks[1]!, approved)
    await manager.post(checks[1]!, { verified: false, reason: 'unreadable' })

    const { stops } = await manager.get('v2/manager/bulk-stops')
    deepEqual(
      stops.map(({ kind }) => kind),
      ['pass', 'approval', 'verification'],
    )
  },
)
