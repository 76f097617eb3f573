/** The names of functions: declarations, methods, and constants that hold a function. */
import { parse, type SyntaxNode, walk } from './parse.ts'

const FUNCTIONS = new Set(['ArrowFunctionExpression', 'FunctionExpression'])

export function functionNames(path: string, text: string): string[] {
  const names: string[] = []
  walk(parse(path, text).program, (node) => {
    const name = toFunctionName(node)
    if (name !== undefined) names.push(name)
  })
  return names
}

function toFunctionName(node: SyntaxNode): string | undefined {
  if (node.type === 'FunctionDeclaration') return toName(node.id)
  if (node.type === 'MethodDefinition') return toName(node.key)
  if (node.type !== 'VariableDeclarator') return undefined
  const value = node.init as SyntaxNode | null
  return value && FUNCTIONS.has(value.type) ? toName(node.id) : undefined
}

function toName(node: unknown): string | undefined {
  const { name } = (node ?? {}) as { name?: unknown }
  return typeof name === 'string' ? name : undefined
}
