const WALKED_INTO = /^@(?:layer|media|supports|container)\b/
const CLASSES = /\.((?:\\.|[\w-])+)/g
/** At the start of a selector or after a combinator: `a`, not `:hover` or `::before`. */
const ELEMENTS = /(?<![\w:.#\-\\])([a-z][\w-]*)/g
/** Classes, attributes and the arguments of pseudo-classes: `.card`, `[lang]`, `(ar)`. */
const NOT_ELEMENTS = /\.(?:\\.|[\w-])+|\[[^\]]*\]|\([^)]*\)/g
/** Parts of form fields, whatever their element is. */
const OF_FIELDS =
  /::(?:placeholder|file-selector|-webkit-(?:search|date|datetime|calendar|inner|outer))/
const NAMED = /^@(?:property|keyframes)\s+([\w-]+)/
/** The elements around the prerendered ones. */
const OUTSIDE = ['html', 'body']

/** The classes and elements of a page. */
interface Present {
  classes: ReadonlySet<string>
  elements: ReadonlySet<string>
}

/**
 * The rules of a built stylesheet that a page can show: a rule stays when the page has all classes and elements of one of its
 * selectors, a registered property or an animation when a rule that stays names it. Tokens and font faces stay too. The whole
 * stylesheet brings the rest later.
 */
export function criticalCss(css: string, html: string): string {
  const rules = shortened(css, {
    classes: new Set(
      [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
        decoded(names).split(/\s+/),
      ),
    ),
    elements: new Set([
      ...OUTSIDE,
      ...[...html.matchAll(/<([a-z][\w-]*)/g)].map(([, tag]) => tag!),
    ]),
  })
  return withoutUnnamed(rules)
}

/** Registered properties and animations that no other rule names are removed. */
function withoutUnnamed(css: string): string {
  const rules = [...rulesOf(css)].map(({ prelude, block }) => ({
    name: NAMED.exec(prelude)?.[1],
    text: block === undefined ? prelude : `${prelude}{${block}}`,
  }))
  const used = rules
    .filter(({ name }) => !name)
    .map(({ text }) => text)
    .join('')
  const isUsed = (name: string) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(used)
  return rules
    .filter(({ name }) => !name || isUsed(name))
    .map(({ text }) => text)
    .join('')
}

function shortened(css: string, present: Present): string {
  let kept = ''
  for (const { prelude, block } of rulesOf(css)) {
    if (block === undefined) kept += prelude
    else if (WALKED_INTO.test(prelude)) {
      const inside = shortened(block, present)
      if (inside !== '') kept += `${prelude}{${inside}}`
    } else if (prelude.startsWith('@') || canMatch(prelude, present)) kept += `${prelude}{${block}}`
  }
  return kept
}

/** Only a selector's own names count: those in `:not()` are not required, and of a choice one is enough. */
function canMatch(selectors: string, { classes, elements }: Present): boolean {
  const bare = selectors.replace(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, '')
  return splitAtCommas(bare).some(
    (selector) =>
      namesIn(selector, CLASSES).every((name) => classes.has(name.replace(/\\(.)/g, '$1'))) &&
      namesIn(selector.replace(NOT_ELEMENTS, ''), ELEMENTS).every((name) => elements.has(name)) &&
      (elements.has('input') || !OF_FIELDS.test(selector)),
  )
}

function namesIn(selector: string, pattern: RegExp): string[] {
  return [...selector.matchAll(pattern)].map(([, name = '']) => name)
}

function splitAtCommas(selectors: string): string[] {
  return selectors.split(/(?<!\\),/)
}

interface Rule {
  prelude: string
  /** The text between the braces; undefined for a statement such as `@layer a,b;`. */
  block?: string
}

/** The rules of one level, with any content. */
function* rulesOf(css: string): Generator<Rule> {
  let at = 0
  while (at < css.length) {
    const open = indexOutside(css, at, '{;')
    if (open === css.length) return
    if (css[open] === ';') {
      yield { prelude: css.slice(at, open + 1) }
      at = open + 1
      continue
    }
    const close = closing(css, open)
    yield { prelude: css.slice(at, open).trim(), block: css.slice(open + 1, close) }
    at = close + 1
  }
}

function closing(css: string, open: number): number {
  let depth = 1
  let at = open
  while (depth > 0 && at < css.length) {
    at = indexOutside(css, at + 1, '{}')
    depth += css[at] === '{' ? 1 : -1
  }
  return at
}

/** The index of the next of some characters that is neither escaped nor inside a string. */
function indexOutside(css: string, from: number, signs: string): number {
  let quote = ''
  for (let at = from; at < css.length; at += 1) {
    const sign = css[at]!
    if (sign === '\\') at += 1
    else if (quote) quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (signs.includes(sign)) return at
  }
  return css.length
}

function decoded(attribute: string): string {
  return attribute
    .replaceAll('&amp;', '&')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
}
