/**
 * A filter on a picture that fills its container is computed for every frame below it, and delays the first
 * frame of a partner. So only small glass surfaces are blurred at run time, and a layer above a picture
 * darkens it. A rule of CSS for a small element says so on its line or the line above: `small: why`.
 */
import { lineAt, parse, type SyntaxNode, walk } from '../source/parse.ts'
import type { Tree } from '../tree.ts'

const EXCUSE = /small: \S/
const BLUR =
  /(?<=^|[\s:])(?:blur(?:-[^\s!]+)?|backdrop-(?:blur|brightness|contrast|grayscale|saturate|filter)[^\s!]*|transition-\[[^\]]*filter[^\]]*\])(?=$|[\s!])/g
const FILTER =
  /(?<=^|[\s:])(?:brightness|contrast|grayscale|saturate|hue-rotate|invert|sepia|drop-shadow|filter)(?:-[^\s!]+)?(?=$|[\s!])/g
const FILLS = /(?<=^|[\s:])(?:inset-0|size-full|w-full h-full|fixed)(?=$|[\s!])/
/** A rule that sets a filter, with its selector. */
const CSS_FILTER = /([^{};]*)\{[^{}]*?(?<=[\s;{])((?:backdrop-)?filter\s*:(?!\s*none)[^;}]+)/g

export function FILTER_FILES(path: string): boolean {
  return (
    /^(apps\/web|packages\/ui)\/.*\.(tsx|ts|css)$/.test(path) &&
    !/\.(test\.tsx?|gen\.\w+)$/.test(path)
  )
}

export function filterComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const found = path.endsWith('.css') ? inStyles(text) : inClasses(path, text)
    return found.map(({ at, name }) => `${path}:${lineAt(text, at)}: "${name}" filters a picture`)
  })
}

interface FoundFilter {
  at: number
  name: string
}

function inStyles(text: string): FoundFilter[] {
  const lines = text.split('\n')
  return [...text.matchAll(CSS_FILTER)].flatMap((match) => {
    const [rule, selector = '', property = ''] = match
    const at = match.index + rule.indexOf(property)
    const line = lineAt(text, at)
    const isExcused = [lines[line - 1], lines[line - 2]].some((each) => EXCUSE.test(each ?? ''))
    const isGlass = property.startsWith('backdrop-') && selector.trim() === '.glass'
    return isGlass || isExcused ? [] : [{ at, name: property.split(':')[0]!.trim() }]
  })
}

function inClasses(path: string, text: string): FoundFilter[] {
  const found: FoundFilter[] = []
  const { program } = parse(path, text)
  walk(program, (node) => {
    for (const each of findStrings(node)) found.push(...matches(each, BLUR))
    if (node.type === 'JSXAttribute' && (node.name as { name?: string }).name === 'className')
      found.push(...ofElement(node))
  })
  return found
}

/** Every class of one element: a filter is refused where another class lets the element fill its container. */
function ofElement(attribute: SyntaxNode): FoundFilter[] {
  const strings: StringNode[] = []
  walk(attribute, (node) => void strings.push(...findStrings(node)))
  if (!strings.some(({ value }) => FILLS.test(value))) return []
  return strings.flatMap((each) => matches(each, FILTER))
}

interface StringNode {
  value: string
  start: number
}

function findStrings(node: SyntaxNode): StringNode[] {
  if (node.type === 'Literal' && typeof node.value === 'string')
    return [{ value: node.value, start: node.start }]
  if (node.type === 'TemplateElement')
    return [{ value: (node.value as { raw: string }).raw, start: node.start }]
  return []
}

function matches({ value, start }: StringNode, pattern: RegExp): FoundFilter[] {
  return [...value.matchAll(pattern)].map((match) => ({ at: start, name: match[0] }))
}
