/** Exported types and where each is declared. */
import type { Tree } from '../tree.ts'
import { CODE, lineAt, parse, type SyntaxNode, TEST } from './parse.ts'

const TYPE_DECLARATIONS = new Set([
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'TSEnumDeclaration',
  'ClassDeclaration',
])

/** Places of each exported type name, `path:line`. A const of the same name beside it (a zod schema) is the same thing. */
export function exportedTypes(tree: Tree): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const [path, text] of tree) {
    if (!CODE.test(path) || TEST.test(path) || /\.gen\.|\.d\.m?ts$/.test(path)) continue
    for (const { name, line } of typesIn(path, text))
      places.set(name, [...(places.get(name) ?? []), `${path}:${line}`])
  }
  return places
}

function typesIn(path: string, text: string): { name: string; line: number }[] {
  return (parse(path, text).program.body as unknown as SyntaxNode[]).flatMap((statement) => {
    const declaration = statement.declaration as SyntaxNode | null | undefined
    if (statement.type !== 'ExportNamedDeclaration' || !declaration) return []
    if (!TYPE_DECLARATIONS.has(declaration.type)) return []
    const { name } = declaration.id as unknown as { name: string }
    return [{ name, line: lineAt(text, declaration.start) }]
  })
}

/** Names that more than one file declares. */
export function homonymsIn(tree: Tree): Map<string, string[]> {
  return new Map([...exportedTypes(tree)].filter(([, places]) => places.length > 1))
}
