import { deepEqual, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readLaws, readLawTests } from '../source/law-tests.ts'
import { lineAt, parse, type SyntaxNode, TEST, walk } from '../source/parse.ts'
import { listFiles, ROOT } from '../tree.ts'

const MODULES = 'apps/server/src/modules'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const laws = readLaws()
const tests = readLawTests()

/** The ids in the line that begins with `Invariants`, up to the end of a module's opening comment. */
function findLaws(module: string): string[] {
  const opening = read(`${MODULES}/${module}/index.ts`).split('*/')[0] ?? ''
  const laws = /\b(?:Laws|Invariants)\b([\s\S]*)/.exec(opening)?.[1] ?? ''
  return [...laws.matchAll(/\(([A-Z]+\d+)\)/g)].map(([, id = '']) => id)
}

const modules = readdirSync(join(ROOT, MODULES), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(ROOT, MODULES, entry.name, 'index.ts')))
  .map(({ name }) => name)

test('every law that a module names stands in LAWS.md', () => {
  const known = new Set(laws.map(({ id }) => id))
  const named = modules.flatMap((module) => findLaws(module).map((law) => `${module}: ${law}`))
  ok(named.length > 0)
  deepEqual(
    named.filter((one) => !known.has(one.split(': ')[1] ?? '')),
    [],
  )
})

test('an id means one law, of one module', () => {
  const twice = (ids: string[]) => ids.filter((id, index) => ids.indexOf(id) !== index)
  deepEqual(twice(laws.map(({ id }) => id)), [])
  deepEqual(twice(modules.flatMap(findLaws)), [])
})

/** A name in a comment, or of a test that is skipped, holds nothing. */
test('every test that holds a law is declared under that name and runs', () => {
  const missing = tests.filter(({ files }) => files.length === 0)
  deepEqual(
    missing.map(({ law, name }) => `${law}: no file runs a test “${name}”`),
    [],
  )
})

test('the name of a test that holds a law identifies one file', () => {
  const ambiguous = tests.filter(({ files }) => files.length > 1)
  deepEqual(
    ambiguous.map(({ law, name, files }) => `${law}: “${name}” runs in ${files.join(' and ')}`),
    [],
  )
})

test('every law is held by a test, and every test holds a law that stands in LAWS.md', () => {
  const held = new Set(tests.map(({ law }) => law))
  deepEqual([...held].toSorted(), laws.map(({ id }) => id).toSorted())
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
