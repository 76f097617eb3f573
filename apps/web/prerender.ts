/** After `vite build`: writes the landing page of every language, whose first paint needs no script, and compresses every served file. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Manifest } from 'vite'
import {
  directionOf,
  FALLBACK_LOCALE,
  localeNames,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import { criticalCss } from './build/critical-css.ts'
import { firstLayout } from './build/first-layout.ts'
import { pageFonts, withoutFontFiles } from './build/page-fonts.ts'
import { escaped, loadFailureTemplate } from './build/load-failure.ts'
import { appScript, landingScript, withLaterIcon, type StartFiles } from './build/start-script.ts'
import { FIRST_ROUTE_TEXTS } from './src/app/start/first-route.ts'
import type { prerenderLanding, translatedLocales } from './src/app/start/prerendered.tsx'

const root = import.meta.dirname
const dist = join(root, 'dist')
const made = join(root, '../../.cache/web-prerender')

interface Prerendered {
  prerenderLanding: typeof prerenderLanding
  translatedLocales: typeof translatedLocales
}

const landing = await renderer()
const template = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
rmSync(join(dist, '.vite'), { recursive: true })

const stylesheet = manifest['src/app/start/start.tsx']!.css![0]!
const css = readFileSync(join(dist, stylesheet), 'utf8')
const styles = withoutFontFiles(css)
if (/<\/|<!--/.test(styles)) throw new Error('The stylesheet has text that would end its element')
const portrait = file('assets/sofia.jpg')
const entry = manifest['index.html']!
const RUNTIME = 'src/app/runtime/open-runtime.ts'

/** The entry's script, which is the first in the page, and the chunks that are preloaded with it. */
const MODULE_LINK =
  /\s*<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:<\/script>)?/g

for (const locale of localeNames) {
  const page = await pageOf(locale)
  mkdirSync(join(dist, locale), { recursive: true })
  writeFileSync(join(dist, locale, 'index.html'), page)
  if (locale === FALLBACK_LOCALE) writeFileSync(join(dist, 'index.html'), page)
}
writeFileSync(join(dist, 'app.html'), await appPage())
pack()

/** The landing page for Node: the same sources, and the same addresses of pictures, as the build for browsers. */
async function renderer(): Promise<Prerendered> {
  await build({
    root,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/app/start/prerendered.tsx',
      outDir: made,
      emptyOutDir: true,
      manifest: false,
      rolldownOptions: { output: { entryFileNames: 'prerendered.mjs' } },
    },
  })
  return import(pathToFileURL(join(made, 'prerendered.mjs')).href) as Promise<Prerendered>
}

async function pageOf(locale: Locale): Promise<string> {
  const { html, title, description, failure } = await landing.prerenderLanding(locale)
  const fonts = await pageFonts({ css, html, read: (address) => readFileSync(join(dist, address)) })
  const opening = `<html lang="${locale}" dir="${directionOf(locale)}"`
  const first = criticalCss(styles, `${opening}>${firstLayout(html)}`, { pointer: false })
  const later = criticalCss(styles, `${opening}>${html}`)
  const head = [
    `<meta name="description" content="${escaped(description)}">`,
    // Her portrait and the fonts of the first screen are part of the page. The second portrait follows the first frame.
    ...landing
      .translatedLocales()
      .map((each) => `<link rel="alternate" hreflang="${each}" href="/${each}/">`),
    fonts.first,
    // The rules of the first layout. Those of the whole page follow the first frame.
    `<style id="first-styles">${first}</style>`,
    `<noscript><link rel="stylesheet" href="/${stylesheet}"></noscript>`,
  ].join('\n    ')
  return (
    withLaterIcon(template)
      .replace('<html lang="en" dir="ltr"', opening)
      .replace('<title>Duet</title>', `<title>${escaped(title)}</title>`)
      .replace('<!--head-->', () => head)
      // The application brings the whole stylesheet: the landing page has its own rules inline.
      .replaceAll(MODULE_LINK, '')
      .replace(
        '<div id="root"></div>',
        () => `<div id="root" data-prerendered>${withPortrait(html)}</div>`,
      )
      .replace('<!--load-failure-->', () =>
        [
          fonts.later,
          // A browser parses a style even in a template.
          `<script type="text/css" id="later-styles">${later}</script>`,
          loadFailureTemplate(locale, failure),
        ].join('\n    '),
      )
      .replace('</body>', () => withScript(landingScript(applicationFiles(locale))))
  )
}

/** The page of every other path, whose language only the application knows. */
async function appPage(): Promise<string> {
  const { failure } = await landing.prerenderLanding(FALLBACK_LOCALE)
  return template
    .replaceAll(MODULE_LINK, '')
    .replace('<!--head-->', appLinks())
    .replace('<!--load-failure-->', () => loadFailureTemplate(FALLBACK_LOCALE, failure))
    .replace('</body>', () => withScript(appScript(entry.file)))
}

function withScript(script: string): string {
  return `<script>${script}</script>\n  </body>`
}

/**
 * The larger portrait is part of the page, so that the largest paint needs no second request. It is a JPEG because that is decoded
 * several times faster than AVIF at the same size. React would preload its file.
 */
function withPortrait(html: string): string {
  const bytes = readFileSync(join(dist, portrait)).toString('base64')
  return html
    .replace(/<link rel="preload" as="image"[^>]*>/g, '')
    .replaceAll(`src="/${portrait}"`, () => `src="data:image/jpeg;base64,${bytes}"`)
}

/** Everything that the application's start loads, in the language of the page. */
function applicationFiles(locale: Locale): StartFiles {
  const texts = FIRST_ROUTE_TEXTS.flatMap(
    (name) =>
      [locale, FALLBACK_LOCALE]
        .map((each) => `texts:${each}/${name}`)
        .find((source) => source in manifest) ?? [],
  )
  const pieces = entry.dynamicImports!.filter((source) => source !== RUNTIME)
  const scripts = closureOf(['index.html', ...pieces, ...texts])
  const runtimeScripts = closureOf([RUNTIME]).difference(scripts)
  return {
    entry: entry.file,
    scripts: [...scripts],
    runtime_scripts: [...runtimeScripts],
    styles: [stylesheet],
  }
}

/** The files of some sources and of everything that they import. */
function closureOf(sources: readonly string[]): Set<string> {
  const files = new Set<string>()
  const add = (source: string) => {
    const chunk = manifest[source]!
    if (files.has(chunk.file)) return
    files.add(chunk.file)
    chunk.imports?.forEach(add)
  }
  sources.forEach(add)
  return files
}

/** The links of a page without a prerendered screen: it loads the application at once. */
function appLinks(): string {
  const { scripts, runtime_scripts, styles } = applicationFiles(FALLBACK_LOCALE)
  return [
    ...styles.map((href) => `<link rel="stylesheet" crossorigin href="/${href}">`),
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="/${href}">`),
    ...runtime_scripts.map(
      (href) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${href}">`,
    ),
  ].join('\n    ')
}

function file(ending: string): string {
  const found = Object.entries(manifest).find(([source]) => source.endsWith(ending))
  if (!found) throw new Error(`The build has no ${ending}`)
  return found[1].file
}

/** Writes compressed forms beside every text file: the server sends the one that the browser accepts. */
function pack(): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(html|js|css|svg)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}
