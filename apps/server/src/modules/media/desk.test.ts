import { deepEqual, equal, notDeepEqual, ok } from 'node:assert/strict'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'
import { wireTime } from '../../lib/clock.ts'
import { attachUploads } from './store.ts'

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
  deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
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
  await decide((await send(3)).id, { approve: false, verdict: 'nudity' })
  const { load } = await dana.get('v2/manager/queues')
  equal(load.severe_hour, 1)
  const unknown = crypto.randomUUID()
  await dana.isRefused('not_found', () => decide(unknown, { approve: true }))
})

function look(
  { origin }: TestApp,
  { cookie }: TestUser,
  id: string,
  form = 'picture',
): Promise<Response> {
  return fetch(`${origin}/api/v2/manager/photos/${id}/${form}`, { headers: { cookie: cookie! } })
}

async function looks(testApp: TestApp): Promise<number> {
  return (await auditedActs(testApp)).filter((act) => act === 'media_view').length
}

story(
  'the desk shows only its pictures, with the name of the viewer, and records each look',
  async ({ testApp, boris }) => {
    const send = async (seed: number) =>
      (await boris.post('gallery/media', fileForm('media', await patternBytes(seed), {}))).media
    const visible = await send(1)
    testApp.vision.nudity = 0.41
    const { id } = await send(2)
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const mia = await openStaff(testApp, 'moderator', 'mia@duet.example')
    equal((await look(testApp, dana, visible.id)).status, 404)
    equal((await look(testApp, dana, visible.id, 'tile')).status, 404)
    equal((await look(testApp, dana, id, 'tile')).status, 200)
    equal(await looks(testApp), 0)
    const [first, second] = [await look(testApp, dana, id), await look(testApp, mia, id)]
    deepEqual([first.status, second.status, await looks(testApp)], [200, 200, 2])
    notDeepEqual(await first.bytes(), await second.bytes())
    const self = await openStaff(testApp, 'manager', 'boris@duet.example')
    equal((await look(testApp, self, id)).status, 403)
    equal(await looks(testApp), 2)
    await dana.post(`v2/manager/photos/${id}/decide`, { approve: false, verdict: 'screenshot' })
    equal((await look(testApp, dana, id)).status, 200)
  },
)

story('the desk neither shows nor decides what a report hides', async ({ testApp, boris }) => {
  const send = async (seed: number) =>
    (await boris.post('gallery/media', fileForm('media', await patternBytes(seed), {}))).media
  const hidden = await send(1)
  const removed = await send(2)
  const change = (id: string, status: string) =>
    testApp.app.db
      .updateTable('media')
      .set({ status, reason: 'intimate_image', reviewed_at: testApp.clock.now() })
      .where('id', '=', id)
      .execute()
  await change(hidden.id, 'pending')
  await change(removed.id, 'removed')
  const dana = await openStaff(testApp, 'moderator')
  for (const { id } of [hidden, removed]) equal((await look(testApp, dana, id)).status, 404)
  const { items } = await dana.get('v2/manager/photos', { state: 'decided' })
  deepEqual(items, [])
  await dana.isRefused('not_found', () =>
    dana.post(`v2/manager/photos/${hidden.id}/decide`, { approve: true }),
  )
})

story('a moderator does not judge the own picture', async ({ testApp, boris }) => {
  testApp.vision.nudity = 0.41
  const { media } = await boris.post('gallery/media', fileForm('media', await patternBytes(3), {}))
  const self = await openStaff(testApp, 'moderator', 'boris@duet.example')
  await self.isRefused('role_forbidden', () =>
    self.post(`v2/manager/photos/${media.id}/decide`, { approve: true }),
  )
})

story(
  'a visible picture is looked at and removed on the page of its owner',
  async ({ testApp, boris, anna }) => {
    const { media } = await boris.post(
      'gallery/media',
      fileForm('media', await patternBytes(4), {}),
    )
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const page = `v2/manager/users/${boris.id}/pictures`
    const states = async () => {
      const { items } = (await dana.get(page)) as unknown as {
        items: { id: string; product: string; status: string; reason: string | null }[]
      }
      return items
        .filter(({ product }) => product === 'gallery')
        .map(({ id, status, reason }) => [id, status, reason])
    }
    deepEqual(await states(), [[media.id, 'ready', null]])
    const see = async (staff: TestUser, of: number) => {
      const address = `${testApp.origin}/api/v2/manager/users/${of}/pictures/${media.id}/picture`
      return (await fetch(address, { headers: { cookie: staff.cookie! } })).status
    }
    deepEqual(
      [await see(dana, boris.id), await see(dana, anna.id), await looks(testApp)],
      [200, 404, 1],
    )
    const self = await openStaff(testApp, 'manager', 'boris@duet.example')
    equal(await see(self, boris.id), 403)
    const verdict = { verdict: 'personal_data' }
    const remove = (staff: TestUser, of: number) =>
      staff.post(`v2/manager/users/${of}/pictures/${media.id}/remove`, verdict)
    await self.isRefused('role_forbidden', () => remove(self, boris.id))
    await dana.isRefused('not_found', () => remove(dana, anna.id))
    await remove(dana, boris.id)
    await dana.isRefused('decided', () => remove(dana, boris.id))
    deepEqual(await states(), [[media.id, 'removed', 'personal_data']])
    equal((await auditedActs(testApp))[0], 'media_remove')
    const { items: statements } = await boris.get('statements')
    deepEqual([statements[0]!.kind, statements[0]!.reason], ['photo', 'personal_data'])
    const { items: notices } = await boris.get('notices')
    deepEqual(notices[0]!.facts, { verdict: 'personal_data' })
    await dana.isRefused('not_found', () => dana.get('v2/manager/users/999999/pictures'))
  },
)

story(
  'the median answer counts from the queue, and no verdict about a picture that was visible',
  async ({ testApp, boris }) => {
    const send = async (seed: number, nudity: number) => {
      testApp.vision.nudity = nudity
      const form = fileForm('media', await patternBytes(seed), {})
      return (await boris.post('gallery/media', form)).media.id
    }
    const visible = await send(1, 0)
    const later = await send(2, 0)
    await testApp.leap('72 h')
    const dana = await openStaff(testApp, 'manager')
    const photos = async () => {
      await testApp.advance('61 s')
      const { queues } = await dana.get('v2/manager/queues')
      return queues.find(({ queue }) => queue === 'photos')!
    }
    const path = `v2/manager/users/${boris.id}/pictures/${visible}/remove` as const
    await dana.post(path, { verdict: 'other' })
    equal((await photos()).median_seconds, null)
    await testApp.app.transact((tx) => attachUploads(tx, [{ id: later }], 'adult'))
    const begun = testApp.clock.now()
    await testApp.advance('240 s')
    equal((await photos()).oldest, wireTime(begun))
    await dana.post(`v2/manager/photos/${later}/decide`, { approve: true })
    const took = (await photos()).median_seconds
    ok(took !== null && took >= 240 && took < 360, String(took))
  },
)
