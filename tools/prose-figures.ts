/**
 * Prints figures of size and prose for each area: `node tools/prose-figures.ts [folder of a checkout]`. The
 * prose figures are words of comments per 10,000. A figure is a symptom and not a target.
 */
import { resolve } from 'node:path'
import { CODE, TEST } from './source/parse.ts'
import { type Prose, findProse } from './source/prose.ts'
import { homonymsIn } from './source/exported-types.ts'
import { functionNames } from './source/functions.ts'
import { cyclesIn, resolveFile, findImports, workspacesIn } from './source/module-graph.ts'
import { readTree, ROOT, type Tree } from './tree.ts'

const PER = 10_000

const WORDS = {
  who: /\b(?:who(?:so)?ever|whom(?:ever)?|somebody|nobody|everybody|anybody)\b/gi,
  told: /\b(?:told|heard|said|kept|gone)\b/gi,
  'so many': /\bso (?:many|much)\b/gi,
  anew: /\b(?:anew|meanwhile|at hand|let go)\b/gi,
  he: /\b(?:he|his|him|himself)\b/gi,
  'one, none': /\b(?:ones?|none)\b/gi,
  semicolons: /;/g,
} as const
const RELATIVE = /^(?:who|whose|whom|whoever|what|whatever|which|whichever)\b/i

const AREAS: Readonly<Record<string, RegExp>> = {
  'server platform': /^apps\/server\/src\/(?!modules\/)/,
  'server modules': /^apps\/server\/src\/modules\//,
  'server tests': /^apps\/server\/test\//,
  web: /^apps\/web\//,
  protocol: /^packages\/protocol\//,
  client: /^packages\/client\//,
  'other packages': /^packages\/(?!protocol\/|client\/)/,
  tools: /^tools\//,
  'tests, bench': /^(tests|bench)\//,
  all: /(?:)/,
}

const PARTS: Readonly<Record<string, RegExp>> = {
  server: /^apps\/server\/src\//,
  web: /^apps\/(?!server\/)[^/]+\/(?:src|build)\//,
  packages: /^packages\/(?!testkit\/)[^/]+\/src\//,
  all: /^(?:apps\/[^/]+|packages\/(?!testkit\/)[^/]+)\/(?:src|build)\//,
}
const SMALL_FILE_LINES = 45

const root = resolve(process.argv[2] ?? ROOT)
const tree = readTree((path) => /\.(ts|tsx|mts|mjs|css|sql|md|json)$/.test(path), root)
const readers = readersByFile()
const prose = [...tree].flatMap(([path, text]) => findProse(path, text))

console.log(`${root}\n\nProse: comments, words per ${PER}; test names and documents by count`)
printTable([
  ['', 'comments', 'words', ...Object.keys(WORDS), 'begin with a relative'],
  ...Object.entries(AREAS).map(([area, pattern]) => [
    area,
    ...proseRow(prose.filter(({ path, kind }) => kind === 'comment' && pattern.test(path))),
  ]),
  ['test names', ...proseRow(prose.filter(({ kind }) => kind === 'test name'))],
  ['documents', ...proseRow(prose.filter(({ kind }) => kind === 'document'))],
])

console.log('\nFiles of the product, without tests and generated ones: lines')
printTable([
  ['', 'files', 'median', 'p90', 'longest', 'over 300'],
  ...Object.entries(AREAS).map(([area, pattern]) => [area, ...sizeRow(tree, pattern)]),
])

console.log('\nSize of the product, without tests, generated files and benches')
printTable([
  ['', 'lines', 'files', 'functions', '…Of', 'small files with one reader'],
  ...Object.entries(PARTS).map(([part, pattern]) => [part, ...volumeRow(pattern)]),
])
const decisions = [...tree.keys()].filter((path) => /^docs\/decisions\/\d/.test(path))
console.log(`\nDecisions: ${decisions.length}`)
console.log(`Words of documents by hand: ${handWrittenWords()}`)
console.log(`Hooks between modules: ${hookCount()}`)

const homonyms = homonymsIn(tree)
const cycles = cyclesIn(tree)
console.log(`\nExported type names that more than one file declares: ${homonyms.size}`)
if (homonyms.size > 0) console.log(`  ${[...homonyms.keys()].toSorted().join(' ')}`)
console.log(`Import cycles, types included: ${cycles.length}`)
for (const cycle of cycles) console.log(`  ${cycle.length} files: ${cycle.slice(0, 6).join(' ')}`)

function proseRow(pieces: readonly Prose[]): string[] {
  const text = pieces.map((piece) => piece.text).join('\n')
  const words = text.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length
  const rates = Object.values(WORDS).map((pattern) =>
    (((text.match(pattern)?.length ?? 0) / Math.max(words, 1)) * PER).toFixed(1),
  )
  const relatives = pieces.filter((piece) => RELATIVE.test(piece.text)).length
  const share = ((relatives / Math.max(pieces.length, 1)) * 100).toFixed(1)
  return [String(pieces.length), String(words), ...rates, `${relatives} (${share} %)`]
}

function sizeRow(all: Tree, pattern: RegExp): string[] {
  const lines = [...all]
    .filter(([path]) => isProduct(path) && pattern.test(path))
    .map(([, text]) => lineCount(text))
    .toSorted((a, b) => a - b)
  const quantile = (share: number) => lines[Math.floor((lines.length - 1) * share)] ?? 0
  const over = lines.filter((count) => count > 300).length
  return [lines.length, quantile(0.5), quantile(0.9), lines.at(-1) ?? 0, over].map(String)
}

function isProduct(path: string): boolean {
  return CODE.test(path) && !TEST.test(path) && !path.includes('.gen.')
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

function volumeRow(pattern: RegExp): string[] {
  const files = [...tree].filter(([path]) => isProduct(path) && pattern.test(path))
  const lines = files.reduce((sum, [, text]) => sum + lineCount(text), 0)
  const functions = files.flatMap(([path, text]) => functionNames(path, text))
  const possessives = functions.filter((name) => /[a-z]Of$/.test(name)).length
  const share = ((possessives / Math.max(functions.length, 1)) * 100).toFixed(1)
  const small = files.filter(
    ([path, text]) => lineCount(text) <= SMALL_FILE_LINES && (readers.get(path)?.size ?? 0) === 1,
  ).length
  return [lines, files.length, functions.length, `${possessives} (${share} %)`, small].map(String)
}

/** The product files that import each file. */
function readersByFile(): Map<string, Set<string>> {
  const workspaces = workspacesIn(tree)
  const found = new Map<string, Set<string>>()
  for (const [path, text] of tree) {
    if (!isProduct(path)) continue
    for (const imported of findImports(path, text)) {
      const target = resolveFile(imported, workspaces) ?? ''
      found.set(target, (found.get(target) ?? new Set()).add(path))
    }
  }
  return found
}

function handWrittenWords(): number {
  const documents = [...tree].filter(([path]) => path.endsWith('.md') && !path.includes('.gen.'))
  return documents.reduce((sum, [, text]) => sum + text.split(/\s+/).filter(Boolean).length, 0)
}

function hookCount(): number {
  const text = tree.get('apps/server/src/core/module.ts') ?? ''
  const parts = /export interface ModuleParts[^{]*\{\n([\s\S]*?)\n\}\n/.exec(text)?.[1] ?? ''
  return parts.match(/^ {2}readonly \w+\?:/gm)?.length ?? 0
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
}
