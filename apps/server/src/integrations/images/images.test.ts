import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import type { ProcessedImage } from './images.ts'
import './permitted-loaders.ts'
import { NODE_ARGUMENTS } from './picture-workers.ts'
import { createSharpImageProcessor } from './sharp-images.ts'

const pictures = createSharpImageProcessor()

function photo(width: number, height: number) {
  return sharp({ create: { width, height, channels: 3, background: '#a4c' } })
}

async function encoded(bytes: Uint8Array): Promise<ProcessedImage> {
  const picture = await pictures.encode(bytes)
  ok(picture !== undefined && picture !== 'busy')
  return picture
}

test('stores a picture in every size, upright, as WebP and without its metadata', async () => {
  const upload = await photo(1600, 1000)
    .withExif({ IFD0: { Copyright: 'a photographer', ImageDescription: 'her street' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { width, height, files } = await encoded(upload)
  deepEqual([width, height], [800, 1280])
  deepEqual(new Set(files.keys()), pictures.sizes)
  for (const [size, bytes] of files) {
    const { format, exif, icc, xmp, width: wide } = await sharp(bytes).metadata()
    deepEqual([format, exif, icc, xmp], ['webp', undefined, undefined, undefined], size)
    equal(wide, { small: 120, card: 480, full: 800, blur: 24 }[size])
  }
})

test('does not enlarge a small picture', async () => {
  const { width, files } = await encoded(await photo(60, 60).png().toBuffer())
  equal(width, 60)
  equal((await sharp(files.get('card')!).metadata()).width, 60)
})

test('refuses a file that is no readable picture, whatever its name and type', async () => {
  const whole = await photo(300, 300).jpeg().toBuffer()
  const bombs = {
    nothing: Buffer.alloc(0),
    text: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    gif: await photo(20, 20).gif().toBuffer(),
    tiff: await photo(20, 20).tiff().toBuffer(),
    cut: whole.subarray(0, whole.length / 2),
    'only a head': Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]),
    'too many pixels': await photo(8000, 6000).png({ compressionLevel: 9 }).toBuffer(),
  }
  for (const [name, bytes] of Object.entries(bombs))
    equal(await pictures.encode(bytes), undefined, name)
})

test('rejects uploads above fifty in the queue', async () => {
  const upload = await photo(4, 4).png().toBuffer()
  const answers = await Promise.all(Array.from({ length: 60 }, () => pictures.encode(upload)))
  equal(answers.filter((answer) => answer === 'busy').length, 8)
  notEqual(await pictures.encode(upload), 'busy')
})

test('the pictures of one user leave places to the others', async () => {
  const upload = await photo(4, 4).png().toBuffer()
  const many = Array.from({ length: 20 }, () => pictures.encode(upload, { owner_id: 1 }))
  const other = pictures.encode(upload, { owner_id: 2 })
  const ended: string[] = []
  await Promise.all([
    other.then(() => ended.push('other')),
    ...many.map((one) => one.then((answer) => answer === 'busy' || ended.push('many'))),
  ])
  notEqual(await other, 'busy')
  // Four of the one user: two that are decoded and two that wait. Which of two processes is done first is left to the machine.
  deepEqual(ended.toSorted(), ['many', 'many', 'many', 'many', 'other'])
})

/** The child processes of this one. */
const children = () => readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim()

test('a document is decoded in a process of its own, beside a full queue of pictures', async (t) => {
  if (process.platform !== 'linux') return t.skip('the processes are listed by Linux')
  const upload = await photo(400, 300).png().toBuffer()
  await Promise.all([pictures.encode(upload), pictures.encode(upload)])
  const before = children()
  ok(Buffer.isBuffer(await pictures.encodeDocument(upload, { owner_id: 1, network: '192.0.2.1' })))
  equal(children(), before)
  const waiting = Array.from({ length: 60 }, () => pictures.encode(upload))
  ok(Buffer.isBuffer(await pictures.encodeDocument(upload, { owner_id: 1, network: '192.0.2.1' })))
  await Promise.all(waiting)
})

test('the process that decodes reads its programs, and no file of the server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-images-'))
  try {
    const secret = join(folder, 'secret.key')
    writeFileSync(secret, 'secret')
    const readable = (file: string) => {
      const code = `require('node:fs').readFileSync(${JSON.stringify(file)})`
      return spawnSync(process.execPath, [...NODE_ARGUMENTS, '-e', code]).status === 0
    }
    equal(readable(join(import.meta.dirname, 'image-worker.ts')), true)
    for (const file of [secret, '/etc/passwd', join(import.meta.dirname, '../../main.ts')])
      equal(readable(file), false, file)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the library loads no other format than jpg, png and webp, whatever asks it', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const gif = await photo(20, 20).gif().toBuffer()
  const tiff = await photo(20, 20).tiff().toBuffer()
  for (const bytes of [svg, gif, tiff]) await rejects(sharp(bytes).metadata())
})

test('metadata, a place, a preview and bytes behind the picture are in no stored file', async () => {
  const secret = 'GPS-CANARY-52.5200'
  const upload = await photo(300, 200)
    .withExif({
      IFD0: { ImageDescription: secret },
      IFD3: { GPSAreaInformation: secret, GPSLatitude: '52/1 31/1 12/1' },
    })
    .jpeg()
    .toBuffer()
  ok(upload.includes(secret))
  const { files } = await encoded(
    Buffer.concat([upload, Buffer.from(`<script>${secret}</script>`)]),
  )
  for (const [size, bytes] of files) {
    equal(bytes.includes(secret), false, size)
    equal(bytes.includes('<script>'), false, size)
  }
})

test('a square of the upright picture is cut out, and what lies outside is left out', async () => {
  const turned = await photo(400, 300).jpeg().withMetadata({ orientation: 6 }).toBuffer()
  const fetchSize = async (crop: { x: number; y: number; size: number }) => {
    const picture = await pictures.encode(turned, { crop })
    ok(picture !== undefined && picture !== 'busy')
    return [picture.width, picture.height]
  }
  deepEqual(await fetchSize({ x: 0, y: 200, size: 200 }), [200, 200])
  deepEqual(await fetchSize({ x: 250, y: 0, size: 200 }), [50, 50])
  deepEqual(await fetchSize({ x: 9999, y: 9999, size: 9999 }), [1, 1])
})

test('one frame of an animation is stored', async () => {
  const frames = await sharp(
    Buffer.concat([Buffer.alloc(60 * 30 * 3, 10), Buffer.alloc(60 * 30 * 3, 200)]),
    { raw: { width: 60, height: 60, channels: 3, pageHeight: 30 } },
  )
    .webp({ loop: 0, delay: [10, 10] })
    .toBuffer()
  const { width, height, files } = await encoded(frames)
  deepEqual([width, height], [60, 30])
  equal(files.get('full')!.includes('ANIM'), false)
})
