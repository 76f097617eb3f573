/** Finds the catalogues of a part of the application by the text ids in its source files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { FALLBACK_LOCALE } from '@duet/protocol/kernel/locales.ts'
import { parseSync, Visitor } from 'vite'

const CATALOGS = join(import.meta.dirname, '../../../packages/locales', FALLBACK_LOCALE)
/** The source of the application, and its pages for developers. */
const SOURCES = ['../src/', '../dev/'].map((folder) => join(import.meta.dirname, folder))

/** A place in the source text of a module. */
interface Place {
  readonly start: number
  readonly end: number
}

interface DynamicImport extends Place {
  readonly file: string
}

/** The callback of a call of `withTexts`, with its text ids. */
interface NoticeCallback extends Place {
  readonly ids: readonly string[]
}

interface SourceModule {
  /** The text ids that the module names outside of `withTexts`. */
  readonly ids: readonly string[]
  /** The source files that are loaded together with the module. */
  readonly imports: readonly string[]
  readonly dynamic_imports: readonly DynamicImport[]
  readonly notice_callbacks: readonly NoticeCallback[]
}

export type CatalogSearch = ReturnType<typeof createCatalogSearch>

export function createCatalogSearch() {
  const catalogs = readCatalogs()
  const modules = new Map<string, SourceModule>()

  function toModule(file: string): SourceModule {
    const known = modules.get(file)
    if (known) return known
    const read = readModule(file, readFileSync(file, 'utf8'), catalogs)
    modules.set(file, read)
    return read
  }

  function loadedTogether(file: string): Set<string> {
    const files = new Set([file])
    for (const each of files) for (const imported of toModule(each).imports) files.add(imported)
    return files
  }

  const findNames = (ids: readonly string[]) =>
    [...new Set(ids.map((id) => catalogs.get(id)!))].toSorted()

  return {
    read: (file: string, code: string) => readModule(file, code, catalogs),
    /** The catalogues of these text ids. */
    findNames,
    /** The catalogues of a file and of everything that it imports statically. */
    namesFor: (file: string) =>
      findNames([...loadedTogether(file)].flatMap((each) => toModule(each).ids)),
    /** A file has changed. */
    forget: (file: string) => modules.delete(file),
  }
}

/** The catalogue of every text id of the interface. */
function readCatalogs(): Map<string, string> {
  const catalogs = new Map<string, string>()
  for (const file of readdirSync(CATALOGS)) {
    if (file === 'mail.json') continue
    const texts = JSON.parse(readFileSync(join(CATALOGS, file), 'utf8')) as object
    for (const id of Object.keys(texts)) catalogs.set(id, file.replace(/\.json$/, ''))
  }
  return catalogs
}

function readModule(
  file: string,
  code: string,
  catalogs: ReadonlyMap<string, string>,
): SourceModule {
  const { program, module } = parseSync(file, code)
  const named: { readonly at: number; readonly ids: readonly string[] }[] = []
  const callbacks: Place[] = []
  const types: Place[] = []
  new Visitor({
    CallExpression(node) {
      if (node.callee.type !== 'Identifier') return
      const [given] = node.arguments
      if (node.callee.name === 'withTexts' && given)
        callbacks.push({ start: given.start, end: given.end })
      if (node.callee.name === 't' && given?.type === 'TemplateLiteral') assertPrefix(given)
    },
    TSLiteralType: ({ start, end }) => void types.push({ start, end }),
    Literal({ value, start }) {
      if (typeof value === 'string' && catalogs.has(value)) named.push({ at: start, ids: [value] })
    },
    TemplateLiteral(node) {
      const pattern = findPattern(node)
      if (!pattern || isInside(node.start, types)) return
      named.push({ at: node.start, ids: [...catalogs.keys()].filter((id) => pattern.test(id)) })
    },
  }).visit(program)
  const values = named.filter(({ at }) => !isInside(at, types))

  function assertPrefix(template: Parameters<typeof findPattern>[0]): void {
    if (!findPattern(template))
      throw new Error(
        `${file}: the text id has no fixed prefix: ${code.slice(template.start, template.end)}`,
      )
  }

  return {
    ids: values.filter(({ at }) => !isInside(at, callbacks)).flatMap(({ ids }) => ids),
    imports: [
      ...module.staticImports
        .filter(({ start, end, entries }) => !isTypeOnly(code.slice(start, end), entries))
        .map(({ moduleRequest }) => moduleRequest.value),
      ...module.staticExports.flatMap(({ entries }) =>
        entries.flatMap(({ moduleRequest, isType }) =>
          moduleRequest && !isType ? moduleRequest.value : [],
        ),
      ),
    ].flatMap((specifier) => sourceFile(file, specifier) ?? []),
    dynamic_imports: module.dynamicImports.flatMap(({ start, end, moduleRequest }) => {
      const target = sourceFile(file, code.slice(moduleRequest.start + 1, moduleRequest.end - 1))
      return target ? { start, end, file: target } : []
    }),
    notice_callbacks: callbacks.map((callback) => ({
      ...callback,
      ids: values.filter(({ at }) => isInside(at, [callback])).flatMap(({ ids }) => ids),
    })),
  }
}

/** Every id that a template literal can produce. Undefined if the literal does not begin like a text id. */
function findPattern({
  quasis,
}: Place & { quasis: readonly { value: { cooked: string | null } }[] }): RegExp | undefined {
  const parts = quasis.map(({ value }) => value.cooked ?? '')
  if (!/^[\w-]+\./.test(parts[0]!)) return undefined
  const fixed = parts.map((part) => part.replaceAll(/[^\w-]/g, String.raw`\$&`))
  return new RegExp(`^${fixed.join('.+')}$`)
}

function isInside(at: number, places: readonly Place[]): boolean {
  return places.some(({ start, end }) => at >= start && at < end)
}

function isTypeOnly(statement: string, entries: readonly { readonly isType: boolean }[]): boolean {
  if (entries.length > 0) return entries.every(({ isType }) => isType)
  return /^import\s+type\b/.test(statement)
}

/** A source file of the application. Undefined for packages, styles and pictures. */
function sourceFile(importer: string, specifier: string): string | undefined {
  const path = resolve(dirname(importer), specifier)
  return specifier.startsWith('.') && isSource(path) && existsSync(path) ? path : undefined
}

export function isSource(path: string): boolean {
  return SOURCES.some((folder) => path.startsWith(folder)) && /\.tsx?$/.test(path)
}
