import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { App } from '../../core/app.ts'
import { createPort } from '../../core/port.ts'

/** The files of the built web app. */
export interface Pages {
  readonly folder: string
  /** Paths below the folder, with slashes. */
  readonly files: Pick<ReadonlySet<string>, 'has'>
}

/** Another form of the landing page, in which the server writes what only the installation knows. */
interface LandingVariant {
  /** The build writes the form into `en/<name>.html`, beside `en/index.html`. */
  readonly name: string
  /** The texts of the places in the page, such as `{{guy 0 nick}}`. */
  readonly values: Readonly<Record<string, string>>
}

/** Undefined: the installation shows the landing page as it was built. */
export const landingVariant = createPort<(app: App) => Promise<LandingVariant | undefined>>(
  'the variant of the landing page',
  async () => undefined,
)

export type Encoding = 'br' | 'gzip'

/** A landing page with its values. */
export interface FilledPage {
  readonly text: string
  readonly tag: string
  /** The page as the encoding writes it; each encoding is computed once. */
  packed(encoding: Encoding): Promise<Buffer>
}

export type FillLanding = (pages: Pages, file: string) => Promise<FilledPage | undefined>

/** A visitor waits for the values at most once in this time. */
const FRESH_MS = 60_000
const INDEX = 'index.html'
const PLACE = /\{\{([a-z0-9 ]+)\}\}/g
const BROTLI_QUALITY = 9

const compress = {
  br: (text: string) =>
    promisify(brotliCompress)(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
    }),
  gzip: (text: string) => promisify(gzip)(text),
}

/** Fills the landing page of each language where the installation has a variant. The result is kept for a minute. */
export function createLandingFiller(app: App): FillLanding {
  const kept = new Map<string, { page: FilledPage; until_ms: number }>()
  return async ({ folder, files }, file) => {
    if (!file.endsWith(INDEX)) return undefined
    const known = kept.get(file)
    if (known && performance.now() < known.until_ms) return known.page
    const variant = await landingVariant.get(app)(app)
    const source = variant && file.replace(INDEX, `${variant.name}.html`)
    if (!variant || !source || !files.has(source)) return undefined
    const text = fill(await readFile(join(folder, source), 'utf8'), variant.values)
    const page = known?.page.text === text ? known.page : toPage(text)
    kept.set(file, { page, until_ms: performance.now() + FRESH_MS })
    return page
  }
}

/** A place without a value stays as it is. */
function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACE, (place, name: string) => escapeHtml(values[name] ?? place))
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

function toPage(text: string): FilledPage {
  const packed = new Map<Encoding, Promise<Buffer>>()
  return {
    text,
    tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`,
    packed(encoding) {
      const made = packed.get(encoding) ?? compress[encoding](text)
      packed.set(encoding, made)
      return made
    },
  }
}
