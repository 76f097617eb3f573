import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, rejects } from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'

async function upload(user: TestUser, bytes: Uint8Array, fields: Record<string, string> = {}) {
  const { media } = await user.post('gallery/media', fileForm('media', bytes, fields))
  return media
}

function checks(testApp: TestApp) {
  return testApp.app.db.selectFrom('image_checks').selectAll().orderBy('id').execute()
}

async function changed(bytes: Uint8Array, change: (image: Sharp) => Sharp): Promise<Buffer> {
  return change(sharp(bytes)).jpeg({ quality: 60 }).toBuffer()
}

story(
  'the score of an upload refuses it, lets it wait or shows it, and is kept with its reason',
  async ({ testApp, boris }) => {
    const bytes = await patternBytes(1)
    testApp.vision.nudity = 0.71
    await boris.isRefused('nudity', () => upload(boris, bytes))
    testApp.vision.nudity = 0.41
    equal((await upload(boris, bytes)).status, 'pending')
    testApp.vision.nudity = 0.39
    const shown = await upload(boris, bytes)
    equal(shown.status, 'ready')
    const kept = await checks(testApp)
    deepEqual(
      kept.map(({ verdict, reason, nudity, model }) => [verdict, reason, nudity, model]),
      [
        ['refused', 'nudity', 0.71, 'given'],
        ['pending', 'nudity', 0.41, 'given'],
        ['ready', null, 0.39, 'given'],
      ],
    )
    equal(kept[2]!.media_id, shown.id)
    const [waiting] = await testApp.duet<{ nudity: number; reason: string }[]>('media', 'list')
    deepEqual([waiting!.nudity, waiting!.reason], [0.41, 'nudity'])
    await testApp.setting('upload_refuse', '0.3')
    await boris.isRefused('nudity', () => upload(boris, bytes))
    equal((await testApp.duet<unknown[]>('pictures', 'checks')).length, 4)
  },
)

story(
  'nothing of a refused upload is stored, and no other product is a way around',
  async ({ testApp, boris, anna }) => {
    testApp.vision.nudity = 0.9
    const before = await testApp.app.db.selectFrom('media').select('id').execute()
    const bytes = await patternBytes(2)
    await anna.isRefused('nudity', () =>
      anna.post(
        'avatar',
        fileForm('img', bytes, { crop: JSON.stringify({ x: 0, y: 0, size: 90 }) }),
      ),
    )
    await anna.isRefused('nudity', () => uploadImage(anna, 'gallery', bytes))
    await anna.isRefused('nudity', () => uploadImage(anna, 'messenger', bytes))
    deepEqual(await testApp.app.db.selectFrom('media').select('id').execute(), before)
    deepEqual(await testApp.app.db.selectFrom('media_drafts').select('id').execute(), [])
    // Only support sees it, and has to see what a user complains about.
    equal((await uploadImage(boris, 'support', bytes)).status, 'ready')
  },
)

story('a picture that no model could judge waits for staff', async ({ testApp, boris }) => {
  for (const answer of ['busy', 'failed'] as const) {
    testApp.vision.answer = answer
    equal((await upload(boris, await patternBytes(3))).status, 'pending')
  }
  deepEqual(
    (await checks(testApp)).map(({ verdict, reason, nudity }) => [verdict, reason, nudity]),
    [
      ['pending', 'unchecked', null],
      ['pending', 'unchecked', null],
    ],
  )
})

story(
  'an adult picture of an adult installation waits for staff, whatever its score',
  async ({ testApp, anna }) => {
    await testApp.setting('nsfw_gallery', 'on')
    await testApp.setting('content_policy', 'adult')
    testApp.vision.nudity = 0.99
    const adult = { adult: 'true', consent: 'true' }
    equal((await upload(anna, await patternBytes(4), adult)).status, 'pending')
    await anna.isRefused('nudity', async () => upload(anna, await patternBytes(4)))
  },
)

