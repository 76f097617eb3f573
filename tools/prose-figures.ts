/**
 * Prints how the repository reads, per area: `node tools/prose-figures.ts [folder of a checkout]`.
 * The prose figures are of comments, words per 10,000; good code bases of this kind are at most at 3.
 */
import { resolve } from 'node:path'
import { CODE, TEST } from './source/parse.ts'
import { type Prose, proseOf } from './source/prose.ts'
import { homonymsIn } from './source/exported-types.ts'
import { cyclesIn } from './source/module-graph.ts'
import { readTree, ROOT, type Tree } from './tree.ts'

const PER = 10_000

const WORDS = {
  who: /\b(?:who(?:so)?ever|whom(?:ever)?|somebody|nobody|everybody|anybody)\b/gi,
  told: /\b(?:told|heard|said|kept|gone)\b/gi,
  'so many': /\bso (?:many|much)\b/gi,
  anew: /\b(?:anew|meanwhile|at hand|let go)\b/gi,
  he: /\b(?:he|his|him|himself)\b/gi,
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

const root = resolve(process.argv[2] ?? ROOT)
const tree = readTree((path) => /\.(ts|tsx|mts|mjs|css|sql|md|json)$/.test(path), root)
const prose = [...tree].flatMap(([path, text]) => proseOf(path, text))

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
    .filter(([path]) => CODE.test(path) && !TEST.test(path) && !path.includes('.gen.'))
    .filter(([path]) => pattern.test(path))
    .map(([, text]) => text.replace(/\n$/, '').split('\n').length)
    .toSorted((a, b) => a - b)
  const quantile = (share: number) => lines[Math.floor((lines.length - 1) * share)] ?? 0
  const over = lines.filter((count) => count > 300).length
  return [lines.length, quantile(0.5), quantile(0.9), lines.at(-1) ?? 0, over].map(String)
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
