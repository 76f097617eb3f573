/**
 * Texts live in packages/locales, one file a language, en.json first. A key that the code asks for must be there; a key that nobody
 * asks for is dead; another language may not know keys that English does not.
 */
import type { Tree } from '../tree.ts'

const SOURCE = 'packages/locales/en.json'
const LANGUAGE_FILE = /^packages\/locales\/[^/]+\.json$/

export function LOCALE_FILES(path: string): boolean {
  if (LANGUAGE_FILE.test(path)) return !/(package|tsconfig[^/]*)\.json$/.test(path)
  return (
    /^(apps\/(web|office)|packages\/(ui|locales|client))\/.*\.(ts|tsx)$/.test(path) &&
    !/\.test\.tsx?$/.test(path)
  )
}

type Texts = { [key: string]: string | Texts }

export function localeComplaints(tree: Tree): string[] {
  const source = tree.get(SOURCE)
  if (source === undefined) return []
  const known = new Set(keysOf(JSON.parse(source) as Texts))
  const code = [...tree].filter(([path]) => !path.endsWith('.json'))
  return [...missing(code, known), ...unused(code, known), ...foreign(tree, known)]
}

/** Flat keys of a file that may be nested: `{ a: { b: 'x' } }` has `a.b`. */
function keysOf(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : keysOf(value, `${prefix}${key}.`),
  )
}

/** `t('key')`, `<Trans id="key">`, `<Text id="key">`, `msg('key')`. */
const ASKED =
  /(?<![\w.$])(?:t|msg)\(\s*(['"])([^'"\n]+)\1|<(?:Trans|Text)\b[^>]*?\bid=\{?(['"])([^'"\n]+)\3/g

function missing(code: [string, string][], known: Set<string>): string[] {
  return code.flatMap(([path, text]) =>
    [...text.matchAll(ASKED)]
      .map((match) => match[2] ?? match[4] ?? '')
      .filter((key) => !known.has(key))
      .map((key) => `${path}: the text "${key}" is not in en.json`),
  )
}

/** A key counts as used when it stands anywhere as a string, or fits a template such as `errors.${code}`. */
function unused(code: [string, string][], known: Set<string>): string[] {
  const all = code.map(([, text]) => text).join('\n')
  const literals = new Set([...all.matchAll(/(['"`])([\w.-]+)\1/g)].map((match) => match[2] ?? ''))
  const templates = [...all.matchAll(/`([\w.-]*\.?\$\{[^`\n]*)`/g)]
    .map((match) => templatePattern(match[1] ?? ''))
    .filter((each) => each !== undefined)
  return [...known]
    .filter((key) => !literals.has(key) && !templates.some((template) => template.test(key)))
    .map((key) => `${SOURCE}: nobody asks for "${key}"`)
}

/** `errors.${code}.title` → /^errors\..+\.title$/. A template without a fixed start of its own would excuse every key. */
function templatePattern(template: string): RegExp | undefined {
  const parts = template.split(/\$\{[^}]*\}/)
  if (!/^[\w-]+\./.test(parts[0] ?? '')) return undefined
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`)
}

function foreign(tree: Tree, known: Set<string>): string[] {
  return [...tree]
    .filter(([path]) => LANGUAGE_FILE.test(path) && path !== SOURCE)
    .flatMap(([path, text]) =>
      keysOf(JSON.parse(text) as Texts)
        .filter((key) => !known.has(key))
        .map((key) => `${path}: "${key}" is not in en.json`),
    )
}
