import { deepEqual, equal, ok } from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileForm } from '@duet/testkit/uploads.ts'
import { story, TestApp } from '@duet/testkit/test-app.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import {
  createFfmpegVideoConverter,
  sweepVideoFolders,
} from '../../../integrations/video/ffmpeg-video.ts'
import type { App } from '../../../core/app.ts'
import { convertWaiting, warnOfSandbox } from './convert-videos.ts'
import { deleteUploadedVideo, sweepDrafts } from '../delete-media.ts'
import { claimVideo, finishVideo } from './store.ts'

const FFMPEG = '/usr/bin/ffmpeg'
const isInstalled = existsSync(FFMPEG)
const folder = await mkdtemp(join(tmpdir(), 'duet-video-test-'))
after(() => rm(folder, { recursive: true, force: true }))
const CANARY = 'CANARY-52.5200'

/** A clip with sound, a title and a place. */
async function clip(name: string, { seconds = 2, size = '160x120' } = {}): Promise<Buffer> {
  const file = join(folder, name)
  const inputs = [
    ...['-f', 'lavfi', '-i', `testsrc=size=${size}:rate=5:duration=${seconds}`],
    ...['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`],
  ]
  const metadata = ['-metadata', `title=${CANARY}`, '-metadata', `location=${CANARY}`]
  const codecs = name.endsWith('.webm') ? ['-c:v', 'libvpx', '-c:a', 'libopus'] : []
  execFileSync(FFMPEG, ['-loglevel', 'error', '-y', ...inputs, ...codecs, ...metadata, file])
  return readFile(file)
}

async function add(user: TestUser, bytes: Buffer) {
  return (await user.post('gallery/media', fileForm('media', bytes, {}, 'clip.mp4'))).media
}

const FILES = ['blur.webp', 'card.webp', 'full.webp', 'small.webp', 'video.mp4']

async function storedFiles({ config }: TestApp, id: string): Promise<string[]> {
  const files = await readdir(join(config.data_dir, 'files', 'media', id)).catch(() => [])
  return files.toSorted()
}

const videos = ({ app }: TestApp) =>
  app.db.selectFrom('media').selectAll().where('kind', '=', 'video').execute()

async function statuses(testApp: TestApp): Promise<string[]> {
  return (await videos(testApp)).map(({ status }) => status)
}

/** Resolves when the one video is claimed until then. */
async function claimedUntil(testApp: TestApp, until: Temporal.Instant): Promise<void> {
  for (;;) {
    const [video] = await videos(testApp)
    if (video!.claimed_until?.epochMilliseconds === until.epochMilliseconds) return
  }
}

async function videoFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => /^duet-video-(?!test)/.test(name))
}

async function part(testApp: TestApp, url: string, range?: string) {
  const response = await fetch(`${testApp.origin}${url}`, { headers: range ? { range } : {} })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes }
}

/** A story that needs the program. */
function films(name: string, work: Parameters<typeof story>[1]): void {
  if (isInstalled) story(name, work)
  else void test(name, { skip: 'ffmpeg is not installed' })
}

films('a clip is converted, stripped and played in parts', async ({ testApp, anna }) => {
  for (const name of ['clip.mp4', 'clip.mov', 'clip.webm']) {
    const added = await add(anna, await clip(name))
    deepEqual([added.kind, added.status, added.url], ['video', 'processing', null], name)
    await convertWaiting(testApp.app)
    const video = (await anna.get('gallery')).videos.find(({ id }) => id === added.id)!
    deepEqual([video.status, video.width, video.height], ['ready', 160, 120], name)
    const whole = await part(testApp, video.url!)
    equal(whole.status, 200)
    deepEqual(
      ['content-type', 'x-content-type-options', 'content-security-policy', 'accept-ranges'].map(
        (header) => whole.headers.get(header),
      ),
      ['video/mp4', 'nosniff', "default-src 'none'; sandbox", 'bytes'],
    )
    equal(whole.bytes.includes(CANARY), false, name)
    equal(whole.bytes.subarray(4, 8).toString(), 'ftyp')
    const some = await part(testApp, video.url!, 'bytes=4-7')
    deepEqual([some.status, some.bytes.toString()], [206, 'ftyp'])
    equal(some.headers.get('content-range'), `bytes 4-7/${whole.bytes.length}`)
    equal((await part(testApp, video.url!, `bytes=${whole.bytes.length}-`)).status, 416)
    const poster = await part(testApp, video.poster!)
    deepEqual([poster.status, poster.headers.get('content-type')], [200, 'image/webp'])
    await testApp.settle()
    deepEqual(await storedFiles(testApp, video.id), FILES)
  }
  deepEqual(await videoFolders(), [])
})

