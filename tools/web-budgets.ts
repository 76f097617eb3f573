/** Bytes of the built landing page. A browser that runs on a slow phone pays for each of them before a reader sees anything. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const KB = 1024
/** The page with its styles, the fonts of its first frame and the larger portrait. It loads no script file before a reader gives a sign. */
const PAGE_GZIP_MAX_BYTES = 52 * KB
/** Fonts in the page that are added after its first frame. */
const LATER_FONTS_GZIP_MAX_BYTES = 9 * KB
/** Styles in the page that are added after its first frame: those of the first frame and of the later sections. */
const LATER_STYLES_GZIP_MAX_BYTES = 7 * KB
/** Every script before the landing page is hydrated, in one language. */
const START_GZIP_MAX_BYTES = 110 * KB
/** Scripts that the page loads after that by itself: the connection, the query cache, the features' manifests. */
const RUNTIME_GZIP_MAX_BYTES = 34 * KB
const STYLES_GZIP_MAX_BYTES = 20 * KB

const LATER_FONTS = /<template id="later-fonts">.*?<\/template>/s
const LATER_STYLES = /<script type="text\/css" id="later-styles">.*?<\/script>/s
const SCRIPT_FILE = /"\/(assets\/[^"]+\.js)"/
const STYLE_FILE = /"\/(assets\/[^"]+\.css)"/
const SCRIPT_TAG = /<script[^>]*\bsrc=|<link[^>]*rel="modulepreload"/

interface BuiltSizes {
  readonly page_bytes: number
  readonly later_fonts_bytes: number
  readonly later_styles_bytes: number
  readonly start_bytes: number
  readonly runtime_bytes: number
  readonly styles_bytes: number
  readonly page_loads_script: boolean
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
  const sum = (paths: Iterable<string>) =>
    [...paths].reduce((bytes, path) => bytes + gzipped(readFileSync(join(dist, path))), 0)
  return {
    page_bytes: gzipped(Buffer.from(page.replace(LATER_FONTS, '').replace(LATER_STYLES, ''))),
    later_fonts_bytes: gzipped(Buffer.from(LATER_FONTS.exec(page)?.[0] ?? '')),
    later_styles_bytes: gzipped(Buffer.from(LATER_STYLES.exec(page)?.[0] ?? '')),
    start_bytes: sum(files(SCRIPT_FILE, false)),
    runtime_bytes: sum(files(SCRIPT_FILE, true)),
    styles_bytes: sum(files(STYLE_FILE, false)),
    page_loads_script: SCRIPT_TAG.test(page),
  }
}

/** A sentence for each part that is above its budget. */
export function budgetComplaints(dist: string): string[] {
  if (!existsSync(join(dist, 'app.html'))) return []
  const sizes = builtSizes(dist)
  return [
    ...(sizes.page_loads_script
      ? ['The landing page loads a script before a reader gives a sign.']
      : []),
    ...above('The landing page', sizes.page_bytes, PAGE_GZIP_MAX_BYTES),
    ...above('The part of its later fonts', sizes.later_fonts_bytes, LATER_FONTS_GZIP_MAX_BYTES),
    ...above('The part of its later styles', sizes.later_styles_bytes, LATER_STYLES_GZIP_MAX_BYTES),
    ...above("The application's start", sizes.start_bytes, START_GZIP_MAX_BYTES),
    ...above('What the application loads after it', sizes.runtime_bytes, RUNTIME_GZIP_MAX_BYTES),
    ...above('The stylesheet', sizes.styles_bytes, STYLES_GZIP_MAX_BYTES),
  ]
}

function above(part: string, bytes: number, limit: number): string[] {
  if (bytes <= limit) return []
  return [`${part} has ${bytes} bytes after gzip, its budget is ${limit}.`]
}

function gzipped(bytes: Buffer): number {
  return gzipSync(bytes, { level: 9 }).length
}