story(
  'a picture that staff removed is refused from all users, also scaled, compressed, cropped or mirrored',
  async ({ testApp, boris, carl }) => {
    const bytes = await patternBytes(5)
    const { id } = await upload(boris, bytes)
    await testApp.duet('media', 'reject', id, '--reason', 'screenshot')
    const asked = testApp.vision.asked
    const forms = [
      bytes,
      await changed(bytes, (image) => image.resize(320)),
      await changed(bytes, (image) => image.extract({ left: 6, top: 8, width: 786, height: 586 })),
      await changed(bytes, (image) => image.flop()),
    ]
    for (const form of forms) await carl.isRefused('image_removed', () => upload(carl, form))
    equal(testApp.vision.asked, asked)
    equal((await upload(carl, await patternBytes(6))).status, 'ready')
    const refused = (await checks(testApp)).filter(({ verdict }) => verdict === 'refused')
    deepEqual(
      refused.map(({ reason, known_picture_id }) => [reason, known_picture_id !== null]),
      forms.map(() => ['known_image', true]),
    )

    await testApp.duet('media', 'approve', id)
    equal((await upload(carl, bytes)).status, 'ready')
  },
)

story(
  'a picture of another person is refused from the user who uploaded it, not from that person',
  async ({ testApp, boris, carl }) => {
    const bytes = await patternBytes(7)
    const { id } = await upload(boris, bytes)
    await testApp.duet('media', 'reject', id, '--reason', 'not_you')
    equal((await auditedActs(testApp))[0], 'media_remove')
    await boris.isRefused('image_removed', () => upload(boris, bytes))
    equal((await upload(carl, bytes)).status, 'ready')
  },
)

story(
  'an operator bans a picture by an upload, and pictures by a list of hashes',
  async ({ testApp, boris, carl }) => {
    const [first, second] = [await patternBytes(8), await patternBytes(9)]
    const { id } = await upload(boris, first)
    await testApp.duet('pictures', 'ban', id)
    equal((await auditedActs(testApp))[0], 'picture_ban')
    await carl.isRefused('image_removed', () => upload(carl, first))
    equal((await upload(boris, second)).status, 'ready')

    const { hash } = (await checks(testApp)).at(-1)!
    const file = join(testApp.config.data_dir, 'hashes.txt')
    await writeFile(
      file,
      `# a list\n${hash!.toUpperCase()},seen twice\n\n${'0f'.repeat(32)}\n${hash}\n`,
    )
    deepEqual(await testApp.duet('pictures', 'import', file), { read: 3, added: 2 })
    equal((await auditedActs(testApp))[0], 'pictures_import')
    deepEqual(await testApp.duet('pictures', 'import', file), { read: 3, added: 0 })
    await carl.isRefused('image_removed', () => upload(carl, second))

    await writeFile(file, `${hash}\nnot a hash\n`)
    for (const line of [
      ['pictures', 'import', file],
      ['pictures', 'import', join(testApp.config.data_dir, 'nothing')],
      ['pictures', 'ban', 'no-upload'],
      ['pictures', 'ban', id, '--reason', 'ugly'],
    ])
      await rejects(testApp.duet(...line), line.join(' '))
  },
)

story('pictures of one colour are never taken for each other', async ({ testApp, boris, carl }) => {
  const { id } = await upload(boris, await pictureBytes(90, 90))
  await testApp.duet('media', 'reject', id, '--reason', 'other')
  equal((await upload(carl, await pictureBytes(80, 80, { colour: '#112233' }))).status, 'ready')
})

story(
  'staff tell the owner of a picture what they decided, once for each decision',
  async ({ testApp, boris }) => {
    testApp.vision.nudity = 0.5
    const { id } = await upload(boris, await patternBytes(10))
    const verdicts = async () =>
      (await boris.get('notices')).items.map(({ kind, facts }) => [kind, facts!.verdict])
    await testApp.duet('media', 'approve', id)
    await testApp.duet('media', 'approve', id)
    deepEqual(await verdicts(), [['photo', 'ready']])
    await testApp.duet('media', 'reject', id, '--reason', 'personal_data')
    await testApp.duet('media', 'reject', id, '--reason', 'personal_data')
    deepEqual(await verdicts(), [
      ['photo', 'personal_data'],
      ['photo', 'ready'],
    ])
  },
)
