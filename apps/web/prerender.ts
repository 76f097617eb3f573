/** After `vite build`: writes the landing page of every language, whose first paint needs no script, and compresses every served file. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build, type Manifest } from 'vite'
import {
  getDirection,
  FALLBACK_LOCALE,
  localeNames,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import { pageFonts } from './build/page-fonts.ts'
import { escaped, loadFailureTemplate } from './build/load-failure.ts'
import { appScript, landingScript, type StartFiles } from './build/start-script.ts'
import { FIRST_SCRIPTS, LATER_SCRIPTS } from './build/script-files.ts'
import type {
  CAST_PLACES,
  prerenderLanding,
  translatedLocales,
} from './src/app/start/prerendered.tsx'

const STYLE_LINK = /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/

const LATIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const root = import.meta.dirname
const dist = join(root, 'dist')
const made = join(root, '../../.cache/web-prerender')

interface Prerendered {
  prerenderLanding: typeof prerenderLanding
  translatedLocales: typeof translatedLocales
  CAST_PLACES: typeof CAST_PLACES
}

const landing = await renderer()
const template = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
rmSync(join(dist, '.vite'), { recursive: true })

const stylesheet = STYLE_LINK.exec(template)![1]!
const css = readFileSync(join(dist, stylesheet), 'utf8')
if (/<\/|<!--/.test(css)) throw new Error('The stylesheet has text that would end its element')
const portrait = file('assets/sofia.jpg')
const entry = manifest['index.html']!

/** The entry's script, which is the first in the page, and the chunks that are preloaded with it. */
const MODULE_LINK =
  /\s*<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:<\/script>)?/g

for (const locale of localeNames) {
  const page = await readPage(locale)
  mkdirSync(join(dist, locale), { recursive: true })
  writeFileSync(join(dist, locale, 'demo.html'), await readPage(locale, landing.CAST_PLACES))
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

/** `cast`: the page of a demo, with places for its users. Their names are written in Latin letters. */
async function readPage(locale: Locale, cast?: typeof CAST_PLACES): Promise<string> {
  const { html, title, description, failure } = await landing.prerenderLanding(locale, cast)
  const fonts = await pageFonts({
    css,
    html: cast ? html + LATIN : html,
    read: (address) => readFileSync(join(dist, address)),
  })
  const head = [
    `<meta name="description" content="${escaped(description)}">`,
    ...landing
      .translatedLocales()
      .map((each) => `<link rel="alternate" hreflang="${each}" href="/${each}/">`),
    fonts,
    ...(cast ? ['<template id="demo-cast">{{cast}}</template>'] : []),
  ].join('\n    ')
  return (
    template
      .replace('<html lang="en" dir="ltr"', `<html lang="${locale}" dir="${getDirection(locale)}"`)
      .replace('<title>Duet</title>', `<title>${escaped(title)}</title>`)
      .replace('<!--head-->', () => head)
      // The page contains its styles, so that the first paint needs no second request.
      .replace(STYLE_LINK, () => `<style>${css}</style>`)
      .replaceAll(MODULE_LINK, '')
      .replace(
        '<div id="root"></div>',
        () => `<div id="root" data-prerendered>${withPortrait(html)}</div>`,
      )
      .replace('<!--load-failure-->', () => loadFailureTemplate(locale, failure))
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
 * The page contains the larger portrait, so that the largest paint needs no second request. A JPEG is decoded several
 * times faster than an AVIF of the same size. React would preload the separate file.
 */
function withPortrait(html: string): string {
  const bytes = readFileSync(join(dist, portrait)).toString('base64')
  return html
    .replace(/<link rel="preload" as="image"[^>]*>/g, '')
    .replaceAll(`src="/${portrait}"`, () => `src="data:image/jpeg;base64,${bytes}"`)
}

/** Everything that the application's start loads, in the language of the page. */
function applicationFiles(locale: Locale): StartFiles {
  const texts = `texts-${landing.translatedLocales().includes(locale) ? locale : FALLBACK_LOCALE}`
  const scripts = scriptClosure(['index.html', ...chunks([...FIRST_SCRIPTS, texts])])
  const later = scriptClosure(chunks(LATER_SCRIPTS)).difference(scripts)
  return { entry: entry.file, scripts: [...scripts], later_scripts: [...later] }
}

/** The keys of the named chunks in the manifest. */
function chunks(names: readonly string[]): string[] {
  return names.map((name) => Object.keys(manifest).find((key) => manifest[key]!.name === name)!)
}

/** The files of some sources and of everything that they import. */
function scriptClosure(sources: readonly string[]): Set<string> {
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
  const { scripts, later_scripts } = applicationFiles(FALLBACK_LOCALE)
  return [
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="/${href}">`),
    ...later_scripts.map(
      (href) => `<link rel="modulepreload" crossorigin fetchpriority="low" href="/${href}">`,
    ),
  ].join('\n    ')
}

function file(ending: string): string {
  const found = Object.entries(manifest).find(([source]) => source.endsWith(ending))
  if (!found) throw new Error(`The build has no ${ending}`)
  return found[1].file
}

/** Writes compressed forms beside every text file. The server sends the form that the browser accepts. */
function pack(): void {
  for (const entry of readdirSync(dist, { recursive: true, withFileTypes: true })) {
    // The server writes values into the page of a demo, and compresses it then.
    if (!entry.isFile() || !/(?<!^demo)\.(html|js|css|svg)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const bytes = readFileSync(path)
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }))
  }
}
