import { deepEqual, equal, ok } from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CANARY } from '@duet/testkit/hostile/hostile-file.ts'
import { hostileUploads } from '@duet/testkit/hostile/corpus.ts'
import { childMemory } from '@duet/testkit/hostile/child-memory.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { pictureBytes } from '@duet/testkit/uploads.ts'

/** The long form sends every file and prints time and memory of each; the short one sends every eighth. */
const isLong = process.env.PROOF === 'long'
const STEP = isLong ? 1 : 8
/** Uploads of a user in an hour are limited; the clock of the test moves on before. */
const UPLOADS_AN_HOUR = 50
/** Of the process that decodes. */
const MEMORY_MB_MAX = 500

const NAMES = [
  'x.html',
  '../../../etc/passwd',
  'a\u202Egpj.exe',
  'x.svg\r\nX-Evil: 1',
  'a'.repeat(300),
  'x.php.jpg',
  'x.jpg\0.html',
]
/** Each product has its own sizes, readers and address. */
const PRODUCTS = ['gallery', 'avatar', 'messenger', 'support']
const TYPES = ['image/jpeg', 'text/html', 'image/svg+xml', 'video/mp4', 'image/png']
/** Metadata and active content begin with these, in any format. */
const FORBIDDEN = [CANARY, '<script', '<svg', '<?php', '<x:xmpmeta', 'Exif', 'EXIF', 'GPS', '8BIM']

interface UploadAnswer {
  readonly status: number
  readonly name?: string
  readonly url?: string
}

async function send(user: TestUser, bytes: Buffer, index: number): Promise<UploadAnswer> {
  const name = NAMES[index % NAMES.length]!
  const type = TYPES[index % TYPES.length]!
  const form = new FormData()
  form.set('image', new Blob([Uint8Array.from(bytes)], { type }), name)
  form.set('file_type', type)
  const product = PRODUCTS[index % PRODUCTS.length]!
  const response = await fetch(`${user.testApp.origin}/upload/image/${product}`, {
    method: 'POST',
    body: form,
    headers: { 'user-access-token': String(user.user.fs_token) },
  })
  const body = (await response.json()) as { data?: { url: string }; name?: string }
  return { ...body, ...body.data, status: response.status }
}

function assertClean(bytes: Buffer, label: string): void {
  for (const part of FORBIDDEN) equal(bytes.includes(part), false, `${label} contains ${part}`)
  equal(bytes.toString('latin1', 0, 4) + bytes.toString('latin1', 8, 12), 'RIFFWEBP', label)
}

async function assertInert(testApp: TestApp, label: string, url: string): Promise<void> {
  const response = await fetch(`${testApp.origin}${url}`)
  const headers = ['content-type', 'x-content-type-options', 'content-security-policy']
  deepEqual(
    [response.status, ...headers.map((header) => response.headers.get(header))],
    [200, 'image/webp', 'nosniff', "default-src 'none'; sandbox"],
    label,
  )
  ok(response.headers.get('content-disposition')?.startsWith('inline; filename="media"'), label)
  assertClean(Buffer.from(await response.arrayBuffer()), label)
}

/** Every file of the installation, in every size, also those that no address was asked for. */
async function assertStoredClean(testApp: TestApp): Promise<number> {
  const folder = testApp.config.data_dir
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.webp'))
  for (const { parentPath, name } of files)
    assertClean(await readFile(join(parentPath, name)), name)
  return files.length
}

story(
  'no hostile upload is served as it came, and none harms the server',
  async ({ testApp, anna }) => {
    const corpus = await hostileUploads()
    ok(corpus.length >= 500, `${corpus.length} hostile uploads`)
    const chosen = corpus.filter((_, index) => index % STEP === 0)
    const memory = childMemory()
    let stored = 0
    let worstMb = 0
    for (const [index, { label, bytes }] of chosen.entries()) {
      if (index % UPLOADS_AN_HOUR === UPLOADS_AN_HOUR - 1) await testApp.leap('1 h')
      await memory.begin()
      const began = performance.now()
      const answer = await send(anna, bytes, index)
      const tookMs = Math.round(performance.now() - began)
      const neededMb = await memory.neededMb()
      worstMb = Math.max(worstMb, neededMb)
      ok(neededMb <= MEMORY_MB_MAX, `${label} needed ${neededMb} MB`)
      if (isLong) console.log(`${tookMs} ms ${neededMb} MB ${answer.status} ${label}`)
      if (answer.status === 200) {
        stored += 1
        await assertInert(testApp, label, answer.url!)
      } else deepEqual([answer.status, answer.name], [415, 'wrong_type'], label)
    }
    console.log(`uploads: the worst needed ${worstMb} MB`)
    ok(stored >= chosen.length / 8, `${stored} of ${chosen.length} uploads were pictures`)
    ok((await assertStoredClean(testApp)) >= stored, 'every picture has a stored file')
    equal((await testApp.app.db.selectFrom('media_drafts').selectAll().execute()).length, 0)
    equal((await send(anna, await pictureBytes(), 0)).status, 200)
  },
)
