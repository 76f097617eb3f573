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
import type { prerenderLanding } from './src/app/prerendered.tsx'

const root = import.meta.dirname
const dist = join(root, 'dist')
const made = join(root, '../../.cache/web-prerender')

interface Prerendered {
  prerenderLanding: typeof prerenderLanding
}

const landing = await renderer()
const template = readFileSync(join(dist, 'index.html'), 'utf8')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Manifest
rmSync(join(dist, '.vite'), { recursive: true })

const stylesheet = manifest['index.html']!.css![0]!
const css = readFileSync(join(dist, stylesheet), 'utf8')

/** The application's script, which is the first in the page, and the chunks that are preloaded with it. */
const MODULE_LINK =
  /\s*<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+)"[^>]*>(?:<\/script>)?/g

writeFileSync(join(dist, 'app.html'), template.replace('<!--head-->', ''))
for (const locale of localeNames) {
  const page = await pageOf(locale)
  mkdirSync(join(dist, locale), { recursive: true })
  writeFileSync(join(dist, locale, 'index.html'), page)
  if (locale === FALLBACK_LOCALE) writeFileSync(join(dist, 'index.html'), page)
}
pack()

/** The landing page for Node: the same sources, and the same addresses of pictures, as the build for browsers. */
async function renderer(): Promise<Prerendered> {
  await build({
    root,
    logLevel: 'warn',
    ssr: { noExternal: true },
    build: {
      ssr: 'src/app/prerendered.tsx',
      outDir: made,
      emptyOutDir: true,
      manifest: false,
      rolldownOptions: { output: { entryFileNames: 'prerendered.mjs' } },
    },
  })
  return import(pathToFileURL(join(made, 'prerendered.mjs')).href) as Promise<Prerendered>
}

async function pageOf(locale: Locale): Promise<string> {
  const { html, title, description } = await landing.prerenderLanding(locale)
  const link = new RegExp(`\\s*<link rel="stylesheet"[^>]*${stylesheet}[^>]*>`)
  const modules = [...template.matchAll(MODULE_LINK)].map(([, src]) => src!)
  const head = [
    `<meta name="description" content="${escaped(description)}">`,
    ...preloads(locale),
    ...localeNames.map((each) => `<link rel="alternate" hreflang="${each}" href="/${each}/">`),
    `<style>${criticalCss(css, html)}</style>`,
  ].join('\n    ')
  return (
    template
      .replace('<html lang="en" dir="ltr"', `<html lang="${locale}" dir="${directionOf(locale)}"`)
      .replace('<title>Duet</title>', `<title>${escaped(title)}</title>`)
      .replace('<!--head-->', () => head)
      // The whole stylesheet is loaded beside the application: the first paint has its own rules inline.
      .replace(link, '')
      .replaceAll(MODULE_LINK, '')
      .replace(
        '<div id="root"></div>',
        () => `<div id="root"><div data-prerendered>${html}</div></div>`,
      )
      .replace(
        '</body>',
        `<link rel="stylesheet" href="/${stylesheet}">\n    <script>${afterPaint(modules)}</script>\n  </body>`,
      )
  )
}

/**
 * The script that loads the application: after everything of the first paint is loaded, at a press, or at once for a user who is
 * logged in and so sees no landing page. A page that is opened in the background, or whose pictures do not load, waits no
 * longer than three seconds.
 */
function afterPaint([application, ...pieces]: string[]): string {
  return `;(function () {
      var begun
      function begin() {
        if (begun) return
        begun = true
        for (const href of ${JSON.stringify(pieces)}) {
          document.head.appendChild(Object.assign(document.createElement('link'), { rel: 'modulepreload', href, crossOrigin: '' }))
        }
        import(${JSON.stringify(application)})
      }
      if ('member' in document.documentElement.dataset) return begin()
      addEventListener('load', function () { requestAnimationFrame(function () { setTimeout(begin) }) })
      addEventListener('pointerdown', begin)
      addEventListener('keydown', begin)
      setTimeout(begin, 3000)
    })()`
}

/** Preloads of the first screen: the fonts of the language's script and the two pictures. */
function preloads(locale: Locale): string[] {
  const font = (name: string) =>
    `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${file(`fonts/${name}.woff2`)}">`
  const faces: Partial<Record<Locale, string[]>> = {
    ru: ['onest-cyrillic', 'literata-display-cyrillic'],
    ar: ['vazirmatn-arabic'],
    zh: ['onest-latin'],
    ja: ['onest-latin'],
    ko: ['onest-latin'],
  }
  return [
    ...(
      faces[locale] ?? ['onest-latin', 'literata-display-latin', 'literata-display-latin-italic']
    ).map(font),
    `<link rel="preload" as="image" type="image/avif" fetchpriority="high" href="/${file('assets/sofia.avif')}">`,
    `<link rel="preload" as="image" type="image/avif" href="/${file('assets/alex.avif')}">`,
  ]
}

function file(ending: string): string {
  const entry = Object.entries(manifest).find(([source]) => source.endsWith(ending))
  if (!entry) throw new Error(`The build has no ${ending}`)
  return entry[1].file
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
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
