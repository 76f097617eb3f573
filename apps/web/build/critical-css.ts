const WALKED_INTO = /^@(?:layer|media|supports|container)\b/
const CLASSES = /\.((?:\\.|[\w-])+)/g

/**
 * The rules of a built stylesheet that a page can show: a rule stays when the page has all classes of one of its selectors.
 * Rules without a class, tokens and font faces stay too. The whole stylesheet brings the rest later.
 */
export function criticalCss(css: string, html: string): string {
  const present = new Set(
    [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) => decoded(names).split(/\s+/)),
  )
  return shortened(css, present)
}

function shortened(css: string, present: ReadonlySet<string>): string {
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

/** Only a selector's own classes count: those in `:not()` are not required, and of a choice one is enough. */
function canMatch(selectors: string, present: ReadonlySet<string>): boolean {
  const bare = selectors.replace(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, '')
  return splitAtCommas(bare).some((selector) =>
    [...selector.matchAll(CLASSES)].every(([, name = '']) =>
      present.has(name.replace(/\\(.)/g, '$1')),
    ),
  )
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
