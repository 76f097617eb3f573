import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { SHAPE_FILES, shapeComplaints } from './shape.ts'

function complaints(files: Record<string, string>, more: string[] = []): string[] {
  const tree = new Map(Object.entries(files).filter(([path]) => SHAPE_FILES(path)))
  return shapeComplaints(tree, [...Object.keys(files), ...more])
}

test('a folder holds 25 entries, folders counted once however full they are', () => {
  const files = (count: number) =>
    Array.from({ length: count }, (_, index) => `apps/web/src/room/f${index}.ts`)
  deepEqual(
    complaints({}, [...files(24), 'apps/web/src/room/deep/a.ts', 'apps/web/src/room/deep/b.ts']),
    [],
  )
  deepEqual(complaints({}, files(26)), ['apps/web/src/room/: 26 entries, 25 are the budget'])
})

test('a collection grows without a budget', () => {
  const migrations = Array.from(
    { length: 40 },
    (_, index) => `apps/server/src/platform/database/migrations/00${index}-step.sql`,
  )
  deepEqual(complaints({}, migrations), [])
})

test('a name that says nothing is refused, for files and folders', () => {
  deepEqual(complaints({ 'apps/web/src/utils.ts': '', 'apps/web/src/helpers/x.ts': '' }), [
    'apps/web/src/utils.ts: the name "utils" says nothing about what is inside',
    'apps/web/src/helpers: the name "helpers" says nothing about what is inside',
  ])
})

test('barrels and raw HTML do not pass', () => {
  deepEqual(
    complaints({
      'apps/web/src/b.ts': `export * from './c.ts'`,
      'apps/web/src/d.ts': 'node.innerHTML = x',
    }),
    [
      'apps/web/src/b.ts:1: no barrels: `export *` stands in index.ts only',
      'apps/web/src/d.ts:1: no raw HTML: text and components only',
    ],
  )
})

test('an index may gather what its package offers', () => {
  deepEqual(complaints({ 'packages/ui/src/index.ts': `export * from './button.tsx'` }), [])
})
