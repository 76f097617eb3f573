import { equal } from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createFolderStorage } from '../integrations/storage/folder-storage.ts'
import { readConfig } from '../config.ts'
import { ensureDataDirectory } from './data-directory.ts'

const folder = mkdtempSync(join(tmpdir(), 'duet-data-dir-'))
after(() => rmSync(folder, { recursive: true }))
const LISTED_BY_OTHERS = 0o066
const others = (path: string) => statSync(path).mode & LISTED_BY_OTHERS

test('a new data directory and its files cannot be listed by other accounts', async () => {
  const dataDir = join(folder, 'new')
  readConfig({ DATA_DIR: dataDir })
  equal(others(dataDir), 0)
  const files = createFolderStorage(join(dataDir, 'files'))
  await files.check()
  equal(statSync(join(dataDir, 'files')).mode & 0o777, 0o700)
})

test('an existing data directory of Duet is closed to other accounts, one with other content is left alone', () => {
  const [ours, shared] = [join(folder, 'ours'), join(folder, 'shared')]
  for (const one of [ours, shared]) {
    mkdirSync(one)
    chmodSync(one, 0o755)
  }
  writeFileSync(join(ours, 'secret.key'), 'x')
  for (const one of [ours, shared]) ensureDataDirectory(one)
  equal(others(ours), 0)
  equal(statSync(shared).mode & 0o777, 0o755)
})
