/** The names of the tests that a file declares, in node:test, Vitest or as a story. */
import { parse, type SyntaxNode, walk } from './parse.ts'

/** `tell` is the story of a test with calls that only record what they are asked. */
const DECLARES: ReadonlySet<string> = new Set(['test', 'it', 'story', 'tell'])
/** `story.with({ … })('…', …)` and `test.only('…', …)` run. Skipped and planned tests do not. */
const RUNS = new Set(['with', 'only', 'each'])

/**
 * Whether a test of this name runs. A template is known by its longest fixed part, without the seed at its
 * end. The words after a number at its beginning may be left out.
 */
export function hasRunningTest(path: string, text: string, name: string): boolean {
  return runningTests(path, text).some(
    (declared) =>
      declared.name === name ||
      (declared.isTemplate &&
        declared.name.endsWith(name) &&
        name.length * 2 > declared.name.length),
  )
}

interface DeclaredTest {
  readonly name: string
  readonly isTemplate: boolean
}

function runningTests(path: string, text: string): readonly DeclaredTest[] {
  const { program } = parse(path, text)
  const declarers = new Set(DECLARES)
  walk(program, (node) => {
    // `const demo = story.with({ … })`
    const { name } = (node.id ?? {}) as { name?: string }
    const init = node.init as SyntaxNode | null | undefined
    if (node.type !== 'VariableDeclarator' || !name || init?.type !== 'CallExpression') return
    const callee = init.callee as SyntaxNode
    if (callee.type === 'MemberExpression' && declaresTest(callee, declarers)) declarers.add(name)
  })
  const tests: DeclaredTest[] = []
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return
    if (!declaresTest(node.callee as SyntaxNode, declarers)) return
    const [given, ...rest] = node.arguments as SyntaxNode[]
    const name = given && findName(given)
    if (given && name !== undefined && !rest.some(isSkipped))
      tests.push({ name, isTemplate: given.type === 'TemplateLiteral' })
  })
  return tests
}

function declaresTest(callee: SyntaxNode, declarers: ReadonlySet<string>): boolean {
  if (callee.type === 'Identifier') return declarers.has(callee.name as string)
  if (callee.type === 'CallExpression') return declaresTest(callee.callee as SyntaxNode, declarers)
  if (callee.type !== 'MemberExpression') return false
  const { name } = callee.property as { name?: string }
  // `refusing.tell('…', …)`: the story of an object that holds more than it.
  if (name === 'tell') return true
  return RUNS.has(name ?? '') && declaresTest(callee.object as SyntaxNode, declarers)
}

function findName(name: SyntaxNode): string | undefined {
  if (name.type === 'Literal' && typeof name.value === 'string') return name.value
  if (name.type !== 'TemplateLiteral') return undefined
  const parts = (name.quasis as SyntaxNode[]).map(
    ({ value }) => (value as { cooked: string }).cooked,
  )
  const longest = parts.toSorted((one, other) => other.length - one.length)[0] ?? ''
  return longest
    .replace(/ \(seed $/, '')
    .replace(/^:/, '')
    .trim()
}

/** `{ skip: true }`, also with a reason, or a planned test. A condition that is computed may run. */
function isSkipped(options: SyntaxNode): boolean {
  if (options.type !== 'ObjectExpression') return false
  return (options.properties as SyntaxNode[]).some(({ key, value }) => {
    const { name } = (key ?? {}) as { name?: string }
    const given = value as { type: string; value?: unknown } | undefined
    return (
      (name === 'skip' || name === 'todo') && given?.type === 'Literal' && given.value !== false
    )
  })
}
