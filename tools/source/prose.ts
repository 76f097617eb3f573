/** The English of the repository: comments, documents, test names, and sentences in strings. */
import { CODE, lineAt, parse, type SyntaxNode, walk } from './parse.ts'

export interface Prose {
  readonly kind: 'comment' | 'document' | 'test name' | 'sentence'
  readonly path: string
  readonly line: number
  readonly text: string
}

const DOCUMENT = /\.md$/
const STYLE = /\.css$/
const SQL = /\.sql$/
const SHELL = /(\.(sh|ya?ml|toml|conf)|(^|\/)(Dockerfile|Caddyfile))$/
const TEST_CALLS = new Set(['test', 'it', 'describe', 'suite', 'story', 'tell', 'law', 'journey'])
/** A string with fewer words is a key, a class name, a label. */
const SENTENCE_WORDS_MIN = 4

export function findProse(path: string, text: string): Prose[] {
  if (CODE.test(path)) return [...comments(path, text), ...strings(path, text)]
  if (DOCUMENT.test(path)) return documentLines(path, text)
  if (STYLE.test(path)) return blockComments(path, text)
  if (SQL.test(path)) return lineComments(path, text, /^\s*--+ ?(.*)$/)
  if (SHELL.test(path)) return lineComments(path, text, /^\s*#+(?!!) ?(.*)$/)
  return []
}

/** Consecutive line comments are one comment. */
function comments(path: string, text: string): Prose[] {
  const found: { start: number; end: number; text: string; isLine: boolean }[] = []
  for (const comment of parse(path, text).comments) {
    const isLine = comment.type === 'Line'
    const last = found.at(-1)
    if (last?.isLine && isLine && /^\n?[ \t]*$/.test(text.slice(last.end, comment.start))) {
      last.text += `\n${comment.value}`
      last.end = comment.end
    } else found.push({ start: comment.start, end: comment.end, text: comment.value, isLine })
  }
  return found
    .map(({ start, text: value }) => ({
      kind: 'comment' as const,
      path,
      line: lineAt(text, start),
      text: plain(value),
    }))
    .filter(({ text: value }) => /[a-z]{2}/i.test(value))
}

/** Without the stars of a block, without code in backticks. */
function plain(comment: string): string {
  return comment
    .replaceAll(/^[ \t]*\*+ ?/gm, '')
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function strings(path: string, text: string): Prose[] {
  const found: Prose[] = []
  walk(parse(path, text).program, (node, parent) => {
    const value = findString(node)
    if (value === undefined) return
    const kind = isTestName(parent, node) ? 'test name' : 'sentence'
    const words = value.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length
    if (kind === 'test name' || words >= SENTENCE_WORDS_MIN)
      found.push({ kind, path, line: lineAt(text, node.start), text: value })
  })
  return found
}

function findString(node: SyntaxNode): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  return (node.quasis as { value: { cooked: string | null } }[])
    .map(({ value }) => value.cooked ?? '')
    .join('…')
}

function isTestName(parent: SyntaxNode | undefined, node: SyntaxNode): boolean {
  if (parent?.type !== 'CallExpression' || (parent.arguments as unknown[])[0] !== node) return false
  return TEST_CALLS.has(calledName(parent.callee as SyntaxNode))
}

/** `test`, `test.skip`, `story.with(options)` and `test.each(rows)` are all called by their first name. */
function calledName(callee: SyntaxNode): string {
  if (callee.type === 'Identifier') return callee.name as string
  if (callee.type === 'MemberExpression') return calledName(callee.object as SyntaxNode)
  if (callee.type === 'CallExpression') return calledName(callee.callee as SyntaxNode)
  return ''
}

function documentLines(path: string, text: string): Prose[] {
  const prose: Prose[] = []
  let isCode = false
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    else if (!isCode && line.trim() !== '')
      prose.push({ kind: 'document', path, line: index + 1, text: plain(line) })
  }
  return prose
}

function blockComments(path: string, text: string): Prose[] {
  return [...text.matchAll(/\/\*([\s\S]*?)\*\//g)].map((match) => ({
    kind: 'comment',
    path,
    line: lineAt(text, match.index),
    text: plain(match[1] ?? ''),
  }))
}

function lineComments(path: string, text: string, pattern: RegExp): Prose[] {
  const prose: Prose[] = []
  let last = -1
  for (const [index, line] of text.split('\n').entries()) {
    const value = pattern.exec(line)?.[1]
    if (value === undefined) continue
    const before = prose.at(-1)
    if (before && last === index - 1)
      prose[prose.length - 1] = { ...before, text: plain(`${before.text} ${value}`) }
    else prose.push({ kind: 'comment', path, line: index + 1, text: plain(value) })
    last = index
  }
  return prose
}
