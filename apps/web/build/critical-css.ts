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
/** `:lang(ar)` and `[dir=rtl]`. */
const LANGUAGES = /:lang\(([^)]*)\)|\[dir=["']?(\w+)["']?\]/g
/** The pseudo-classes whose arguments are selectors. */
const SELECTOR_LIST = /(?<!\\):(not|is|where|has)\(/
/** Rules for these states are not needed in the first frame. */
const POINTER_STATES = /(?<!\\):(?:hover|active)(?![\w-])/

/** The classes and elements of a page, its languages and directions, and whether rules for a pointer are wanted. */
interface Present {
  pointer: boolean
  classes: ReadonlySet<string>
  elements: ReadonlySet<string>
  languages: ReadonlySet<string>
}

/**
 * The rules of a built stylesheet that a page can show: a rule stays when the page has all classes and elements of one of its
 * selectors, a registered property or an animation when a rule that stays names it. Tokens and font faces stay too. Where the page
 * has `lang` or `dir`, rules for other languages and directions are removed; without `pointer`, rules for `:hover` and `:active` are removed, too.
 */
export function criticalCss(css: string, html: string, { pointer = true } = {}): string {
  const rules = shortened(css, {
    pointer,
    classes: new Set(
      [...html.matchAll(/class="([^"]*)"/g)].flatMap(([, names = '']) =>
        decoded(names).split(/\s+/),
      ),
    ),
    elements: new Set([
      ...OUTSIDE,
      ...[...html.matchAll(/<([a-z][\w-]*)/g)].map(([, tag]) => tag!),
    ]),
    languages: new Set([...html.matchAll(/ (?:lang|dir)="([^"]*)"/g)].map(([, value]) => value!)),
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
function canMatch(selectors: string, present: Present): boolean {
  const { pointer, classes, elements, languages } = present
  return splitAtCommas(selectors).some((selector) => {
    const { own } = partsOf(selector)
    return (
      (pointer || !POINTER_STATES.test(own)) &&
      (languages.size === 0 || isInLanguage(selector, languages)) &&
      namesIn(own, CLASSES).every((name) => classes.has(name.replace(/\\(.)/g, '$1'))) &&
      namesIn(own.replace(NOT_ELEMENTS, ''), ELEMENTS).every((name) => elements.has(name)) &&
      (elements.has('input') || !OF_FIELDS.test(own))
    )
  })
}

/** Whether a selector can match in one of some languages and directions; one that names none can. */
function isInLanguage(selector: string, languages: ReadonlySet<string>): boolean {
  const { own, choices } = partsOf(selector)
  const named = [...own.matchAll(LANGUAGES)].flatMap(([, language, direction]) =>
    (language ?? direction!).split(',').map((name) => name.replace(/["'\s]/g, '')),
  )
  return (
    (named.length === 0 || named.some((name) => languages.has(name))) &&
    choices.every((choice) =>
      splitAtCommas(choice).some((selector) => isInLanguage(selector, languages)),
    )
  )
}

/** A selector without its `:not()`, `:is()`, `:where()` and `:has()`, and the arguments of those that are a choice. */
function partsOf(selector: string): { own: string; choices: string[] } {
  const choices: string[] = []
  let own = selector
  for (let found = SELECTOR_LIST.exec(own); found; found = SELECTOR_LIST.exec(own)) {
    const from = found.index + found[0].length
    const end = closing(own, from - 1, '()')
    if (found[1] === 'is' || found[1] === 'where') choices.push(own.slice(from, end))
    own = own.slice(0, found.index) + own.slice(end + 1)
  }
  return { own, choices }
}

function namesIn(selector: string, pattern: RegExp): string[] {
  return [...selector.matchAll(pattern)].map(([, name = '']) => name)
}

/** The selectors of a list: commas inside parentheses do not separate them. */
function splitAtCommas(selectors: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  const next = (at: number) => indexOutside(selectors, at, ',()')
  for (let at = next(0); at < selectors.length; at = next(at + 1)) {
    const sign = selectors[at]
    if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if (depth === 0) {
      parts.push(selectors.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, selectors.slice(from)]
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
    const close = closing(css, open, '{}')
    yield { prelude: css.slice(at, open).trim(), block: css.slice(open + 1, close) }
    at = close + 1
  }
}

/** The index of the bracket that closes the one at `open`; `pair` has both, such as `{}`. */
function closing(css: string, open: number, pair: string): number {
  let depth = 1
  let at = open
  while (depth > 0 && at < css.length) {
    at = indexOutside(css, at + 1, pair)
    depth += css[at] === pair[0] ? 1 : -1
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
