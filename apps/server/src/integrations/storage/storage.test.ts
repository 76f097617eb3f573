import { deepEqual, equal, rejects } from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createFolderStorage } from './folder-storage.ts'
import { isStorageKey } from './storage.ts'

const folder = await mkdtemp(join(tmpdir(), 'duet-files-'))
after(() => rm(folder, { recursive: true }))
const storage = createFolderStorage(folder)

test('returns a stored file byte for byte, under its own key only', async () => {
  const bytes = Buffer.from([0, 255, 13, 10])
  await storage.put('avatar/1f/400.webp', bytes)
  deepEqual(await storage.get('avatar/1f/400.webp'), bytes)
  equal(await storage.get('avatar/1f/800.webp'), undefined)
  await storage.delete('avatar/1f/400.webp')
  await storage.delete('avatar/1f/400.webp')
  equal(await storage.get('avatar/1f/400.webp'), undefined)
})

test('concurrent writers of one key leave one whole file and no drafts', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => storage.put('race/file', Buffer.alloc(50_000, index))),
  )
  const kept = (await storage.get('race/file'))!
  equal(kept.length, 50_000)
  equal(new Set(kept).size, 1)
  deepEqual(await readdir(join(folder, 'race')), ['file'])
})

test('rejects a key that leads out of the folder', async () => {
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
    `${'a/'.repeat(10)}b`,
  ]) {
    equal(isStorageKey(key), false, key)
    await rejects(storage.put(key, Buffer.from('x')), /Impossible/)
    await rejects(async () => storage.get(key), /Impossible/)
  }
})
