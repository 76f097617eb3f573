import { deepEqual, equal } from 'node:assert/strict'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'

story('a moderator sees a waiting picture and decides it once', async ({ testApp, boris }) => {
  testApp.vision.nudity = 0.41
  const send = async (seed: number) =>
    (await boris.post('gallery/media', fileForm('media', await patternBytes(seed), {}))).media
  const first = await send(1)
  const second = await send(2)
  const dana = await openStaff(testApp, 'moderator')
  const { items } = await dana.get('v2/manager/photos')
  deepEqual(
    items.map(({ id, user, nudity }) => [id, user.id, nudity]),
    [
      [first.id, boris.id, 0.41],
      [second.id, boris.id, 0.41],
    ],
  )
  const picture = await fetch(`${testApp.origin}/api/v2/manager/photos/${first.id}/picture`, {
    headers: { cookie: dana.cookie! },
  })
  deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp'])
  const decide = (id: string, given: object) => dana.post(`v2/manager/photos/${id}/decide`, given)
  await dana.isRefused('invalid', () => decide(first.id, { approve: false }))
  await decide(first.id, { approve: true })
  await dana.isRefused('decided', () => decide(first.id, { approve: true }))
  await decide(second.id, { approve: false, verdict: 'screenshot' })
  deepEqual((await auditedActs(testApp)).slice(0, 2), ['media_remove', 'media_approve'])
  const { queues } = await dana.get('v2/manager/queues')
  equal(queues.find(({ queue }) => queue === 'photos')!.waiting, 0)
  const decided = await dana.get('v2/manager/photos', { state: 'decided' })
  deepEqual(
    decided.items.map(({ id, reason }) => [id, reason]),
    [[second.id, 'screenshot']],
  )
  const unknown = crypto.randomUUID()
  await dana.isRefused('not_found', () => decide(unknown, { approve: true }))
})

story('a moderator does not judge the own picture', async ({ testApp, boris }) => {
  testApp.vision.nudity = 0.41
  const { media } = await boris.post('gallery/media', fileForm('media', await patternBytes(3), {}))
  const self = await openStaff(testApp, 'moderator', 'boris@duet.example')
  await self.isRefused('role_forbidden', () =>
    self.post(`v2/manager/photos/${media.id}/decide`, { approve: true }),
  )
})
