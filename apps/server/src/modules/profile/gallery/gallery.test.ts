import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { fileForm, pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { readGalleries } from './queries.ts'

async function add(user: TestUser, fields: Record<string, string> = {}, bytes?: Buffer) {
  const file = bytes ?? (await pictureBytes())
  return (await user.post('gallery/media', fileForm('media', file, fields))).media
}

async function fetchStatus(testApp: TestApp, url: string | null): Promise<number> {
  return (await fetch(`${testApp.origin}${url}`)).status
}

async function fetchFiles({ config }: TestApp): Promise<string[]> {
  const found = await readdir(join(config.data_dir, 'files'), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

story(
  'a photo and an avatar have an address for every stored width, none wider than it is',
  async ({ testApp, anna, boris }) => {
    await boris.post('age/confirm', { confirmed: true, terms: true })
    await add(anna, {}, await pictureBytes(1000, 500))
    await add(anna, {}, await pictureBytes(300, 200))
    await add(anna, { premium_only: 'true' })
    const { girl } = await boris.get('girl_info', { ref_code: String(anna.user.ref_code) })
    const [wide, narrow, locked] = girl.photos
    const getWidths = (item: (typeof girl.photos)[number]) =>
      item.variants?.map(({ width }) => width)
    deepEqual([wide!, narrow!, locked!].map(getWidths), [[120, 480, 800], [120, 300], undefined])
    for (const { width, url } of [...wide!.variants!, ...girl.avatar_variants!]) {
      const bytes = await (await fetch(`${testApp.origin}${url}`)).arrayBuffer()
      equal((await sharp(Buffer.from(bytes)).metadata()).width, width)
    }
  },
)

story('a file is added once for its key, however often it is sent', async ({ testApp, anna }) => {
  const file = await pictureBytes()
  const send = (bytes: Buffer, fields = {}) =>
    anna.post('gallery/media', fileForm('media', bytes, fields), { 'idempotency-key': 'try' })
  const sent = await together(3, () => send(file))
  const again = await send(file)
  deepEqual(new Set([...sent, again].map(({ media }) => media.id)).size, 1)
  const files = await fetchFiles(testApp)
  await anna.isRefused('key_reused', async () => send(await pictureBytes(61)))
  await anna.isRefused('key_reused', () => send(file, { title: 'Lake' }))
  equal((await anna.get('gallery')).photos.length, 1)
  deepEqual(await fetchFiles(testApp), files)
  // Without a key the same file becomes another picture.
  await add(anna, {}, file)
  equal((await anna.get('gallery')).photos.length, 2)
})

story('photos are added, titled, ordered and shown to others', async ({ testApp, boris, anna }) => {
  const first = await add(anna, { title: 'Lake' })
  const second = await add(anna)
  const third = await add(anna)
  deepEqual(
    [first.title, first.status, first.like, first.position, third.position],
    ['Lake', 'ready', 0, 0, 2],
  )
  await anna.post('gallery/media/update', { id: third.id, position: 0, title: 'Sea' })
  await anna.post('gallery/media/update', { id: first.id, title: '' })
  const { photos, videos } = await anna.get('gallery')
  deepEqual(
    photos.map(({ id, title, position }) => [id, title, position]),
    [
      [third.id, 'Sea', 0],
      [first.id, undefined, 1],
      [second.id, undefined, 2],
    ],
  )
  deepEqual(videos, [])
  const profile = await anna.get('profile')
  deepEqual(profile.photos.length, 3)
  equal(profile.user.has_photos, true)
  const seen = await readGalleries(testApp.app, testApp.app.db, null, anna.id)
  const confirmed = await readGalleries(testApp.app, testApp.app.db, boris.id, anna.id)
  deepEqual(
    seen.photos.map(({ url, locked }) => [url?.endsWith('/blur'), locked]),
    [
      [true, false],
      [true, false],
      [true, false],
    ],
  )
  for (const { url } of confirmed.photos) equal(await fetchStatus(testApp, url), 200)
})

story('a title tells no way to meet elsewhere', async ({ testApp, anna }) => {
  const added = await add(anna, { title: 'call +44 20 7946 0000' })
  equal(added.title, 'call ***')
  const { media } = await anna.post('gallery/media/update', {
    id: added.id,
    title: 'anna@example.com',
  })
  equal(media.title, '***')
  // An earlier version stored titles without masking.
  const { app } = testApp
  const written = { title: 'anna@example.com', title_masked: false }
  await app.db.updateTable('gallery_items').set(written).execute()
  const { photos } = await readGalleries(app, app.db, null, anna.id)
  equal(photos[0]!.title, '***')
  // A title that is stored masked is not masked again: masking 200 prepared titles stops the server for 55 ms.
  await app.db.updateTable('gallery_items').set({ title_masked: true }).execute()
  equal((await readGalleries(app, app.db, null, anna.id)).photos[0]!.title, 'anna@example.com')
  await anna.post('gallery/media/update', { id: added.id, title: 'anna@example.com' })
  equal((await readGalleries(app, app.db, null, anna.id)).photos[0]!.title, '***')
})

story(
  'an item for premium guys is locked for the others, also by its address',
  async ({ testApp, boris, carl, anna }) => {
    for (const guy of [boris, carl]) await guy.post('age/confirm', { confirmed: true, terms: true })
    await testApp.duet('premium', carl.id, '--days', 30)
    const { id } = await add(anna, { premium_only: 'true' })
    const as = async (viewer: TestUser) =>
      (await readGalleries(testApp.app, testApp.app.db, viewer.id, anna.id)).photos[0]!
    deepEqual(
      [(await as(boris)).locked, (await as(carl)).locked, (await as(anna)).locked],
      [true, false, false],
    )
    ok((await as(boris)).url!.endsWith('/blur'))
    equal((await boris.post('media/urls', { ids: [id] })).urls[0]!.url, (await as(boris)).url)
    const full = (await as(carl)).url!
    equal(await fetchStatus(testApp, full), 200)
    await boris.isRefused('premium_only', () => boris.post('gallery/media/like', { id }))
    await carl.post('gallery/media/like', { id })
    await testApp.leap('744 h')
    equal((await as(carl)).locked, true)
    const again = (await as(anna)).url!
    equal(await fetchStatus(testApp, again), 200)
    await anna.post('gallery/media/update', { id, premium_only: false })
    equal((await as(boris)).locked, false)
  },
)

story(
  'the right of premium ends with the period, for an address that is still valid',
  async ({ testApp, carl, anna }) => {
    await carl.post('age/confirm', { confirmed: true, terms: true })
    await testApp.duet('premium', carl.id, '--days', 1)
    await add(anna, { premium_only: 'true' })
    await testApp.leap('1439 min')
    const [photo] = (await readGalleries(testApp.app, testApp.app.db, carl.id, anna.id)).photos
    equal(await fetchStatus(testApp, photo!.url), 200)
    await testApp.advance('61 s')
    equal(await fetchStatus(testApp, photo!.url), 404)
  },
)

story(
  'an item is liked once a person, and the like can be taken back',
  async ({ boris, carl, anna }) => {
    for (const guy of [boris, carl]) await guy.post('age/confirm', { confirmed: true, terms: true })
    const { id } = await add(anna)
    const likes = await together(10, () => boris.post('gallery/media/like', { id }))
    equal(Math.max(...likes.map(({ like }) => like)), 1)
    deepEqual(await carl.post('gallery/media/like', { id }), { like: 2, liked: true })
    deepEqual(await boris.post('gallery/media/like', { id, like: false }), {
      like: 1,
      liked: false,
    })
    deepEqual(await boris.post('gallery/media/like', { id, like: false }), {
      like: 1,
      liked: false,
    })
    await anna.isRefused('role_forbidden', () => anna.post('gallery/media/like', { id }))
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.isRefused('not_found', () => boris.post('gallery/media/like', { id }))
  },
)

story(
  'an item belongs to its owner: others neither change nor delete it',
  async ({ testApp, boris, anna, vera }) => {
    const { id } = await add(anna)
    for (const other of [boris, vera]) {
      await other.isRefused('not_found', () => other.post('gallery/media/delete', { id }))
      await other.isRefused('not_found', () =>
        other.post('gallery/media/update', { id, title: 'x' }),
      )
      await other.isRefused('not_found', () => other.post('avatar/set', { id }))
    }
    equal((await anna.get('gallery')).photos.length, 1)
    const before = (await fetchFiles(testApp)).length
    deepEqual(await anna.post('gallery/media/delete', { id }), {})
    deepEqual(await anna.post('gallery/media/delete', { id }), {})
    await testApp.running.outbox.settled()
    equal((await fetchFiles(testApp)).length, before - 4)
    deepEqual((await anna.get('gallery')).photos, [])
    deepEqual((await anna.post('media/urls', { ids: [id] })).urls, [])
  },
)

story(
  'a photo that staff remove keeps its place with the reason, without an address',
  async ({ testApp, boris, anna }) => {
    const { id, url } = await add(anna)
    await testApp.duet('media', 'reject', id, '--reason', 'screenshot')
    const [photo] = (await anna.get('gallery')).photos
    deepEqual([photo!.status, photo!.reason, photo!.url], ['removed', 'screenshot', null])
    equal(await fetchStatus(testApp, url), 404)
    deepEqual((await readGalleries(testApp.app, testApp.app.db, boris.id, anna.id)).photos, [])
    await testApp.leap('4344 h')
    await testApp.app.jobs.run('retention')
    await testApp.running.outbox.settled()
    deepEqual((await anna.get('gallery')).photos, [])
  },
)

story(
  'a user has space for a number of uploads, however many arrive at once',
  async ({ testApp, boris }) => {
    await testApp.setting('uploads_max', '3')
    const bytes = await pictureBytes()
    const answers = await together(6, () =>
      add(boris, {}, bytes).then(
        () => 'added',
        (error: { refusal: string }) => error.refusal,
      ),
    )
    // Some uploads meet the limit of waiting pictures before the number of items is checked.
    const others = answers.filter((one) => one !== 'added')
    ok(others.every((one) => one === 'too_large' || one === 'too_many'))
    equal(others.length, 3)
    equal((await fetchFiles(testApp)).length, 3 * 4)
    await testApp.setting('uploads_max', '100')
    await testApp.setting('upload_megabytes_max', '1')
    await testApp.app.db.updateTable('media').set({ bytes: 600_000 }).execute()
    const refused = await boris.isRefused('too_large', () => add(boris, {}, bytes))
    equal(refused.limit, 'bytes')
  },
)

story(
  'the storage takes each product from the users who may upload it',
  async ({ testApp, boris, carl, anna, nina, gina }) => {
    await testApp.duet('premium', carl.id, '--days', 30)
    const bytes = await pictureBytes()
    equal((await uploadImage(boris, 'avatar', bytes)).status, 'ready')
    equal((await boris.get('profile')).user.avatar_status, 'ready')
    equal((await uploadImage(nina, 'avatar', bytes)).status, 'pending')
    await uploadImage(anna, 'gallery', bytes)
    equal((await anna.get('gallery')).photos.length, 1)
    const sent = await uploadImage(carl, 'messenger', bytes)
    deepEqual([sent.status, sent.width, sent.height], ['ready', 60, 40])
    equal((await fetch(`${testApp.origin}${String(sent.url)}`)).status, 200)
    deepEqual((await anna.post('media/urls', { ids: [sent.id] })).urls, [])
    await boris.isRefused('premium_only', () => uploadImage(boris, 'messenger', bytes))
    for (const product of ['avatar', 'gallery', 'messenger', 'support'])
      await gina.isRefused('registered_only', () => uploadImage(gina, product, bytes))
    for (const product of ['frame', 'complaint'])
      await carl.isRefused('not_found', () => uploadImage(carl, product, bytes))
    for (const product of ['passport', 'selfie', 'penalty'])
      await anna.isRefused('role_forbidden', () => uploadImage(anna, product, bytes))
    for (const product of ['staff', '..%2favatar', 'AVATAR', 'constructor'])
      await carl.isRefused('invalid', () => uploadImage(carl, product, bytes))
    await carl.post('avatar/delete')
    carl.user.fs_token = 'x'.repeat(40)
    await carl.isRefused('session_invalid', () => uploadImage(carl, 'avatar', bytes))
  },
)

story('a deleted account leaves no row, no like and no file', async ({ testApp, boris, anna }) => {
  await boris.post('age/confirm', { confirmed: true, terms: true })
  const { id } = await add(anna)
  await boris.post('gallery/media/like', { id })
  await add(boris)
  const deleteAccount = (user_id: number) =>
    testApp.app.transact((tx) => testApp.app.eraseUser(tx, user_id))
  await deleteAccount(boris.id)
  equal((await anna.get('gallery')).photos[0]!.like, 0)
  await deleteAccount(anna.id)
  await testApp.running.outbox.settled()
  deepEqual(await fetchFiles(testApp), [])
})

story(
  'the adult gallery does not exist until the operator allows it',
  async ({ testApp, carl, anna, boris, vera }) => {
    await testApp.duet('premium', carl.id, '--days', 30)
    const wish = (user: TestUser) => user.post('user_nsfw', { show: true })
    const list = (user: TestUser) => user.get('nsfw/gallery')
    const consented = { adult: 'true', consent: 'true' }
    await carl.isRefused('not_found', () => list(carl))
    await carl.isRefused('not_found', () => wish(carl))
    await anna.isRefused('invalid', () => add(anna, consented))
    await testApp.setting('nsfw_gallery', 'on')
    await carl.isRefused('not_found', () => list(carl))
    await testApp.setting('content_policy', 'adult')

    await carl.isRefused('age_unconfirmed', () => list(carl))
    await carl.post('age/confirm', { confirmed: true, terms: true })
    await carl.isRefused('age_unconfirmed', () => wish(carl))
    await testApp.duet('verify', carl.id)
    equal((await wish(carl)).user.shows_adult, true)
    await boris.isRefused('premium_only', () => list(boris))

    await anna.isRefused('invalid', () => add(anna, { adult: 'true' }))
    await boris.isRefused('role_forbidden', () => add(boris, consented))
    const item = await add(anna, consented)
    deepEqual([item.status, item.adult], ['pending', true])
    deepEqual((await list(carl)).items, [])
    await testApp.duet('media', 'approve', item.id)
    const [shown] = (await list(carl)).items
    deepEqual([shown!.id, shown!.user_interlocutor.id], [item.id, anna.id])
    equal(await fetchStatus(testApp, shown!.url), 200)
    deepEqual((await readGalleries(testApp.app, testApp.app.db, carl.id, anna.id)).photos, [])

    const plain = await add(vera)
    await vera.post('media_nsfw', { media_id: plain.id, adult: true })
    await vera.isRefused('invalid', () =>
      vera.post('media_nsfw', { media_id: plain.id, adult: false }),
    )
    deepEqual((await readGalleries(testApp.app, testApp.app.db, carl.id, vera.id)).photos, [])
    await testApp.duet('media', 'approve', plain.id)
    equal((await list(carl)).items.length, 1)
    await vera.post('media_nsfw', { media_id: plain.id, adult: true, consent: true })
    equal((await list(carl)).items.length, 2)

    await carl.post('user_nsfw', { show: false })
    equal(await fetchStatus(testApp, shown!.url), 404)
    await carl.isRefused('age_unconfirmed', () => list(carl))
  },
)

story(
  'an item that is marked as adult while its owner changes it stays adult',
  async ({ testApp, anna }) => {
    const { id } = await add(anna)
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    await client.query('begin')
    await client.query(`update media set audience = 'adult', status = 'pending' where id = $1`, [
      id,
    ])
    await client.query('update gallery_items set adult = true where media_id = $1', [id])
    const changing = anna.post('gallery/media/update', { id, premium_only: true })
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    await client.query('commit')
    client.release()
    equal((await changing).media.premium_only, true)
    const { rows } = await testApp.database.pool.query(
      'select audience, status from media where id = $1',
      [id],
    )
    deepEqual(rows, [{ audience: 'adult', status: 'pending' }])
  },
)

story(
  'an avatar whose files cannot be stored is refused by name, and the next try stores it',
  async ({ testApp, boris }) => {
    const send = async () => boris.post('avatar', fileForm('img', await pictureBytes()))
    const folder = join(testApp.config.data_dir, 'files')
    // A file in the place of the folder: nothing can be stored.
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, '')
    await boris.isRefused('avatar_unsaved', send)
    await rm(folder)
    equal((await send()).status, 'ready')
  },
)

story(
  'an avatar that is approved while the next one is uploaded stays',
  async ({ testApp, anna }) => {
    const sent = () => pictureBytes().then((bytes) => anna.post('avatar', fileForm('img', bytes)))
    await sent()
    const { rows } = await testApp.database.pool.query(
      'select next_avatar_id from users where id = $1',
      [anna.id],
    )
    const approved = rows[0]!.next_avatar_id as string
    ok(approved)
    const client = await testApp.database.pool.connect()
    const waits = async () =>
      (await client.query('select 1 from pg_locks where not granted')).rowCount !== 0
    await client.query('begin')
    await client.query(
      'update users set avatar_id = next_avatar_id, next_avatar_id = null where id = $1',
      [anna.id],
    )
    const sending = sent()
    while (!(await waits())) await new Promise((resolve) => setImmediate(resolve))
    await client.query('commit')
    client.release()
    await sending
    const after = await testApp.database.pool.query('select avatar_id from users where id = $1', [
      anna.id,
    ])
    deepEqual(after.rows, [{ avatar_id: approved }])
  },
)

story(
  'an avatar is a square of a jpg or png of at most two megabytes',
  async ({ testApp, boris }) => {
    const wide = await sharp({ create: { width: 90, height: 40, channels: 3, background: '#fff' } })
      .composite([
        { input: await pictureBytes(30, 40, { format: 'png', colour: '#f00' }), left: 60, top: 0 },
      ])
      .png()
      .toBuffer()
    const crop = JSON.stringify({ x: 62, y: 5, size: 20 })
    const { avatar, status } = await boris.post('avatar', fileForm('img', wide, { crop }))
    equal(status, 'ready')
    const bytes = await (await fetch(`${testApp.origin}${avatar}`)).arrayBuffer()
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    deepEqual([info.width, info.height], [20, 20])
    ok(data[0]! > 200 && data[1]! < 60, 'the square is the red part')
    const gallery = await fetchFiles(testApp)
    await boris.post('avatar', fileForm('img', wide))
    await testApp.running.outbox.settled()
    equal((await fetchFiles(testApp)).length, gallery.length)

    const webp = await pictureBytes(20, 20, { format: 'webp' })
    await boris.isRefused('avatar_type', () => boris.post('avatar', fileForm('img', webp)))
    await boris.isRefused('avatar_type', () =>
      boris.post('avatar', fileForm('img', Buffer.from('no'))),
    )
    const heavy = Buffer.concat([wide, Buffer.alloc(2 * 1024 * 1024)])
    await boris.isRefused('avatar_size', () => boris.post('avatar', fileForm('img', heavy)))
    await boris.isRefused('invalid', () => boris.post('avatar', new FormData()))
    await boris.isRefused('invalid', () =>
      boris.post('avatar', fileForm('img', wide, { crop: '{"x":-1,"y":0,"size":0}' })),
    )
    const { user } = await boris.post('avatar/delete')
    deepEqual([user.avatar, user.avatar_status], [null, 'none'])
    await boris.post('avatar/delete')
  },
)

story(
  'a girl keeps her approved avatar until staff approve the next one',
  async ({ testApp, boris, anna }) => {
    await boris.post('age/confirm', { confirmed: true, terms: true })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    const seen = async () => (await boris.get('favourites_pagination')).items[0]!.avatar
    const before = await seen()
    const { status, avatar } = await anna.post('avatar', fileForm('img', await pictureBytes()))
    equal(status, 'pending')
    equal(await fetchStatus(testApp, avatar), 200)
    equal(await seen(), before)
    const [waiting] = await testApp.duet<{ id: string }[]>('media', 'list')
    await testApp.duet('media', 'reject', waiting!.id, '--reason', 'not_you')
    equal((await anna.get('profile')).user.avatar_status, 'removed')
    equal(await seen(), before)
    const photo = await add(anna)
    equal(
      (await anna.post('avatar/set', { id: photo.id, crop: { x: 0, y: 0, size: 30 } })).status,
      'pending',
    )
    const [next] = await testApp.duet<{ id: string }[]>('media', 'list')
    await testApp.duet('media', 'approve', next!.id)
    equal((await anna.get('profile')).user.avatar_status, 'ready')
    ok((await seen())!.includes(next!.id))
  },
)
