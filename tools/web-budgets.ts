/**
 * Bytes and files of the built landing page and of the next step. A slow phone pays for each byte, and for
 * each file again.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const KB = 1024
/** The page with its styles, its fonts and the larger portrait. It loads no script file before its first frame. */
const PAGE_GZIP_MAX_BYTES = 68 * KB
/** Every script before the landing page is hydrated, in one language, with all texts of the language. */
const START_GZIP_MAX_BYTES = 136 * KB
/** Scripts that the page loads after that by itself, so that a press shows the next step. */
const LATER_GZIP_MAX_BYTES = 106 * KB
const STYLES_GZIP_MAX_BYTES = 20 * KB
/** Script files from an empty cache to the working start screen. */
const START_SCREEN_FILES_MAX = 12
/** Script files that any later screen adds to those of the start screen. */
const SCREEN_FILES_MAX = 6

const START_SCREEN = /^video-.*\.js$/
const SCRIPT_FILE = /"\/assets\/([^"]+\.js)"/
const STYLE_FILE = /"\/(assets\/[^"]+\.css)"/
const SCRIPT_TAG = /<script[^>]*\bsrc=|<link[^>]*rel="modulepreload"/
const STATIC_IMPORT = /\b(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g
const DYNAMIC_IMPORT = /\bimport\(["'`]\.\/([^"'`]+\.js)["'`]\)/g

interface BuiltSizes {
  readonly page_bytes: number
  readonly start_bytes: number
  readonly later_bytes: number
  readonly styles_bytes: number
  readonly page_loads_script: boolean
  readonly start_screen_files: number
  /** The screen that adds most files to those of the start screen. */
  readonly largest_screen: { readonly name: string; readonly files: number }
}

/** The sizes of a built web app, as gzip compresses them. */
export function builtSizes(dist: string): BuiltSizes {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const application = readFileSync(join(dist, 'app.html'), 'utf8')
  const links = application.match(/<link[^>]*>/g) ?? []
  const files = (pattern: RegExp, isLate: boolean) =>
    new Set(
      links
        .filter((link) => link.includes('fetchpriority="low"') === isLate)
        .flatMap((link) => pattern.exec(link)?.[1] ?? []),
    )
  const start = files(SCRIPT_FILE, false)
  const later = files(SCRIPT_FILE, true)
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((bytes, path) => bytes + gzipped(readFileSync(join(dist, path))), 0)
  const inAssets = (names: Iterable<string>) => [...names].map((name) => `assets/${name}`)
  return {
    page_bytes: gzipped(Buffer.from(page)),
    start_bytes: sum(inAssets(start)),
    later_bytes: sum(inAssets(later)),
    styles_bytes: sum(files(STYLE_FILE, false)),
    page_loads_script: SCRIPT_TAG.test(page),
    ...fileCounts(join(dist, 'assets'), start.union(later)),
  }
}

function fileCounts(
  assets: string,
  loaded: ReadonlySet<string>,
): Pick<BuiltSizes, 'start_screen_files' | 'largest_screen'> {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'))
  const source = new Map(scripts.map((name) => [name, readFileSync(join(assets, name), 'utf8')]))
  const imported = (name: string, pattern: RegExp) =>
    [...(source.get(name) ?? '').matchAll(pattern)].map(([, found]) => found!)
  const withImports = (name: string, found = new Set<string>()) => {
    if (found.has(name)) return found
    found.add(name)
    for (const each of imported(name, STATIC_IMPORT)) withImports(each, found)
    return found
  }
  const startScreen = scripts.filter((name) => START_SCREEN.test(name))
  const atStart = startScreen.reduce((all, name) => all.union(withImports(name)), new Set(loaded))
  const screens = new Set(scripts.flatMap((name) => imported(name, DYNAMIC_IMPORT)))
  const added = [...screens].map((name) => ({
    name,
    files: withImports(name).difference(atStart).size,
  }))
  const [largest = { name: '', files: 0 }] = added.sort((one, other) => other.files - one.files)
  return { start_screen_files: atStart.size, largest_screen: largest }
}

/** A sentence for each part that is above its budget. */
export function budgetComplaints(dist: string): string[] {
  if (!existsSync(join(dist, 'app.html'))) return []
  const sizes = builtSizes(dist)
  const { name, files } = sizes.largest_screen
  return [
    ...(sizes.page_loads_script ? ['The landing page loads a script before its first frame.'] : []),
    ...above('The landing page', sizes.page_bytes, PAGE_GZIP_MAX_BYTES),
    ...above("The application's start", sizes.start_bytes, START_GZIP_MAX_BYTES),
    ...above('What the application loads after it', sizes.later_bytes, LATER_GZIP_MAX_BYTES),
    ...above('The stylesheet', sizes.styles_bytes, STYLES_GZIP_MAX_BYTES),
    ...aboveFiles('The start screen needs', sizes.start_screen_files, START_SCREEN_FILES_MAX),
    ...aboveFiles(`After it ${name} needs`, files, SCREEN_FILES_MAX),
  ]
}

function above(part: string, bytes: number, limit: number): string[] {
  if (bytes <= limit) return []
  return [`${part} has ${bytes} bytes after gzip, its budget is ${limit}.`]
}

function aboveFiles(part: string, files: number, limit: number): string[] {
  if (files <= limit) return []
  return [`${part} ${files} script files, its budget is ${limit} (apps/web/build/script-files.ts).`]
}

function gzipped(bytes: Buffer): number {
  return gzipSync(bytes, { level: 9 }).length
}
