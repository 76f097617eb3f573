import { deepEqual, equal, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { s3Signature, startS3Server } from '@duet/testkit/stand-ins/s3-server.ts'
import { createFolderStorage } from './folder-storage.ts'
import { createS3Storage } from './s3-storage.ts'
import { isStorageKey } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'duet-files-'))
after(() => rm(folder, { recursive: true }))
const credentials = {
  access_key: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'eu-central-1',
}
const s3 = await startS3Server(credentials)
after(() => s3.close())
const bucket = { ...credentials, endpoint: s3.endpoint, bucket: 'pictures' }

const forms = {
  'a folder': createFolderStorage(folder),
  'an S3 bucket': createS3Storage(bucket),
}

for (const [form, storage] of Object.entries(forms)) {
  test(`${form} returns a stored file byte for byte, under its own key only`, async () => {
    const bytes = Buffer.from([0, 255, 13, 10])
    await storage.put('avatar/1f/400.webp', bytes)
    deepEqual(await storage.get('avatar/1f/400.webp'), bytes)
    equal(await storage.get('avatar/1f/800.webp'), undefined)
    equal(await storage.size('avatar/1f/400.webp'), 4)
    equal(await storage.size('avatar/1f/800.webp'), undefined)
    const read = await buffer((await storage.stream('avatar/1f/400.webp'))!)
    deepEqual(read, bytes)
    equal(await storage.stream('avatar/1f/800.webp'), undefined)
    await storage.delete('avatar/1f/400.webp')
    await storage.delete('avatar/1f/400.webp')
    equal(await storage.get('avatar/1f/400.webp'), undefined)
    await storage.check()
  })

  test(`${form} returns a part of a file`, async () => {
    await storage.put('parts/file', Buffer.from('0123456789'))
    const part = async (start: number, end: number) =>
      (await storage.get('parts/file', { start, end }))?.toString()
    deepEqual([await part(0, 0), await part(3, 5), await part(8, 20)], ['0', '345', '89'])
    equal(await storage.get('parts/none', { start: 0, end: 1 }), undefined)
  })

  test(`${form} stores one whole file when many writers have one key`, async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        storage.put('race/file', Buffer.alloc(50_000, index)),
      ),
    )
    const kept = (await storage.get('race/file'))!
    equal(kept.length, 50_000)
    equal(new Set(kept).size, 1)
  })

  test(`${form} rejects a key that the server did not create`, async () => {
    for (const key of [
      '../x',
      '/etc/passwd',
      'a/../../x',
      'a//b',
      '.hidden',
      'A',
      'a\0b',
      'a/',
      '',
      'a b',
      'a\\b',
      'a?b',
      'a%2fb',
      `${'a/'.repeat(10)}b`,
    ]) {
      equal(isStorageKey(key), false, key)
      await rejects(async () => storage.put(key, Buffer.from('x')), /Impossible/)
      await rejects(async () => storage.get(key), /Impossible/)
      await rejects(async () => storage.delete(key), /Impossible/)
    }
  })
}

test('concurrent writers leave no drafts in the folder', async () => {
  deepEqual(await readdir(join(folder, 'race')), ['file'])
})

test('the check of the test server is the published example of the signature', () => {
  const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const signature = s3Signature(
    {
      method: 'GET',
      path: '/test.txt',
      query: '',
      headers: {
        host: 'examplebucket.s3.amazonaws.com',
        range: 'bytes=0-9',
        'x-amz-content-sha256': empty,
        'x-amz-date': '20130524T000000Z',
      },
      signed_headers: ['host', 'range', 'x-amz-content-sha256', 'x-amz-date'],
      payload_hash: empty,
    },
    { ...credentials, region: 'us-east-1' },
  )
  equal(signature, 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41')
})

test('every request to the bucket is signed, and a stored file is signed with its digest', () => {
  deepEqual(s3.refused, [])
})

test('a wrong secret, a missing bucket and a service that fails are errors without the key in them', async () => {
  const wrong = createS3Storage({ ...bucket, secret: 'wrong' })
  await rejects(wrong.put('secret-name/file', Buffer.from('x')), (error: Error) => {
    equal(error.message, 'the S3 service answered 403 to PUT')
    return true
  })
  await rejects(createS3Storage({ ...bucket, bucket: 'absent' }).check(), /404/)
  s3.fail(2)
  await forms['an S3 bucket'].put('again/file', Buffer.from('x'))
  equal((await forms['an S3 bucket'].get('again/file'))?.toString(), 'x')
  s3.fail(10)
  await rejects(forms['an S3 bucket'].get('again/file'), /503/)
  s3.fail(0)
})

test('each attempt at the S3 service has its own time', async () => {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    if (asked === 2) response.writeHead(503).end()
    if (asked > 2) response.writeHead(200, { 'content-length': '4' }).end('file')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const storage = createS3Storage({ ...bucket, endpoint, answer_limit_ms: 300 })
  equal(await storage.size('avatar/1f/400.webp'), 4)
  equal(asked, 3)
  server.closeAllConnections()
  server.close()
})
