import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, sep } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { FALLBACK_LOCALE, isLocale } from '@duet/protocol/kernel/locales.ts'
import { getFailure } from '../dispatch/dispatcher.ts'
import { sendFailure } from './endpoints.ts'
import type { FilledPage, FillLanding } from './landing-variant.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.mp3': 'audio/mpeg',
  '.ogg': 'audio/ogg',
  '.webm': 'video/webm',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
}
const REFRESH_MS = 1000
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** The files of the built web app, as listed when the server started. */
export interface Pages {
  readonly folder: string
  /** Paths below the folder, with slashes. */
  readonly files: ReadonlySet<string>
  /** Hashes of the inline scripts of our own pages, for the content security policy. */
  readonly inline_scripts: readonly string[]
}

/** Lists the files that can be served, so that no path of a request ever reaches the disk. */
export function pagesIn(folder: string): Pages {
  const files = filesIn(folder)
  const hashes = new Set<string>()
  for (const file of files) {
    if (!file.endsWith('.html')) continue
    for (const hash of inlineScriptHashes(readFileSync(join(folder, file), 'utf8')))
      hashes.add(hash)
  }
  return { folder, files, inline_scripts: [...hashes] }
}

function filesIn(folder: string): ReadonlySet<string> {
  const files = new Set<string>()
  if (!existsSync(folder)) return files
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !entry.name.startsWith('.'))
      files.add(relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  }
  return files
}

function* inlineScriptHashes(html: string): Generator<string> {
  for (const [, attributes = '', script = ''] of html.matchAll(
    /<script([^>]*)>([\s\S]*?)<\/script>/g,
  )) {
    if (!/\bsrc=/.test(attributes) && script !== '')
      yield createHash('sha256').update(script).digest('base64')
  }
}

/**
 * The same pages, listed again when a folder of them has changed, which is looked up at most once a second: outside production
 * the web app is rebuilt while the server runs, and no request may cost a walk through all files. The hashes of the start
 * stay, as the headers do.
 */
export function refreshedPages(pages: Pages, nowMs = () => performance.now()): () => Pages {
  let current = pages
  let lookedMs = nowMs()
  let listed: string | undefined
  return () => {
    if (nowMs() - lookedMs < REFRESH_MS) return current
    lookedMs = nowMs()
    const changes = changesIn(current)
    if (changes === listed) return current
    // Read before the list: what changes in between is listed the next time.
    listed = changes
    current = { ...pages, files: filesIn(pages.folder) }
    return current
  }
}

/** When a name was last added to or removed from each folder of the pages. */
function changesIn({ folder, files }: Pages): string {
  const below = new Set([...files].map((file) => dirname(file)))
  return [...below.add('.')]
    .map((each) => statSync(join(folder, each), { throwIfNoEntry: false })?.mtimeMs)
    .join()
}

/** Serves the web app: files by their names, every other path as the page of its language. */
export function mountPages(
  fastify: FastifyInstance,
  pages: () => Pages,
  fillLanding: FillLanding = async () => undefined,
): void {
  fastify.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0]!
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path.startsWith('/api/') || path === '/api' || !isRead)
      return sendFailure(reply, getFailure('unknown_call'))
    const current = pages()
    const file = path.slice(1)
    if (current.files.has(file) && !file.endsWith('.html'))
      return sendFile(current, file, request, reply)
    if (extname(file) !== '' && !file.endsWith('.html'))
      return sendFailure(reply, getFailure('not_found'))
    const page = pageFor(current.files, path, request.headers['accept-language'])
    if (page === undefined)
      return path.startsWith('/office')
        ? sendFailure(reply, getFailure('not_found'))
        : notBuilt(reply)
    const filled = await fillLanding(current, page)
    return filled ? sendFilled(filled, request, reply) : sendFile(current, page, request, reply)
  })
}

/**
 * The landing page is prerendered for each language (`ar/index.html`); `/` shows it in the browser's language.
 * Every other path is the app itself: `app.html` where the build makes one, else `index.html`.
 */
export function pageFor(
  files: ReadonlySet<string>,
  path: string,
  accepts: string | undefined,
): string | undefined {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const isOffice = first === 'office'
  if (isOffice) return files.has('office/index.html') ? 'office/index.html' : undefined
  const isLanding = first === '' || (isLocale(first) && rest.length === 0)
  const locale = isLocale(first) ? first : preferred(accepts)
  const candidates = isLanding
    ? [`${locale}/index.html`, 'index.html']
    : ['app.html', `${locale}/app.html`, 'index.html']
  return candidates.find((file) => files.has(file))
}

/** The first language of Accept-Language that the product has. */
export function preferred(accepts: string | undefined): string {
  const accepted = (accepts ?? '')
    .split(',')
    .slice(0, 20)
    .map((one) => {
      const [tag = '', ...parameters] = one.trim().split(';')
      const quality = Number(
        parameters.find((parameter) => parameter.trim().startsWith('q='))?.split('=')[1] ?? 1,
      )
      return {
        locale: tag.toLowerCase().split('-')[0]!,
        quality: Number.isFinite(quality) ? quality : 0,
      }
    })
    .sort((one, other) => other.quality - one.quality)
  return (
    accepted.find(({ locale, quality }) => quality > 0 && isLocale(locale))?.locale ??
    FALLBACK_LOCALE
  )
}

function sendFile(
  pages: Pages,
  file: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const packed = ENCODINGS.find(
    ([name, ending]) => accepted.includes(name) && pages.files.has(file + ending),
  )
  const path = join(pages.folder, packed ? file + packed[1] : file)
  const { size, mtimeMs } = statSync(path)
  const tag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}"`
  // The build puts a hash of the content into the names below assets/.
  reply
    .header(
      'Cache-Control',
      file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    )
    .header('ETag', tag)
  if (packed) reply.header('Content-Encoding', packed[0])
  reply.header(
    'Vary',
    file.endsWith('.html') ? 'Accept-Encoding, Accept-Language' : 'Accept-Encoding',
  )
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  reply
    .type(CONTENT_TYPES[extname(file)] ?? 'application/octet-stream')
    .header('Content-Length', size)
  return reply.send(request.method === 'HEAD' ? '' : createReadStream(path))
}

async function sendFilled(
  { text, tag, packed }: FilledPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = ENCODINGS.find(([name]) => accepted.includes(name))?.[0]
  reply
    .header('Cache-Control', 'no-cache')
    .header('ETag', tag)
    .header('Vary', 'Accept-Encoding, Accept-Language')
  if (encoding) reply.header('Content-Encoding', encoding)
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  return reply.type(CONTENT_TYPES['.html']!).send(encoding ? await packed(encoding) : text)
}

function notBuilt(reply: FastifyReply): FastifyReply {
  return reply
    .status(503)
    .type('text/plain; charset=utf-8')
    .send('The web app is not built: npm start builds it.\n')
}
