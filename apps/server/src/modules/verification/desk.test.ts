import { deepEqual, equal } from 'node:assert/strict'
import sharp from 'sharp'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { sendDocuments } from '@duet/testkit/uploads.ts'
import { story } from '@duet/testkit/test-app.ts'

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
  await mira.isRefused('invalid', () => decide({ verified: true }))
  await mira.isRefused('invalid', () => decide({ verified: true, expires: '2020-01-01' }))
  await mira.isRefused('invalid', () => decide({ verified: false }))
  await decide({ verified: true, expires: '2035-05-31' })
  equal((await nina.get('kyc')).state, 'verified')
  deepEqual((await auditedActs(testApp)).slice(0, 3), [
    'identity_approve',
    'documents_view',
    'documents_view',
  ])
  await mira.isRefused('decided', () => decide({ verified: true, expires: '2035-05-31' }))
})

story('documents need a fresh proof, and no one judges the own', async ({ testApp, nina }) => {
  await sendDocuments(nina)
  const self = await openStaff(testApp, 'owner', 'nina@duet.example')
  const { items } = await self.get('v2/manager/verifications')
  const path = `v2/manager/verifications/${items[0]!.id}`
  await self.isRefused('role_forbidden', () =>
    self.post(`${path}/decide`, { verified: true, expires: '2035-05-31' }),
  )
  testApp.clock.sleep(testApp.clock.now().add({ minutes: 10 }))
  await self.isRefused('second_factor', () => self.get(path))
  deepEqual(await views(testApp), [])
})
