/** SQL that writes stands in the store of a module, so that every write to its tables is found in one file. */
import { CODE, lineAt, parse, type SyntaxNode, TEST, walk } from '../source/parse.ts'
import type { Tree } from '../tree.ts'

const MODULE = /^apps\/server\/src\/modules\//
const STORE = /(^|\/)([a-z-]+-)?store\.ts$/
const STATEMENT =
  /\b(?:insert\s+into|update\s+\w+(?:\s+(?:as\s+)?\w+)?\s+set|delete\s+from|truncate\s+\w+|merge\s+into)\b/i
const QUERY_BUILDER = new Set([
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
  'replaceInto',
])

export function sqlWriteComplaints(tree: Tree): string[] {
  return [...tree]
    .filter(
      ([path]) => MODULE.test(path) && CODE.test(path) && !STORE.test(path) && !TEST.test(path),
    )
    .flatMap(([path, text]) =>
      writesIn(path, text).map(
        ({ line, what }) =>
          `${path}:${line}: "${what}" writes; a write belongs to the module's store.ts`,
      ),
    )
}

function writesIn(path: string, text: string): { line: number; what: string }[] {
  const found: { line: number; what: string }[] = []
  walk(parse(path, text).program, (node) => {
    const what = findWrite(node)
    if (what !== undefined) found.push({ line: lineAt(text, node.start), what })
  })
  return found
}

function findWrite(node: SyntaxNode): string | undefined {
  if (node.type === 'TemplateElement') return statementIn((node.value as { raw: string }).raw)
  if (node.type === 'Literal' && typeof node.value === 'string') return statementIn(node.value)
  if (node.type !== 'MemberExpression') return undefined
  const { name } = node.property as { name?: string }
  return name !== undefined && QUERY_BUILDER.has(name) ? name : undefined
}

function statementIn(sql: string): string | undefined {
  return STATEMENT.exec(sql)?.[0].replaceAll(/\s+/g, ' ')
}