films('a clip is judged by the worst of its frames', async ({ testApp, anna }) => {
  const { app, vision } = testApp
  const judge = async (seconds: number, scores: readonly number[]) => {
    vision.asked = 0
    vision.scores = scores
    await add(anna, await clip('long.mp4', { seconds, size: '64x64' }))
    await convertWaiting(app)
    const [check] = (await testApp.duet('pictures', 'checks')) as { nudity: number }[]
    const status = (await statuses(testApp)).filter((one) => one !== 'ready')
    return [vision.asked, check!.nudity, status]
  }
  deepEqual(await judge(12, [0, 0.1, 0.05]), [3, 0.1, []])
  deepEqual(await judge(60, [...Array.from({ length: 11 }, () => 0), 0.41]), [
    12,
    0.41,
    ['pending'],
  ])
  deepEqual(await judge(12, [0, 0.99, 0]), [2, 0.99, ['pending', 'removed']])
  vision.firstAnswers.length = 0
})

films('staff play a clip that waits, and one look is one entry', async ({ testApp, anna }) => {
  testApp.vision.nudity = 0.41
  const { id } = await add(anna, await clip('clip.mp4'))
  await convertWaiting(testApp.app)
  const dana = await openStaff(testApp, 'moderator')
  const play = async (range: string) => {
    const headers = { cookie: dana.cookie!, range }
    const address = `${testApp.origin}/api/v2/manager/photos/${id}/video`
    const answer = await fetch(address, { headers })
    return [answer.status, answer.headers.get('content-type'), (await answer.bytes()).length]
  }
  deepEqual(await play('bytes=4-7'), [206, 'video/mp4', 4])
  deepEqual(await play('bytes=8-11'), [206, 'video/mp4', 4])
  const looks = async () => (await auditedActs(testApp)).filter((act) => act === 'media_view')
  equal((await looks()).length, 1)
  await testApp.leap('11 min')
  await play('bytes=0-')
  equal((await looks()).length, 2)
  await dana.post(`v2/manager/photos/${id}/decide`, { approve: true })
  equal((await play('bytes=0-'))[0], 404)
})

films('a conversion that a crash ended starts again', async ({ testApp, anna }) => {
  const bytes = await clip('clip.mp4')
  // The process dies while it converts: this conversion never answers.
  Object.assign(testApp.app.videos, { convert: () => new Promise<never>(() => {}) })
  const { id } = await add(anna, bytes)
  await testApp.crash()
  await convertWaiting(testApp.app)
  deepEqual(await statuses(testApp), ['processing'])
  await testApp.leap('1 min')
  await convertWaiting(testApp.app)
  await anna.comeBack()
  equal((await anna.get('gallery')).videos.find((video) => video.id === id)?.status, 'ready')
})

films('a clip marked as adult while it is converted waits for staff', async ({ testApp, anna }) => {
  const { app } = testApp
  await testApp.setting('nsfw_gallery', 'on')
  await testApp.setting('content_policy', 'adult')
  await testApp.duet('verify', anna.id)
  const convert = app.videos.convert.bind(app.videos)
  const began = Promise.withResolvers<void>()
  const marked = Promise.withResolvers<void>()
  Object.assign(app.videos, {
    convert: async (upload: Uint8Array) => {
      began.resolve()
      await marked.promise
      return convert(upload)
    },
  })
  const { id } = await add(anna, await clip('clip.mp4'))
  await began.promise
  await anna.post('media_nsfw', { media_id: id, adult: true, consent: true })
  marked.resolve()
  await convertWaiting(app)
  equal((await anna.get('gallery')).videos[0]!.status, 'pending')
})

films('a clip outlasts a storage that fails for an hour', async ({ testApp, anna }) => {
  const { id } = await add(anna, await clip('clip.mp4'))
  const { storage } = testApp.app
  const { get } = storage
  Object.assign(storage, { get: () => Promise.reject(new Error('503')) })
  for (let times = 0; times < 5; times += 1) await convertWaiting(testApp.app)
  equal((await anna.get('gallery')).videos[0]!.status, 'processing')
  Object.assign(storage, { get })
  await convertWaiting(testApp.app)
  const [video] = (await anna.get('gallery')).videos
  deepEqual([video!.id, video!.status], [id, 'ready'])
})

films('a clip outlasts a full queue of pictures', async ({ testApp, anna }) => {
  const { app } = testApp
  const encode = app.images.encode.bind(app.images)
  Object.assign(app.images, { encode: async () => 'busy' as const })
  await add(anna, await clip('clip.mp4'))
  for (let count = 0; count < 4; count += 1) await convertWaiting(app)
  equal((await anna.get('gallery')).videos[0]!.status, 'processing')
  Object.assign(app.images, { encode })
  await convertWaiting(app)
  equal((await anna.get('gallery')).videos[0]!.status, 'ready')
})

