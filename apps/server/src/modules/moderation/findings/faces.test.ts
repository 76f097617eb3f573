import { deepEqual, equal, rejects } from 'node:assert/strict'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import type { FindingsCase } from '@duet/protocol'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { hideUploads, REPORTED_REASON } from '../../media/index.ts'
import { mediaKey } from '../../media/media-key.ts'
import { pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'

/** The stand-in takes the colour of a picture as the face in it: the second is the first in another picture. */
const FACE = '#3060c0'
const SAME_FACE = '#3464bb'
const OTHER_FACE = '#40d040'

const find = (testApp: TestApp) => testApp.app.jobs.run('findings faces')
const ban = (testApp: TestApp, { id }: TestUser, reason = 'other') =>
  testApp.duet('ban', id, '--reason', reason, '--comment', 'a test')

async function addPortrait(testApp: TestApp, user: TestUser, colour: string): Promise<string> {
  const bytes = await pictureBytes(90, 90, { colour, format: 'png' })
  const { id, status } = await uploadImage(user, 'avatar', bytes)
  if (status === 'pending') await testApp.duet('media', 'approve', id as string)
  return id as string
}

const flagged = async ({ app }: TestApp) => {
  const rows = await app.db.selectFrom('findings').select(['kind', 'user_id', 'other_id']).execute()
  return rows.map(({ kind, user_id, other_id }) => [kind, user_id, other_id])
}

const keptFaces = async ({ app }: TestApp) => {
  const rows = await app.db.selectFrom('banned_faces').select(['user_id', 'face']).execute()
  return rows.map(({ user_id, face }) => [user_id, face !== null])
}

async function banFace(testApp: TestApp, user: TestUser): Promise<string> {
  await testApp.setting('face_matching', 'on')
  const portrait = await addPortrait(testApp, user, FACE)
  await ban(testApp, user)
  await find(testApp)
  return portrait
}

story(
  'a new portrait with the face of a banned girl is found once, and another face is not',
  async ({ testApp, anna, nina, boris }) => {
    await banFace(testApp, anna)
    const portrait = await addPortrait(testApp, nina, SAME_FACE)
    await addPortrait(testApp, boris, OTHER_FACE)
    await find(testApp)
    await find(testApp)
    deepEqual(await flagged(testApp), [['banned_face', nina.id, anna.id]])
    const dana = await openStaff(testApp, 'manager')
    const { items } = await dana.get('v2/manager/findings')
    deepEqual(
      items.map(({ user, kinds }) => [user.id, kinds]),
      [[nina.id, ['banned_face']]],
    )
    await nina.notHeard('banned')
    const { asked } = testApp.faces
    await find(testApp)
    equal(testApp.faces.asked, asked)
    // A decision stays, also when she shows another picture of herself.
    const { findings } = (await dana.get(`v2/manager/findings/${nina.id}`)) as FindingsCase
    const [own, banned] = findings[0]!.pictures
    deepEqual([own, banned?.user_id], [{ user_id: nina.id, media_id: portrait }, anna.id])
    await dana.post(`v2/manager/findings/${nina.id}/decide`, {
      decision: 'no_violation',
      comment: 'a sister',
      until_finding: findings[0]!.id,
    })
    await addPortrait(testApp, nina, FACE)
    await find(testApp)
    deepEqual((await dana.get('v2/manager/findings')).items, [])
  },
)

story(
  'staff compare the portrait that matched, and not a portrait that replaced it',
  async ({ testApp, anna, nina }) => {
    const known = await banFace(testApp, anna)
    const dana = await openStaff(testApp, 'manager')
    const shown = async () => {
      const { findings } = (await dana.get(`v2/manager/findings/${nina.id}`)) as FindingsCase
      equal(findings.length, 1)
      return findings[0]!.pictures
    }
    const banned = { user_id: anna.id, media_id: known }
    await addPortrait(testApp, nina, SAME_FACE)
    await find(testApp)
    await addPortrait(testApp, nina, OTHER_FACE)
    await find(testApp)
    deepEqual(await shown(), [{ user_id: nina.id, media_id: null }, banned])
    const again = await addPortrait(testApp, nina, FACE)
    await find(testApp)
    deepEqual(await shown(), [{ user_id: nina.id, media_id: again }, banned])
    await dana.post(`v2/manager/users/${nina.id}/pictures/${again}/remove`, { verdict: 'other' })
    deepEqual(await shown(), [{ user_id: nina.id, media_id: again }, banned])
    const path = `${testApp.origin}/api/v2/manager/users/${nina.id}/pictures/${again}/picture`
    equal((await fetch(path, { headers: { cookie: dana.cookie! } })).status, 200)
  },
)

story(
  'no picture is looked at before the operator turns it on',
  async ({ testApp, boris, carl }) => {
    await addPortrait(testApp, boris, FACE)
    await ban(testApp, boris)
    await addPortrait(testApp, carl, SAME_FACE)
    await find(testApp)
    deepEqual([testApp.faces.asked, await keptFaces(testApp)], [0, []])
  },
)

story('turning it off deletes every face', async ({ testApp, boris, carl }) => {
  await banFace(testApp, boris)
  deepEqual(await keptFaces(testApp), [[boris.id, true]])
  await testApp.setting('face_matching', 'off')
  await addPortrait(testApp, carl, SAME_FACE)
  await find(testApp)
  deepEqual([await keptFaces(testApp), await flagged(testApp)], [[], []])
  equal((await testApp.app.db.selectFrom('compared_portraits').selectAll().execute()).length, 0)
})

story(
  'a face is kept as long as the ban and its time, and not for a ban about bad calls',
  async ({ testApp, boris, carl, david }) => {
    await banFace(testApp, boris)
    await testApp.duet('unban', boris.id, '--comment', 'a mistake')
    deepEqual(await keptFaces(testApp), [])
    await addPortrait(testApp, carl, FACE)
    await ban(testApp, carl, 'bad_connection')
    await addPortrait(testApp, david, FACE)
    await ban(testApp, david)
    await find(testApp)
    deepEqual(await keptFaces(testApp), [[david.id, true]])
    await testApp.setting('face_keep_days', '30')
    await testApp.leap('744 h')
    await find(testApp)
    deepEqual(await keptFaces(testApp), [])
  },
)

story(
  'the face in a removed picture is deleted at once, and is not kept again',
  async ({ testApp, boris, carl }) => {
    const portrait = await banFace(testApp, boris)
    await testApp.duet('media', 'reject', portrait, '--reason', 'intimate_image')
    deepEqual(await keptFaces(testApp), [])
    await addPortrait(testApp, carl, SAME_FACE)
    await find(testApp)
    deepEqual([await keptFaces(testApp), await flagged(testApp)], [[], []])
  },
)

story(
  'the face in a picture that is hidden until staff decide is deleted by the next run',
  async ({ testApp, boris }) => {
    const portrait = await banFace(testApp, boris)
    await testApp.app.transact((tx) => hideUploads(tx, [portrait], REPORTED_REASON))
    await find(testApp)
    deepEqual(await keptFaces(testApp), [])
    await testApp.duet('media', 'approve', portrait)
    await find(testApp)
    deepEqual(await keptFaces(testApp), [[boris.id, true]])
  },
)

story(
  'a picture that is removed while its face is computed leaves no face',
  async ({ testApp, boris }) => {
    const portrait = await addPortrait(testApp, boris, FACE)
    await testApp.setting('face_matching', 'on')
    await ban(testApp, boris)
    testApp.faces.beforeLook = () =>
      testApp.duet('media', 'reject', portrait, '--reason', 'intimate_image')
    await find(testApp)
    equal(testApp.faces.asked, 1)
    deepEqual(await keptFaces(testApp), [])
  },
)

story('an erasure deletes the face of a banned user', async ({ testApp, boris }) => {
  await banFace(testApp, boris)
  await testApp.app.transact((tx) => testApp.app.eraseUser(tx, boris.id))
  deepEqual(await keptFaces(testApp), [])
  await find(testApp)
  deepEqual(await keptFaces(testApp), [])
})

story(
  'a run that ended before it stored a comparison is repeated without a second finding',
  async ({ testApp, boris, carl }) => {
    await banFace(testApp, boris)
    await addPortrait(testApp, carl, SAME_FACE)
    await runAsOwner(testApp.database, 'alter table compared_portraits rename column at to gone')
    await rejects(async () => find(testApp))
    deepEqual(await flagged(testApp), [])
    await runAsOwner(testApp.database, 'alter table compared_portraits rename column gone to at')
    await find(testApp)
    await find(testApp)
    deepEqual(await flagged(testApp), [['banned_face', carl.id, boris.id]])
  },
)

story(
  'a picture without one face is looked at once, and finds nothing',
  async ({ testApp, boris, carl, david }) => {
    for (const [guy, colour] of [
      [boris, '#000'],
      [carl, '#fff'],
    ] as const) {
      await addPortrait(testApp, guy, colour)
      await ban(testApp, guy)
    }
    await testApp.setting('face_matching', 'on')
    await addPortrait(testApp, david, '#fff')
    await find(testApp)
    await find(testApp)
    equal(testApp.faces.asked, 3)
    deepEqual((await keptFaces(testApp)).toSorted(), [
      [boris.id, false],
      [carl.id, false],
    ])
    deepEqual(await flagged(testApp), [])
  },
)

story(
  'while the models are busy, no picture counts as compared',
  async ({ testApp, boris, carl }) => {
    await banFace(testApp, boris)
    await addPortrait(testApp, carl, SAME_FACE)
    testApp.faces.unavailable = 'busy'
    await find(testApp)
    deepEqual(await flagged(testApp), [])
    testApp.faces.unavailable = undefined
    await find(testApp)
    deepEqual(await flagged(testApp), [['banned_face', carl.id, boris.id]])
  },
)

story(
  'a picture with which the models end is looked at once, and stops no other',
  async ({ testApp, boris, carl, david, anna }) => {
    await testApp.setting('face_matching', 'on')
    for (const guy of [boris, carl]) {
      await addPortrait(testApp, guy, FACE)
      await ban(testApp, guy)
    }
    testApp.faces.unavailable = 'failed'
    testApp.faces.beforeLook = async () => {
      // The first picture fails, and the next ones do not.
      if (testApp.faces.asked > 1) testApp.faces.unavailable = undefined
    }
    await find(testApp)
    deepEqual((await keptFaces(testApp)).map(([, hasFace]) => hasFace).toSorted(), [false, true])
    await addPortrait(testApp, david, SAME_FACE)
    await testApp.leap('1 h')
    await addPortrait(testApp, anna, SAME_FACE)
    testApp.faces.asked = 0
    testApp.faces.unavailable = 'failed'
    await find(testApp)
    equal(testApp.faces.asked, 2)
    equal((await flagged(testApp)).map(([, user_id]) => user_id).join(), String(anna.id))
    await find(testApp)
    equal(testApp.faces.asked, 2)
  },
)

const looks = async ({ app }: TestApp, table: 'banned_faces' | 'compared_portraits') =>
  (await app.db.selectFrom(table).select('look').execute()).map(({ look }) => look).toSorted()

story(
  'while the models do not start, no picture counts as looked at, and the next run tries again',
  async ({ testApp, boris, carl }) => {
    await testApp.setting('face_matching', 'on')
    await addPortrait(testApp, boris, FACE)
    await ban(testApp, boris)
    await addPortrait(testApp, carl, SAME_FACE)
    testApp.faces.unavailable = 'unavailable'
    await find(testApp)
    deepEqual([testApp.faces.asked, await keptFaces(testApp)], [1, []])
    testApp.faces.unavailable = undefined
    testApp.faces.beforeLook = async () => {
      if (testApp.faces.asked === 3) testApp.faces.unavailable = 'unavailable'
    }
    await find(testApp)
    deepEqual([await keptFaces(testApp), await flagged(testApp)], [[[boris.id, true]], []])
    deepEqual(await looks(testApp, 'compared_portraits'), [])
    testApp.faces.unavailable = undefined
    await find(testApp)
    deepEqual(await flagged(testApp), [['banned_face', carl.id, boris.id]])
    deepEqual(await looks(testApp, 'compared_portraits'), ['face'])
  },
)

/** Counts the statements that read the numbers of stored faces. */
function countReads({ database: { pool } }: TestApp): { reads: number } {
  const counted = { reads: 0 }
  pool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text
      if (text.includes('face, mirrored from banned_faces')) counted.reads += 1
      return query(...args)
    }) as typeof client.query
  })
  return counted
}
const watched = new WeakSet<object>()

