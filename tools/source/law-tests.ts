/** The invariants of LAWS.md, and the tests that `tests/laws/held-by.json` names for each of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, ROOT } from '../tree.ts'
import { hasRunningTest } from './test-names.ts'
import { TEST } from './parse.ts'

export const HELD_BY = 'tests/laws/held-by.json'

interface Law {
  readonly id: string
  readonly guarantee: string
}

interface LawTest {
  readonly law: string
  readonly name: string
  /** The files that run a test of this name. The name identifies the test, so there is exactly one file. */
  readonly files: readonly string[]
}

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

export function readLaws(): readonly Law[] {
  // A law is an entry of a list: `- **W1** The balances …`, with its further lines indented.
  return [...read('LAWS.md').matchAll(/^- \*\*([A-Z]+\d+)\*\* (.+(?:\n {2}.+)*)/gm)].map(
    ([, id = '', guarantee = '']) => ({ id, guarantee: guarantee.replaceAll(/\s+/g, ' ') }),
  )
}

export function readLawTests(): readonly LawTest[] {
  const heldBy = JSON.parse(read(HELD_BY)) as Record<string, readonly string[]>
  const texts = listFiles()
    .filter((path) => TEST.test(path))
    .map((path) => ({ path, text: read(path) }))
  return Object.entries(heldBy).flatMap(([law, names]) =>
    names.map((name) => ({ law, name, files: runningIn(texts, name) })),
  )
}

/** Parsing is slow, so only the files that contain a part of the name are parsed. */
function runningIn(
  texts: readonly { path: string; text: string }[],
  name: string,
): readonly string[] {
  const part = (name.match(/[\p{L}\p{N} ,]+/gu) ?? []).reduce(
    (longest, next) => (next.length > longest.length ? next : longest),
    '',
  )
  return texts
    .filter(({ path, text }) => text.includes(part) && hasRunningTest(path, text, name))
    .map(({ path }) => path)
}
