/** Parsed source files. Tools look at the syntax tree instead of matching text. */
import { parseSync, type ParseResult } from 'oxc-parser'

export const CODE = /\.(ts|tsx|mts|mjs)$/
export const TEST = /\.test\.tsx?$/

const parsed = new Map<string, ParseResult>()

/** @throws when the file is not valid TypeScript */
export function parse(path: string, text: string): ParseResult {
  const key = `${path}\0${text}`
  const known = parsed.get(key)
  if (known) return known
  const result = parseSync(path, text)
  const error = result.errors.find(({ severity }) => severity === 'Error')
  if (error) throw new Error(`${path}: ${error.message}`)
  parsed.set(key, result)
  return result
}

export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

/** Visits every node below `node`, parents first. */
export function walk(node: unknown, visit: (node: SyntaxNode, parent?: SyntaxNode) => void): void {
  walkFrom(node, undefined, visit)
}

function walkFrom(
  value: unknown,
  parent: SyntaxNode | undefined,
  visit: (node: SyntaxNode, parent?: SyntaxNode) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) walkFrom(item, parent, visit)
    return
  }
  if (!isNode(value)) return
  visit(value, parent)
  for (const field of Object.values(value)) {
    if (typeof field === 'object' && field !== null) walkFrom(field, value, visit)
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'start' in value
  )
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
