import { deepEqual, equal, ok } from 'node:assert/strict'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { pictureBytes } from '@duet/testkit/uploads.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** In every hostile upload; no file that is served may contain it. */
const CANARY = 'CANARY-a7f3-52.5200N'
const PAGE = `<html><script>alert("${CANARY}")</script></html>`
const SEED = 20_261_122
const MUTATIONS = 24

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)])
}

/** A PNG that claims to be large; its content is a few bytes. */
function pngBomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(100_000))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A comment segment directly behind the first marker of a JPEG. */
function withComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(text.length + 2)
  return Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from('fffe', 'hex'),
    length,
    Buffer.from(text),
    jpeg.subarray(2),
  ])
}

async function corpus(): Promise<[string, Buffer][]> {
  const jpeg = await pictureBytes(200, 150)
  const png = await pictureBytes(200, 150, { format: 'png' })
  const webp = await pictureBytes(200, 150, { format: 'webp' })
  const place = await sharp(jpeg)
    .withExif({
      IFD0: { Copyright: CANARY, ImageDescription: CANARY },
      IFD3: { GPSAreaInformation: CANARY, GPSLatitude: '52/1 31/1 12/1' },
    })
    .jpeg()
    .toBuffer()
  const text = (content: string) => Buffer.from(content)
  const named: [string, Buffer][] = [
    ['a page', text(PAGE)],
    ['an SVG', text(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert('${CANARY}')"/>`)],
    ['an SVG that reads a file', text('<svg><image href="file:///etc/passwd"/></svg>')],
    ['an XML entity', text('<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><svg>&y;</svg>')],
    ['a script', text(`#!/bin/sh\necho ${CANARY}`)],
    ['a document', text(`%PDF-1.7\n${CANARY}`)],
    ['an archive', Buffer.concat([text('PK\u0003\u0004'), text(`../../../etc/${CANARY}`)])],
    ['a GIF', await sharp(jpeg).gif().toBuffer()],
    ['a TIFF', await sharp(jpeg).tiff().toBuffer()],
    ['a GIF that is a script', text(`GIF89a/*${CANARY}*/=1;`)],
    ['an ImageMagick command', text(`push graphic-context\nurl(https://x/${CANARY})`)],
    ['a PostScript', text(`%!PS\n(${CANARY}) run`)],
    ['an icon', text(`\0\0\u0001\0\u0001\0${CANARY}`)],
    ['nothing but zeros', Buffer.alloc(4096)],
    ['a JPEG with a place', place],
    ['a JPEG with a page behind it', Buffer.concat([jpeg, text(PAGE)])],
    ['a JPEG with an archive behind it', Buffer.concat([jpeg, text(`PK\u0003\u0004${CANARY}`)])],
    ['a JPEG with a page in its comment', withComment(jpeg, PAGE)],
    ['a JPEG with a second JPEG behind it', Buffer.concat([jpeg, place])],
    ['a PNG with a page behind it', Buffer.concat([png, text(PAGE)])],
    [
      'a PNG with a page in its text',
      Buffer.concat([
        png.subarray(0, 33),
        chunk('tEXt', text(`Comment\0${PAGE}`)),
        png.subarray(33),
      ]),
    ],
    ['a WebP with a page behind it', Buffer.concat([webp, text(PAGE)])],
    ['a page behind the head of a JPEG', Buffer.concat([jpeg.subarray(0, 20), text(PAGE)])],
    ['a page behind the head of a PNG', Buffer.concat([png.subarray(0, 33), text(PAGE)])],
    [
      'a WebP of another size',
      Buffer.concat([webp.subarray(0, 4), Buffer.alloc(4, 255), webp.subarray(8)]),
    ],
    ['a PNG of 30,000 by 30,000', pngBomb(30_000, 30_000)],
    ['a PNG of 6,000 by 6,000 with a few bytes', pngBomb(6000, 6000)],
    ['a PNG of 2 by 2,000,000', pngBomb(2, 2_000_000)],
    ['a PNG without size', pngBomb(0, 0)],
    ['a JPEG of 48 megapixels', await pictureBytes(8000, 6000)],
  ]
  for (const share of [0.05, 0.3, 0.6, 0.9, 0.99])
    for (const [format, bytes] of Object.entries({ jpeg, png, webp }))
      named.push([`${share} of a ${format}`, bytes.subarray(0, Math.floor(bytes.length * share))])
  const random = randomFrom(SEED)
  for (let index = 0; index < MUTATIONS; index += 1) {
    const bytes = Buffer.from([place, png, webp][index % 3]!)
    for (let change = 0; change < 8; change += 1)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    named.push([`mutation ${index} of seed ${SEED}`, bytes])
  }
  return named
}

const NAMES = [
  'x.html',
  '../../../etc/passwd',
  'a\u202Egpj.exe',
  'x.svg\r\nX-Evil: 1',
  'a'.repeat(300),
]

interface UploadAnswer {
  readonly status: number
  readonly name?: string
  readonly url?: string
}

async function send(
  user: TestUser,
  bytes: Buffer,
  name: string,
  type: string,
): Promise<UploadAnswer> {
  const form = new FormData()
  form.set('image', new Blob([Uint8Array.from(bytes)], { type }), name)
  form.set('file_type', type)
  const response = await fetch(`${user.testApp.origin}/upload/image/gallery`, {
    method: 'POST',
    body: form,
    headers: { 'user-access-token': String(user.user.fs_token) },
  })
  const body = (await response.json()) as { data?: { url: string }; name?: string }
  return { ...body, ...body.data, status: response.status }
}

async function assertInert(testApp: TestApp, label: string, url: string): Promise<void> {
  const response = await fetch(`${testApp.origin}${url}`)
  const bytes = Buffer.from(await response.arrayBuffer())
  const headers = ['content-type', 'x-content-type-options', 'content-security-policy']
  deepEqual(
    [response.status, ...headers.map((header) => response.headers.get(header))],
    [200, 'image/webp', 'nosniff', "default-src 'none'; sandbox"],
    label,
  )
  ok(response.headers.get('content-disposition')?.startsWith('inline; filename="media"'), label)
  for (const part of [CANARY, '<script', 'Exif', 'EXIF', 'GPS'])
    equal(bytes.includes(part), false, `${label} contains ${part}`)
  equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12), 'RIFFWEBP', label)
}

story(
  'no hostile upload is served as it came, and none harms the server',
  async ({ testApp, boris }) => {
    let stored = 0
    for (const [index, [label, bytes]] of (await corpus()).entries()) {
      if (index % 50 === 49) await testApp.leap('1 h')
      const name = NAMES[index % NAMES.length]!
      const answer = await send(boris, bytes, name, index % 2 ? 'image/jpeg' : 'text/html')
      if (answer.status === 200) {
        stored += 1
        await assertInert(testApp, label, answer.url!)
      } else deepEqual([answer.status, answer.name], [415, 'wrong_type'], label)
    }
    ok(stored >= 7, `${stored} uploads were pictures`)
    equal((await testApp.app.db.selectFrom('media_drafts').selectAll().execute()).length, 0)
    const { photos } = await boris.get('gallery')
    equal(photos.length, stored)
    equal((await send(boris, await pictureBytes(), 'a.jpg', 'image/jpeg')).status, 200)
  },
)