story(
  'the stored faces are read once for all new portraits of a run',
  async ({ testApp, boris, anna, nina, carl, david }) => {
    await banFace(testApp, boris)
    for (const user of [anna, nina, carl]) await addPortrait(testApp, user, SAME_FACE)
    await addPortrait(testApp, david, OTHER_FACE)
    const counted = countReads(testApp)
    await find(testApp)
    equal(counted.reads, 1)
    deepEqual(
      (await flagged(testApp)).map(([, user_id, other_id]) => [user_id, other_id]),
      [anna, nina, carl].map(({ id }) => [id, boris.id]),
    )
  },
)

story('the result for each picture is stored', async ({ testApp, boris, carl, david, anna }) => {
  await testApp.setting('face_matching', 'on')
  for (const [user, colour] of [
    [boris, '#000'],
    [carl, '#fff'],
    [david, FACE],
  ] as const) {
    await addPortrait(testApp, user, colour)
    await ban(testApp, user)
  }
  const portrait = await addPortrait(testApp, anna, FACE)
  await testApp.app.storage.put(mediaKey(portrait, 'full'), Buffer.from('damaged'))
  await find(testApp)
  deepEqual(await looks(testApp, 'banned_faces'), ['face', 'many', 'none'])
  deepEqual(await looks(testApp, 'compared_portraits'), ['unreadable'])
})

story('a damaged file has no face and stops no other', async ({ testApp, boris, carl }) => {
  await testApp.setting('face_matching', 'on')
  const id = await addPortrait(testApp, boris, FACE)
  await testApp.app.storage.put(mediaKey(id, 'full'), Buffer.from('damaged'))
  await addPortrait(testApp, carl, FACE)
  for (const guy of [boris, carl]) await ban(testApp, guy)
  await find(testApp)
  deepEqual((await keptFaces(testApp)).toSorted(), [
    [boris.id, false],
    [carl.id, true],
  ])
})
