/**
 * One style of names and shapes.
 *
 * - `UPPER_SNAKE` for constants of a module, camelCase for locals, parameters and functions.
 * - An interface for the shape of an object. No object literal that is spread into another.
 * - `err` for the error of a log line.
 *
 * Fields are data and keep the names of the wire and of the columns. A local or a parameter with the value
 * of such a field may have the field's name.
 */
import { CODE, lineAt, parse, type SyntaxNode, walk } from '../source/parse.ts'
import type { Tree } from '../tree.ts'

/** The serializer of the log is bound to `err`: under another name an error is logged with all its fields, rows included. */
const WRONG_ERROR_KEYS: ReadonlySet<string> = new Set(['error', 'e', 'cause', 'exception'])
const LOG_METHODS: ReadonlySet<string> = new Set([
  'trace',
  'debug',
  'info',
  'warn',
  'error',
  'fatal',
])
const UPPER_SNAKE = /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/
/** Also PascalCase, for components and schemas, and `_unused`. */
const CAMEL = /^_*\$?[A-Za-z][A-Za-z0-9]*$|^_+$/

/** These files declare the fields of the wire and the columns of the tables. */
const DATA_FILES =
  /^(packages\/protocol\/src\/(?!.*\.test\.ts$)|apps\/server\/src\/core\/tables\.gen\.ts$)/

export function HOUSE_STYLE_FILES(path: string): boolean {
  return CODE.test(path) && !/\.gen\.|\.d\.m?ts$/.test(path)
}

/** Read with every choice of files: without them each field is a local name. */
export function DATA_FIELD_FILES(path: string): boolean {
  return DATA_FILES.test(path)
}

export function houseStyleComplaints(tree: Tree): string[] {
  const fields = dataFields(tree)
  return [...tree].flatMap(([path, text]) => {
    if (!HOUSE_STYLE_FILES(path)) return []
    const { program } = parse(path, text)
    const complaints = [
      ...constantComplaints(program.body as unknown as SyntaxNode[]),
      ...nodeComplaints(program, fields),
    ]
    return complaints.map(({ at, says }) => `${path}:${lineAt(text, at)}: ${says}`)
  })
}

interface StyleComplaint {
  readonly at: number
  readonly says: string
}

function constantComplaints(body: readonly SyntaxNode[]): StyleComplaint[] {
  return body
    .map((statement) => (statement.declaration as SyntaxNode | null) ?? statement)
    .filter(({ type, kind }) => type === 'VariableDeclaration' && kind === 'const')
    .flatMap(({ declarations }) => declarations as SyntaxNode[])
    .flatMap(({ id, init, start }) => {
      const { name } = id as { name?: string }
      if (name === undefined || !isConstant(init as SyntaxNode) || UPPER_SNAKE.test(name)) return []
      return [{ at: start, says: `the constant ${name} is written UPPER_SNAKE` }]
    })
}

/** A number, a text, a pattern, or arithmetic with them. */
function isConstant(init: SyntaxNode | null | undefined): boolean {
  if (!init) return false
  if (init.type === 'Literal') return typeof init.value !== 'boolean' && init.value !== null
  if (init.type === 'UnaryExpression') return isConstant(init.argument as SyntaxNode)
  if (init.type === 'BinaryExpression')
    return isConstant(init.left as SyntaxNode) && isConstant(init.right as SyntaxNode)
  return false
}

/** Names of fields and columns that are not camelCase: `user_id`, `duration_ms`. */
function dataFields(tree: Tree): ReadonlySet<string> {
  const fields = new Set<string>()
  for (const [path, text] of tree) {
    if (!DATA_FILES.test(path)) continue
    walk(parse(path, text).program, (node) => {
      const { name } = (node.key ?? {}) as { name?: string }
      if ((node.type === 'Property' || node.type === 'TSPropertySignature') && name)
        fields.add(name)
    })
  }
  return fields
}

function nodeComplaints(program: unknown, fields: ReadonlySet<string>): StyleComplaint[] {
  const complaints: StyleComplaint[] = []
  walk(program, (node) => {
    for (const { name, start } of findNames(node)) {
      if (!CAMEL.test(name) && !UPPER_SNAKE.test(name) && !fields.has(name))
        complaints.push({ at: start, says: `${name} is a local name and written camelCase` })
    }
    const key = wrongErrorKey(node)
    if (key !== undefined)
      complaints.push({
        at: node.start,
        says: `the error of a log line is \`err\`, not \`${key}\``,
      })
    for (const { start } of uselessSpreads(node))
      complaints.push({
        at: start,
        says: 'write the fields of this spread object beside the others',
      })
    const shape = node.typeAnnotation as SyntaxNode | undefined
    if (node.type === 'TSTypeAliasDeclaration' && shape?.type === 'TSTypeLiteral')
      complaints.push({ at: node.start, says: 'the shape of an object is an interface' })
  })
  return complaints
}

/** Literals that are spread into an object: they group fields on a line that the formatter would break. */
function uselessSpreads(node: SyntaxNode): SyntaxNode[] {
  if (node.type !== 'ObjectExpression') return []
  return (node.properties as SyntaxNode[]).filter((property) => {
    if (property.type !== 'SpreadElement') return false
    let spread = property.argument as SyntaxNode
    while (spread.type === 'TSAsExpression' || spread.type === 'ParenthesizedExpression')
      spread = spread.expression as SyntaxNode
    return spread.type === 'ObjectExpression'
  })
}

/** The name under which a call of a logger passes its error, if it is not `err`. */
function wrongErrorKey(node: SyntaxNode): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { object, property } = node.callee as { object?: SyntaxNode; property?: SyntaxNode }
  const owner = (object?.property as SyntaxNode | undefined) ?? object
  if (owner?.name !== 'log' || !LOG_METHODS.has(property?.name as string)) return undefined
  const [fields] = node.arguments as SyntaxNode[]
  if (fields?.type !== 'ObjectExpression') return undefined
  return (fields.properties as SyntaxNode[])
    .map(({ key }) => (key as { name?: string } | undefined)?.name)
    .find((name) => name !== undefined && WRONG_ERROR_KEYS.has(name))
}

/** Names that the code itself chooses; a field taken out of an object keeps its name. */
function findNames(node: SyntaxNode): { name: string; start: number }[] {
  const names: unknown[] = []
  if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration') names.push(node.id)
  if (Array.isArray(node.params) && /Function|Method/.test(node.type))
    names.push(...node.params.map((param: SyntaxNode) => param.left ?? param.argument ?? param))
  return (names as (SyntaxNode | null)[]).flatMap((name) =>
    name?.type === 'Identifier' ? [{ name: name.name as string, start: name.start }] : [],
  )
}
