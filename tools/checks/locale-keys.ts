/**
 * Texts are in packages/locales/<language>/<catalogue>.json. English is the source. A key that the code
 * uses must exist in one catalogue. A key that the code does not use is dead. Another language may not have
 * keys or catalogues that English lacks.
 */
import type { Tree } from '../tree.ts'

const SOURCE_FILE = /^packages\/locales\/en\/[^/]+\.json$/
const LANGUAGE_FILE = /^packages\/locales\/[a-z]{2}\/[^/]+\.json$/

/** The texts that every page has. */
const WORDS = 'packages/locales/en/app.json'
/** Mails are written by the server, which has no other catalogue. */
const MAILS = 'packages/locales/en/mail.json'

export function LOCALE_FILES(path: string): boolean {
  return (
    LANGUAGE_FILE.test(path) ||
    (/^(apps\/(web|office)|apps\/server\/src\/(modules\/(billing|gifts|mail|notices)|platform)|packages\/(ui|locales|client))\/.*\.(ts|tsx)$/.test(
      path,
    ) &&
      !/\.test\.tsx?$/.test(path))
  )
}

interface Texts {
  [key: string]: string | Texts
}

export function localeComplaints(tree: Tree): string[] {
  const known = new Map<string, string>()
  const doubled: string[] = []
  for (const [path, text] of tree) {
    if (!SOURCE_FILE.test(path)) continue
    for (const key of listKeys(JSON.parse(text) as Texts)) {
      const other = known.get(key)
      if (other !== undefined) doubled.push(`${path}: "${key}" is in ${other} too`)
      known.set(key, path)
    }
  }
  if (known.size === 0) return []
  const code = [...tree].filter(([path]) => !path.endsWith('.json'))
  return [
    ...doubled,
    ...missing(code, known),
    ...unused(code, known),
    ...foreign(tree, known),
    ...repeated(tree, code),
  ]
}

/** Flat keys of a file that may be nested: `{ a: { b: 'x' } }` has `a.b`. */
function listKeys(texts: Texts, prefix = ''): string[] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [prefix + key] : listKeys(value, `${prefix}${key}.`),
  )
}

/** `t('key')`, `<Trans id="key">`, `<Text id="key">`, `msg('key')`. */
const ASKED =
  /(?<![\w.$])(?:t|msg)\(\s*(['"])([^'"\n]+)\1|<(?:Trans|Text)\b[^>]*?\bid=\{?(['"])([^'"\n]+)\3/g

type KnownKeys = ReadonlyMap<string, string>

function missing(code: [string, string][], known: KnownKeys): string[] {
  return code.flatMap(([path, text]) =>
    [...text.matchAll(ASKED)]
      .map((match) => match[2] ?? match[4] ?? '')
      .filter((key) => !known.has(key))
      .map((key) => `${path}: the text "${key}" is in no catalogue of packages/locales/en`),
  )
}

/** A key counts as used when it occurs anywhere as a string, or matches a template such as `errors.${code}`. */
function unused(code: [string, string][], known: KnownKeys): string[] {
  const all = code.map(([, text]) => text).join('\n')
  const literals = new Set([...all.matchAll(/(['"`])([\w.-]+)\1/g)].map((match) => match[2] ?? ''))
  const templates = [...all.matchAll(/`([\w.-]*\.?\$\{[^`\n]*)`/g)]
    .map((match) => templatePattern(match[1] ?? ''))
    .filter((each) => each !== undefined)
  return [...known]
    .filter(([key]) => !literals.has(key) && !templates.some((template) => template.test(key)))
    .map(([key, path]) => `${path}: nothing asks for "${key}"`)
}

/** The words of buttons that several screens have stand once, in `app.json`. Keys that the code computes belong to their family. */
function repeated(tree: Tree, code: [string, string][]): string[] {
  const read = (path: string) => JSON.parse(tree.get(path) ?? '{}') as Record<string, string>
  const words = new Map(Object.entries(read(WORDS)).map(([key, text]) => [text, key]))
  const all = code.map(([, text]) => text).join('\n')
  return [...tree.keys()]
    .filter((path) => SOURCE_FILE.test(path) && path !== WORDS && path !== MAILS)
    .flatMap((path) =>
      Object.entries(read(path))
        .filter(([key, text]) => words.has(text) && all.includes(`'${key}'`))
        .map(([key, text]) => `${path}: "${key}" repeats "${words.get(text)}" of ${WORDS}`),
    )
}

/** `errors.${code}.title` → /^errors\..+\.title$/. A template without a fixed start would excuse every key. */
function templatePattern(template: string): RegExp | undefined {
  const parts = template.split(/\$\{[^}]*\}/)
  if (!/^[\w-]+\./.test(parts[0] ?? '')) return undefined
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`)
}

function foreign(tree: Tree, known: KnownKeys): string[] {
  return [...tree]
    .filter(([path]) => LANGUAGE_FILE.test(path) && !SOURCE_FILE.test(path))
    .flatMap(([path, text]) => {
      const source = path.replace(/\/[a-z]{2}\/(?=[^/]+$)/, '/en/')
      return listKeys(JSON.parse(text) as Texts)
        .filter((key) => known.get(key) !== source)
        .map((key) => `${path}: "${key}" is not in ${source}`)
    })
}
