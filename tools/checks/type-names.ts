/** An exported type name is declared once in the repository: one word, one meaning. */
import { homonymsIn } from '../source/exported-types.ts'
import type { Tree } from '../tree.ts'

export function typeNameComplaints(tree: Tree): string[] {
  return [...homonymsIn(tree)].map(
    ([name, places]) =>
      `${places[0]}: the type ${name} is also declared at ${places.slice(1).join(', ')}`,
  )
}
