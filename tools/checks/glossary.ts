/** The glossary has one term for each concept: a term stands once at the beginning of a line. */
import type { Tree } from '../tree.ts'

export const GLOSSARY_FILES = (path: string): boolean => path === 'GLOSSARY.md'

/** `- **term, term**: meaning` */
const TERMS = /^- \*\*([^*]+)\*\*/

export function glossaryComplaints(tree: Tree): string[] {
  const complaints: string[] = []
  const lineOf = new Map<string, number>()
  for (const [path, text] of tree)
    for (const [at, line] of text.split('\n').entries())
      for (const term of termsIn(line)) {
        const first = lineOf.get(term)
        if (first !== undefined)
          complaints.push(`${path}:${at + 1}: "${term}" stands in line ${first} too`)
        else lineOf.set(term, at + 1)
      }
  return complaints
}

/** A line may explain several terms that belong together, with commas between. */
function termsIn(line: string): string[] {
  const [, terms = ''] = TERMS.exec(line) ?? []
  return terms
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '')
}