films('the slower of two processes keeps the files of a clip', async ({ testApp, anna }) => {
  const { app } = testApp
  const convert = app.videos.convert.bind(app.videos)
  // In a rolling restart another server process stores its outcome while this one converts.
  Object.assign(app.videos, {
    convert: async (upload: Uint8Array) => {
      const converted = await convert(upload)
      const outcome = {
        status: 'ready',
        reason: null,
        width: 160,
        height: 120,
        bytes: 1000,
      } as const
      const [video] = await videos(testApp)
      await app.transact(async (tx) => {
        await finishVideo(tx, video!.id, outcome)
        await deleteUploadedVideo(tx, video!.id)
      })
      return converted
    },
  })
  const { id } = await add(anna, await clip('clip.mp4'))
  await convertWaiting(app)
  await testApp.settle()
  equal((await anna.get('gallery')).videos.find((video) => video.id === id)?.status, 'ready')
  deepEqual(await storedFiles(testApp, id), FILES)
})

films('of two processes one converts a clip', async ({ testApp, anna }) => {
  const { app } = testApp
  const began = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const convert = app.videos.convert.bind(app.videos)
  Object.assign(app.videos, {
    convert: async (upload: Uint8Array) => {
      began.resolve()
      await released.promise
      return convert(upload)
    },
  })
  const { id } = await add(anna, await clip('clip.mp4'))
  await began.promise
  const other = await new TestApp(testApp.database, testApp.config, {}).open()
  let others = 0
  const convertOther = other.app.videos.convert.bind(other.app.videos)
  Object.assign(other.app.videos, {
    convert: (upload: Uint8Array) => {
      others += 1
      return convertOther(upload)
    },
  })
  try {
    await convertWaiting(other.app)
    deepEqual([others, await statuses(testApp)], [0, ['processing']])
    // The claim is extended as long as the first process works.
    for (let extended = 0; extended < 6; extended += 1) {
      const end = testApp.clock.now().add({ seconds: 20 })
      while (testApp.clock.step(end));
      await claimedUntil(testApp, end.add({ minutes: 1 }))
    }
    await other.leap('2 min')
    await convertWaiting(other.app)
    equal(others, 0)
    released.resolve()
    await convertWaiting(app)
    deepEqual([others, await statuses(testApp)], [0, ['ready']])
  } finally {
    await other.running.stop()
  }
  await testApp.settle()
  deepEqual(await storedFiles(testApp, id), FILES)
})

films('owners of clips take turns', async ({ testApp, anna, vera }) => {
  const { app } = testApp
  const bytes = await clip('clip.mp4')
  // No clip is finished while the queue of pictures is full.
  Object.assign(app.videos, { convert: async () => ({ video: bytes, frames: [bytes] }) })
  Object.assign(app.images, { encode: async () => 'busy' as const })
  const first = [await add(anna, bytes), await add(anna, bytes), await add(anna, bytes)]
  const refused = await anna.isRefused('too_many', () => add(anna, bytes))
  deepEqual(refused, { retry_after: 60 })
  const hers = await add(vera, bytes)
  await convertWaiting(app)
  const order: string[] = []
  for (;;) {
    const last = order.at(-1)
    const video = await app.transact((tx) =>
      claimVideo(tx, {
        after: last === undefined ? undefined : last === hers.id ? vera.id : anna.id,
        until: tx.now.add({ minutes: 1 }),
      }),
    )
    if (!video) break
    order.push(video.id)
  }
  deepEqual(order, [first[0]!.id, hers.id, first[1]!.id, first[2]!.id])
})

films(
  'files of a clip that was deleted before a crash go with the sweep',
  async ({ testApp, anna }) => {
    const { app } = testApp
    const written = Promise.withResolvers<void>()
    const put = app.storage.put.bind(app.storage)
    const convert = app.videos.convert.bind(app.videos)
    const { id } = await new Promise<{ id: string }>((resolve, reject) => {
      Object.assign(app.videos, {
        convert: async (upload: Uint8Array) => {
          const added = await adding
          await anna.post('gallery/media/delete', { id: added.id })
          await app.storage.delete(`media/${added.id}/upload.bin`)
          resolve(added)
          return convert(upload)
        },
      })
      // The process dies with its last file.
      Object.assign(app.storage, {
        put: async (key: string, file: Uint8Array) => {
          await put(key, file)
          if (!key.includes('/video.')) return
          written.resolve()
          await new Promise<never>(() => {})
        },
      })
      const adding = clip('clip.mp4').then((bytes) => add(anna, bytes))
      adding.catch(reject)
    })
    await written.promise
    await testApp.crash()
    deepEqual(await storedFiles(testApp, id), FILES)
    await testApp.leap('2 h')
    await sweepDrafts(testApp.app)
    await testApp.settle()
    deepEqual(await storedFiles(testApp, id), [])
    deepEqual(await testApp.app.db.selectFrom('media_drafts').selectAll().execute(), [])
  },
)

