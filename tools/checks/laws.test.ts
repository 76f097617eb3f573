import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasRunningTest } from '../source/test-names.ts'
import { lineAt, parse, type SyntaxNode, TEST, walk } from '../source/parse.ts'
import { listFiles, ROOT } from '../tree.ts'

const MODULES = 'apps/server/src/modules'
const DECISIONS = 'docs/decisions'
const NO_TEST = 'none yet'

interface Row {
  law: string
  says: string
  held_by: string
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const rows: Row[] = [...read('LAWS.md').matchAll(/^\| *([A-Z]+\d+) *\|(.*)\|(.*)\|$/gm)].map(
  ([, law = '', says = '', held_by = '']) => ({ law, says: says.trim(), held_by: held_by.trim() }),
)

/** The ids in the line that begins with `Invariants`, up to the end of a module's opening comment. */
function lawsOf(module: string): string[] {
  const opening = read(`${MODULES}/${module}/index.ts`).split('*/')[0] ?? ''
  const laws = /\b(?:Laws|Invariants)\b([\s\S]*)/.exec(opening)?.[1] ?? ''
  return [...laws.matchAll(/\(([A-Z]+\d+)\)/g)].map(([, id = '']) => id)
}

/** `file`: “name”, then more names of the same file, then another file. */
function testsIn(heldBy: string): { file: string; name: string }[] {
  let file = ''
  return [...heldBy.matchAll(/`([^`]+)`|“([^”]+)”/g)].flatMap(([, path, name]) => {
    if (path !== undefined) file = path
    return name === undefined ? [] : [{ file, name }]
  })
}

const modules = readdirSync(join(ROOT, MODULES), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, MODULES, entry.name, 'index.ts')))
  .map(({ name }) => name)

test('every law that a module names stands in LAWS.md', () => {
  const known = new Set(rows.map(({ law }) => law))
  const named = modules.flatMap((module) => lawsOf(module).map((law) => `${module}: ${law}`))
  ok(named.length > 0)
  deepEqual(
    named.filter((one) => !known.has(one.split(': ')[1] ?? '')),
    [],
  )
})

test('an id means one law, of one module', () => {
  const twice = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)
  deepEqual(twice(rows.map(({ law }) => law)), [])
  deepEqual(twice(modules.flatMap(lawsOf)), [])
})

/** A name in a comment, or of a test that is skipped, holds nothing. */
const isHeld = (file: string, name: string) =>
  existsSync(join(ROOT, file)) && hasRunningTest(file, read(file), name)

test('every test that holds a law is declared under that name and runs', () => {
  const missing = rows.flatMap(({ law, held_by }) =>
    testsIn(held_by)
      .filter(({ file, name }) => !isHeld(file, name))
      .map(({ file, name }) => `${law}: ${file} has no test “${name}”`),
  )
  deepEqual(missing, [])
})

test('a law is held by a test, or says that it is not', () => {
  const silent = rows.filter(({ held_by }) => held_by !== NO_TEST && testsIn(held_by).length === 0)
  deepEqual(
    silent.map(({ law }) => law),
    [],
  )
})

test('every decision has its page in the list, and every page of the list is there', () => {
  const pages = readdirSync(join(ROOT, DECISIONS)).filter((name) =>
    /^\d{4}-[a-z0-9-]+\.md$/.test(name),
  )
  const listed = [...read(`${DECISIONS}/README.md`).matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)\)/g)].map(
    ([, name]) => name,
  )
  ok(pages.length > 0)
  deepEqual(listed.toSorted(), pages.toSorted())
})

test('every generated test has a seed, so that npm test fails only by a change of the code', () => {
  const unseeded = listFiles()
    .filter((path) => TEST.test(path) && read(path).includes('fc.assert('))
    .flatMap((path) => {
      const found: string[] = []
      const text = read(path)
      walk(parse(path, text).program, (node) => {
        const { object, property } = (node.callee ?? {}) as {
          object?: SyntaxNode
          property?: SyntaxNode
        }
        if (object?.name !== 'fc' || property?.name !== 'assert') return
        const options = (node.arguments as SyntaxNode[])[1]
        const keys = ((options?.properties ?? []) as SyntaxNode[]).map(
          ({ key }) => (key as { name?: string } | undefined)?.name,
        )
        if (!keys.includes('seed')) found.push(`${path}:${lineAt(text, node.start)}`)
      })
      return found
    })
  deepEqual(unseeded, [])
})
