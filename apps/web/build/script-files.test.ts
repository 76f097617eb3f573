import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scriptFiles, scriptPaths } from './script-files.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('every path in the table of script files exists', () => {
  const missing = scriptPaths().filter((path) => globSync(path, { cwd: ROOT }).length === 0)
  expect(missing).toEqual([])
})

/** The script file of a module, as the bundler chooses the file. */
function fileFor(id: string): string | undefined {
  for (const { name, test: pattern } of scriptFiles() ?? []) {
    if (pattern instanceof RegExp && !pattern.test(id)) continue
    const file = typeof name === 'function' ? name(id, undefined as never) : name
    if (file) return file
  }
  return undefined
}

test.each([
  ['/repo/node_modules/react-dom/client.js', 'react'],
  ['/repo/node_modules/react-router/dist/index.mjs', undefined],
  ['/repo/apps/web/src/app/application.tsx', 'application'],
  ['/repo/apps/web/src/app/runtime/open-runtime.ts', 'runtime'],
  ['/repo/apps/web/src/features/identity/dialogs.ts', 'first-steps'],
  ['/repo/apps/web/src/features/identity/navigation.ts', 'frame'],
  ['/repo/apps/web/src/features/calls/feature.ts', 'video'],
  ['/repo/apps/web/src/features/messenger/unread-title.ts', 'first-steps'],
  ['/repo/apps/web/src/features/messenger/index.ts', 'messenger'],
  ['\0vite/preload-helper.js', 'loader'],
  ['\0texts:de/app.json', 'texts-de'],
  ['\0texts:de/legal', 'reading-de'],
])('the module %s is in the script file %s', (id, file) => {
  expect(fileFor(id)).toBe(file)
})
