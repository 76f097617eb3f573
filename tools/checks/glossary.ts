/** The glossary has one term for each concept: a term stands once in its first column. */
import type { Tree } from '../tree.ts'

export const GLOSSARY_FILES = (path: string): boolean => path === 'GLOSSARY.md'

/** The first column of a row, behind the heading and its rule. */
const FIRST_COLUMN = /^\|\s*([^|]+?)\s*\|/
const NO_TERM = /^(?:Term|-+)$/

export function glossaryComplaints(tree: Tree): string[] {
  const complaints: string[] = []
  const lineOf = new Map<string, number>()
  for (const [path, text] of tree)
    for (const [at, row] of text.split('\n').entries())
      for (const term of termsIn(row)) {
        const first = lineOf.get(term)
        if (first !== undefined)
          complaints.push(`${path}:${at + 1}: "${term}" stands in line ${first} too`)
        else lineOf.set(term, at + 1)
      }
  return complaints
}

/** A row may explain several terms that belong together, with commas between. */
function termsIn(row: string): string[] {
  const [, column = ''] = FIRST_COLUMN.exec(row) ?? []
  return column
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '' && !NO_TERM.test(term))
}
