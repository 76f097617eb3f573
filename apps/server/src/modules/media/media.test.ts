import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { collectCommands, runCommand } from '../../platform/operator/commands.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { fileForm, pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'
import { mediaKeys } from './media-key.ts'
import { encodePicture, storeFiles } from './store-files.ts'

async function fetchMedia(testApp: TestApp, url: string) {
  const response = await fetch(`${testApp.origin}${url}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cache: response.headers.get('cache-control'),
    bytes,
  }
}

async function status(testApp: TestApp, url: string): Promise<number> {
  return (await fetchMedia(testApp, url)).status
}

/** The address of a user's avatar for this viewer, as lists return it. */
async function avatarFor(viewer: TestUser, of: TestUser): Promise<string> {
  await viewer.tryAct('ADD_FAVOURITE', { user_id: of.id })
  return (await viewer.get('favourites_pagination')).items.find(({ id }) => id === of.id)!.avatar!
}

/** The public address of the blurred form of a picture. */
async function blurredUrl(testApp: TestApp, id: string): Promise<string> {
  const { blurred_id } = await testApp.app.db
    .selectFrom('media')
    .select('blurred_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return `/media/${blurred_id}/blur`
}

const getViewer = (url: string) => /viewer=([^&]+)/.exec(url)![1]!

function mediaId(url: string): string {
  return /^\/media\/([^/]+)\//.exec(url)![1]!
}

story(
  'an address returns its picture for at most five minutes',
  async ({ testApp, boris, anna }) => {
    const url = await avatarFor(boris, anna)
    const seen = await fetchMedia(testApp, url)
    deepEqual([seen.status, seen.type, seen.cache], [200, 'image/webp', 'private, max-age=150'])
    equal(seen.bytes.subarray(8, 12).toString(), 'WEBP')
    await testApp.advance('2 min')
    equal(await status(testApp, url), 200)
    await testApp.advance('181 s')
    equal(await status(testApp, url), 404)
    ok((await status(testApp, await avatarFor(boris, anna))) === 200)
  },
)

story('every changed address gets the same 404', async ({ testApp, boris, carl, anna, vera }) => {
  const url = await avatarFor(boris, anna)
  const other = await avatarFor(boris, vera)
  const asked = new URL(url, testApp.origin)
  const changed = (change: (of: URL) => void) => {
    const copy = new URL(asked)
    change(copy)
    return `${copy.pathname}${copy.search}`
  }
  const set = (name: string, value: string) => changed((of) => of.searchParams.set(name, value))
  const bodies = new Set<string>()
  for (const wrong of [
    set('signature', `${asked.searchParams.get('signature')}x`),
    set('signature', ''),
    set('viewer', String(carl.id)),
    set('viewer', `0${boris.id}`),
    set('expires', String(Number(asked.searchParams.get('expires')) + 60)),
    changed((of) => of.searchParams.delete('viewer')),
    changed((of) => of.searchParams.delete('signature')),
    changed((of) => (of.pathname = of.pathname.replace('/full', '/card'))),
    changed((of) => (of.pathname = of.pathname.replace('/full', '/original'))),
    changed((of) => (of.pathname = of.pathname.replace('/full', '/constructor'))),
    changed((of) => (of.pathname = of.pathname.replace(mediaId(url), mediaId(other)))),
    changed((of) => (of.pathname = of.pathname.replace(mediaId(url), randomUUID()))),
    (await blurredUrl(testApp, mediaId(url))).replace('/blur', '/full'),
    `/media/${mediaId(await blurredUrl(testApp, mediaId(url))).toUpperCase()}/blur`,
    `/media/${mediaId(url)}/blur`,
    `/media/${randomUUID()}/blur`,
    '/media/1/blur',
    `/media/..%2f..%2fetc/blur`,
    `/media/${mediaId(url)}/full`,
  ]) {
    const answer = await fetchMedia(testApp, wrong)
    equal(answer.status, 404, wrong)
    bodies.add(answer.bytes.toString())
  }
  deepEqual(
    [...bodies].map((body) => (JSON.parse(body) as { code: number }).code),
    [305],
  )
})

story(
  'an address stops working after a block and after the picture is removed',
  async ({ testApp, boris, carl, anna }) => {
    const his = await avatarFor(boris, anna)
    const others = await avatarFor(carl, anna)
    await anna.act('BLOCK_USER', { user_id: boris.id })
    deepEqual([await status(testApp, his), await status(testApp, others)], [404, 200])
    deepEqual((await boris.post('media/urls', { ids: [mediaId(his)] })).urls, [])
    await anna.act('UNBLOCK_USER', { user_id: boris.id })
    equal(await status(testApp, his), 200)
    const { id, status: now } = await testApp.duet<{ id: string; status: string }>(
      'media',
      'reject',
      mediaId(his),
      '--reason',
      'nudity',
    )
    deepEqual([id, now], [mediaId(his), 'removed'])
    deepEqual(
      [await status(testApp, others), await status(testApp, await blurredUrl(testApp, id))],
      [404, 404],
    )
    equal((await anna.heard('user_info')).user.avatar_status, 'removed')
    equal((await carl.get('favourites_pagination')).items[0]!.avatar, null)
    await testApp.duet('media', 'approve', id)
    equal((await auditedActs(testApp))[0], 'media_approve')
    await testApp.duet('media', 'approve', id)
    deepEqual(
      [await status(testApp, others), await status(testApp, await blurredUrl(testApp, id))],
      [200, 200],
    )
    equal((await anna.get('profile')).user.avatar_status, 'ready')
  },
)

story(
  'a picture that waits for review is visible to its owner only',
  async ({ testApp, boris, anna }) => {
    const his = await avatarFor(boris, anna)
    const id = mediaId(his)
    await testApp.app.db
      .updateTable('media')
      .set({ status: 'pending' })
      .where('id', '=', id)
      .execute()
    const { user } = await anna.get('profile')
    deepEqual([user.avatar_status, await status(testApp, user.avatar!)], ['pending', 200])
    deepEqual(
      [await status(testApp, his), await status(testApp, await blurredUrl(testApp, id))],
      [404, 404],
    )
    deepEqual(
      [
        (await boris.post('media/urls', { ids: [id] })).urls.length,
        (await anna.post('media/urls', { ids: [id] })).urls.length,
      ],
      [0, 1],
    )
  },
)

story('documents and evidence have no address', async ({ testApp, boris, anna }) => {
  const his = await avatarFor(boris, anna)
  const hers = (await anna.get('profile')).user.avatar!
  await testApp.app.db
    .updateTable('media')
    .set({ product: 'passport' })
    .where('id', '=', mediaId(his))
    .execute()
  for (const url of [his, hers, await blurredUrl(testApp, mediaId(his))])
    equal(await status(testApp, url), 404)
})

story(
  'a viewer without age confirmation gets blurred pictures only, at addresses for everyone',
  async ({ testApp, anna, boris }) => {
    const id = mediaId(await avatarFor(boris, anna))
    const guest = await testApp.guest()
    deepEqual(
      (await guest.post('media/urls', { ids: [id] })).urls.map(({ url }) => url),
      [await blurredUrl(testApp, id)],
    )
    const blurred = await fetchMedia(testApp, await blurredUrl(testApp, id))
    deepEqual([blurred.status, blurred.cache], [200, 'public, max-age=31536000, immutable'])
    ok(blurred.bytes.length < 1500, `${blurred.bytes.length} bytes`)
    await guest.post('age/confirm', { confirmed: true, terms: true })
    const [fresh] = (await guest.post('media/urls', { ids: [id] })).urls
    ok(fresh!.url.startsWith(`/media/${id}/full?viewer=`))
    // A shared address does not name the user who shared it.
    ok(!fresh!.url.includes(String(guest.id)))
    const [other] = (await boris.post('media/urls', { ids: [id] })).urls
    notEqual(getViewer(other!.url), getViewer(fresh!.url))
    equal(
      await status(testApp, fresh!.url.replace(getViewer(fresh!.url), getViewer(other!.url))),
      404,
    )
    equal(await status(testApp, fresh!.url), 200)
    // The age confirmation is checked at every request.
    await testApp.app.transact(async (tx) => {
      await tx
        .updateTable('users')
        .set({ age_confirmed_at: null })
        .where('id', '=', guest.id)
        .execute()
      await tx.publish('member_updated', { user_id: guest.id })
    })
    equal(await status(testApp, fresh!.url), 404)
    await guest.act('LOGOUT', {})
    equal(await status(testApp, fresh!.url), 404)
  },
)

story(
  'media/urls returns addresses for up to a hundred pictures, and only for those that the viewer may see',
  async ({ boris, anna, vera }) => {
    const ids = [mediaId(await avatarFor(boris, anna)), mediaId(await avatarFor(boris, vera))]
    const { urls } = await boris.post('media/urls', {
      ids: [...ids, ids[0], ...Array.from({ length: 97 }, () => randomUUID())],
    })
    deepEqual(
      urls.map(({ id }) => id),
      ids,
    )
    ok(urls.every(({ expires_at }) => Temporal.Instant.from(expires_at).epochMilliseconds > 0))
    for (const wrong of [
      {},
      { ids: [] },
      { ids: 'x' },
      { ids: ['../x'] },
      { ids: [1] },
      { ids: Array.from({ length: 101 }, () => randomUUID()) },
    ])
      await boris.isRefused('invalid', () => boris.post('media/urls', wrong))
  },
)

story('rejects the review of an unknown picture', async ({ testApp }) => {
  for (const id of ['', 'x', '1', randomUUID(), "'; drop table media"])
    for (const verdict of ['approve', 'reject']) {
      const { exit_code, answer } = await runCommand(
        testApp.app,
        collectCommands(testApp.running.modules, {}),
        ['media', verdict, id],
      )
      deepEqual([exit_code, (answer as { refusal?: string }).refusal], [1, 'not_found'])
    }
})

story('an upload is stored once for its key, by every way', async ({ testApp, anna }) => {
  const token = { 'user-access-token': String(anna.user.fs_token) }
  const ways = [
    ['avatar', 'img'],
    ['v2/gallery/media/messenger', 'media'],
    ['/upload/image/avatar', 'image'],
    ['/upload/image/gallery', 'image'],
    ['/upload/image/messenger', 'image'],
    ['/upload/image/support', 'image'],
  ] as const
  const stored = () => testApp.app.db.selectFrom('media').select('id').execute()
  for (const [path, field] of ways) {
    const send = (bytes: Buffer) =>
      anna.post(path as string, fileForm(field, bytes), { ...token, 'idempotency-key': path })
    const file = await pictureBytes()
    const before = await stored()
    const answers = await together(3, () => send(file))
    answers.push(await send(file))
    for (const answer of answers) deepEqual(answer, answers[0], path)
    const known = new Set(before.map(({ id }) => id))
    equal((await stored()).filter(({ id }) => !known.has(id)).length, 1, path)
    await anna.isRefused('key_reused', async () => send(await pictureBytes(61)))
  }
})

story(
  'files without a row are deleted after an hour, those of uploads stay',
  async ({ testApp, anna }) => {
    const { app, running } = testApp
    const { id: kept } = await uploadImage(anna, 'gallery', await pictureBytes())
    const { id: lost } = await storeFiles(app, await encodePicture(app, await pictureBytes()))
    const countFiles = async (id: unknown) => {
      const files = await Promise.all(mediaKeys(String(id)).map((key) => app.storage.get(key)))
      return files.filter((file) => file !== undefined).length
    }
    await app.jobs.run('media sweep')
    await running.outbox.settled()
    deepEqual([await countFiles(kept), await countFiles(lost)], [4, 4])
    await testApp.leap('61 min')
    await app.jobs.run('media sweep')
    await running.outbox.settled()
    deepEqual([await countFiles(kept), await countFiles(lost)], [4, 0])
  },
)