films('what is no clip of a minute is refused, and leaves nothing', async ({ testApp, anna }) => {
  const refused = async (name: string, bytes: Buffer, refusal: 'wrong_type' | 'too_large') => {
    const additional = await anna.isRefused(refusal, () => add(anna, bytes))
    return [name, additional]
  }
  const good = await clip('clip.mp4')
  deepEqual(
    await refused('long', await clip('long.mp4', { seconds: 63, size: '32x32' }), 'too_large'),
    ['long', { seconds_max: 60 }],
  )
  const matroska = Buffer.from('1a45dfa3', 'hex')
  for (const [name, bytes] of Object.entries({
    'a playlist': Buffer.from(
      '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:9/x.ts\n',
    ),
    'a list of files': Buffer.from("ffconcat version 1.0\nfile '/etc/passwd'\n"),
    'a playlist behind the head of a video': Buffer.concat([
      matroska,
      Buffer.from('\n#EXTM3U\nfile:///etc/passwd\n'),
    ]),
    'the head of a clip': good.subarray(0, 40),
    'a page behind the head of a video': Buffer.concat([
      Buffer.from('\0\0\0\x18ftypisom'),
      Buffer.from('<html><script>alert(1)</script></html>'),
    ]),
  }))
    await refused(name, bytes, 'wrong_type')
  deepEqual((await anna.get('gallery')).videos, [])
  deepEqual(await videoFolders(), [])
  equal((await testApp.app.db.selectFrom('media_drafts').selectAll().execute()).length, 0)
})

films('a clip that cannot be converted says so to its owner', async ({ testApp, anna }) => {
  const good = await clip('clip.mp4')
  const moov = good.indexOf('moov')
  const mdat = good.indexOf('mdat')
  ok(mdat > 0 && mdat < moov)
  const broken = Buffer.from(good)
  broken.fill(0xff, mdat + 8, moov - 8)
  const { id } = await add(anna, broken)
  await convertWaiting(testApp.app)
  const [video] = (await anna.get('gallery')).videos
  deepEqual([video!.status, video!.reason, video!.url], ['failed', 'unreadable', null])
  await anna.post('gallery/media/delete', { id })
  await testApp.settle()
  deepEqual(await storedFiles(testApp, id), [])
})

story('without ffmpeg a clip is refused by name', async ({ testApp, anna }) => {
  const head = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom'), Buffer.alloc(100)])
  const { videos } = testApp.app
  const available = Object.getOwnPropertyDescriptor(videos, 'available')!
  Object.defineProperty(videos, 'available', { ...available, value: false })
  await anna.isRefused('method_unavailable', () => add(anna, head))
  equal((await anna.get('system')).features.videos.on, false)
})

test('the converter works on no file outside of its folder and keeps none', async (context) => {
  if (!isInstalled) return context.skip('ffmpeg is not installed')
  const converter = createFfmpegVideoConverter()
  equal(await converter.convert(Buffer.from('#EXTM3U\nfile:///etc/passwd\n')), undefined)
  equal(await converter.probe(Buffer.alloc(100)), undefined)
  deepEqual(await videoFolders(), [])
})

test('folders of a conversion that was killed are deleted, and those of a running one stay', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'duet-sweep-'))
  for (const name of ['duet-video-older1', 'duet-video-newer1', 'others'])
    await mkdir(join(parent, name))
  const nowMs = Date.now()
  for (const name of ['duet-video-older1', 'others'])
    await utimes(join(parent, name), new Date(nowMs - 3_600_000), new Date(nowMs - 3_600_000))
  await sweepVideoFolders(parent, nowMs)
  deepEqual((await readdir(parent)).toSorted(), ['duet-video-newer1', 'others'])
  await rm(parent, { recursive: true })
})

test('a production server warns if pictures are decoded with a network, also without ffmpeg', () => {
  const warnings: unknown[] = []
  const getApp = (isCut: boolean) =>
    ({
      config: { production: true },
      videos: { installed: false, available: false, sandbox: { limits: true, no_network: isCut } },
      log: { warn: (_details: unknown, text: string) => warnings.push(text) },
    }) as unknown as App
  warnOfSandbox(getApp(true))
  equal(warnings.length, 0)
  warnOfSandbox(getApp(false))
  equal(warnings.length, 1)
})
