import { deepEqual } from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { listFiles } from './tree.ts'

test('a checkout without git lists its own files and not what was installed or built', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'duet-tree-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const folder of ['src/deep', 'node_modules/zod', 'apps/web/dist'])
    mkdirSync(join(root, folder), { recursive: true })
  for (const file of ['a.ts', 'src/deep/b.ts', 'node_modules/zod/c.js', 'apps/web/dist/d.js'])
    writeFileSync(join(root, file), '')
  deepEqual(listFiles(root), ['a.ts', 'src/deep/b.ts'])
})
