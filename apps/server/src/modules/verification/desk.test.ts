import { deepEqual, equal } from 'node:assert/strict'
import { checkPoints } from '@duet/protocol/kernel/identity-checks.ts'
import sharp from 'sharp'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { sendDocuments } from '@duet/testkit/uploads.ts'
import { story } from '@duet/testkit/test-app.ts'

const checked = [...checkPoints]

async function views(testApp: Parameters<typeof openStaff>[0]) {
  const rows = await testApp.app.db.selectFrom('identity_document_views').select('viewer').execute()
  return rows.map(({ viewer }) => viewer)
}

story('a manager reads the documents and verifies', async ({ testApp, nina }) => {
  await sendDocuments(nina)
  const moderator = await openStaff(testApp, 'moderator')
  await moderator.isRefused('role_forbidden', () => moderator.get('v2/manager/verifications'))
  const mira = await openStaff(testApp, 'manager')
  const { items } = await mira.get('v2/manager/verifications')
  const { id } = items[0]!
  equal(items[0]!.user.id, nina.id)
  const path = `v2/manager/verifications/${id}`
  const shown = await mira.get(path)
  deepEqual(shown['sides'], ['front', 'selfie'])
  const picture = await fetch(`${testApp.origin}/api/${path}/documents/front`, {
    headers: { cookie: mira.cookie!, 'client-version': '2.0.0' },
  })
  equal(picture.status, 200, picture.ok ? '' : await picture.text())
  equal((await sharp(await picture.arrayBuffer()).metadata()).width, 900)
  deepEqual(await views(testApp), ['manager@duet.example', 'manager@duet.example'])
  const decide = (given: object) => mira.post(`${path}/decide`, given)
  await mira.isRefused('invalid', () => decide({ verified: true, checked }))
  await mira.isRefused('invalid', () => decide({ verified: true, expires: '2020-01-01', checked }))
  await mira.isRefused('invalid', () => decide({ verified: false }))
  for (const point of checkPoints) {
    const others = checkPoints.filter((one) => one !== point)
    const incomplete = { verified: true, expires: '2035-05-31', checked: others }
    await mira.isRefused('invalid', () => decide(incomplete))
  }
  await decide({ verified: true, expires: '2035-05-31', checked })
  equal((await nina.get('kyc')).state, 'verified')
  deepEqual((await auditedActs(testApp)).slice(0, 3), [
    'identity_approve',
    'documents_view',
    'documents_view',
  ])
  await mira.isRefused('decided', () => decide({ verified: true, expires: '2035-05-31', checked }))
})

story('documents need a fresh proof, and no one judges the own', async ({ testApp, nina }) => {
  await sendDocuments(nina)
  const self = await openStaff(testApp, 'owner', 'nina@duet.example')
  const other = await openStaff(testApp, 'owner')
  const { items } = await other.get('v2/manager/verifications')
  const path = `v2/manager/verifications/${items[0]!.id}`
  deepEqual((await self.get('v2/manager/verifications')).items, [])
  await self.isRefused('role_forbidden', () => self.get(path))
  await self.isRefused('role_forbidden', () =>
    self.post(`${path}/decide`, { verified: true, expires: '2035-05-31', checked }),
  )
  testApp.clock.sleep(testApp.clock.now().add({ minutes: 10 }))
  await self.isRefused('second_factor', () => self.get(path))
  deepEqual(await views(testApp), [])
})

story('a user who is asked again reads what to send, and sends it', async ({ testApp, nina }) => {
  await sendDocuments(nina)
  const mira = await openStaff(testApp, 'manager')
  const { items } = await mira.get('v2/manager/verifications')
  const decide = (given: object) =>
    mira.post(`v2/manager/verifications/${items[0]!.id}/decide`, { verified: false, ...given })
  await mira.isRefused('invalid', () => decide({ reason: 'underage', again: true }))
  await mira.isRefused('invalid', () => decide({ reason: 'not_same_person', again: true }))
  await mira.isRefused('invalid', () => decide({ reason: 'other', again: true }))
  await mira.isRefused('invalid', () => decide({ reason: 'unreadable', again: true, comment: '' }))
  equal((await nina.get('kyc')).state, 'checking')
  const comment = 'Take the selfie in daylight.'
  await decide({ reason: 'unreadable', again: true, comment })
  const { state, reason, asked_again, comment: words, challenge } = await nina.get('kyc')
  deepEqual([state, reason, asked_again, words], ['declined', 'unreadable', true, comment])
  equal(challenge !== undefined, true)
  deepEqual((await nina.get('notices')).items[0]!.facts, { state: 'again' })
  const [act] = await testApp.duet<{ act: string; reason: string; facts: object }[]>(
    ...(['audit', 'list'] as const),
  )
  deepEqual([act!.act, act!.reason], ['identity_ask', 'unreadable'])
  await sendDocuments(nina)
  const again = await nina.get('kyc')
  deepEqual([again.state, again.asked_again, again.comment], ['checking', undefined, undefined])
  const [next] = (await mira.get('v2/manager/verifications')).items
  const path = `v2/manager/verifications/${next!.id}/decide`
  await mira.post(path, { verified: false, reason: 'underage', comment: 'Come back later.' })
  const declined = await nina.get('kyc')
  deepEqual(
    [declined.reason, declined.asked_again, declined.comment],
    ['underage', undefined, 'Come back later.'],
  )
  const [last] = await testApp.duet<{ act: string }[]>(...(['audit', 'list'] as const))
  equal(last!.act, 'identity_decline')
})
