import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { FALLBACK_LOCALE, isLocale } from '@duet/protocol/kernel/locales.ts'
import { getFailure } from '../dispatch/dispatcher.ts'
import { sendFailure } from './endpoints.ts'
import { hostPurpose } from './office-origin.ts'
import type { FilledPage, FillLanding, Pages } from './landing-variant.ts'

const OFFICE = /^\/office(?:\/|$)/

/** Hashes of the inline scripts of our own pages, for the content security policy. */
export function hashInlineScripts(folder: string): readonly string[] {
  const hashes = globSync('**/*.html', { cwd: folder }).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)
      .map(([, script = '']) => createHash('sha256').update(script).digest('base64'))
      .toArray(),
  )
  return [...new Set(hashes)]
}

interface MountedPages {
  readonly is_rebuilt: boolean
  readonly fillLanding?: FillLanding
  readonly office_origin?: string | undefined
  /** Whether the sender of the request may reach the office; without it, every sender. */
  readonly mayReachOffice?: (request: FastifyRequest) => boolean
}

/**
 * Serves the web app: files by their names, every other path as the page of its language; and the back office below `/office/`,
 * from the folder beside it. Where the office has an origin of its own, its host has no other page, and the others have not the office.
 * Only files that were there at the
 * start are served, so that no path of a request reaches the disk; a web app that `is_rebuilt` while the server runs has later files.
 */
export async function mountPages(
  fastify: FastifyInstance,
  folder: string,
  { is_rebuilt, fillLanding, office_origin, mayReachOffice = () => true }: MountedPages,
): Promise<void> {
  const office = join(folder, '../../office/dist')
  const hashedNames = [folder, office].map((root) => join(root, 'assets/'))
  await fastify.register(staticFiles, {
    root: folder,
    serve: false,
    dotfiles: 'ignore',
    preCompressed: true,
    cacheControl: false,
    suppressWarning: true,
    // The build puts a hash of the content into the names below assets/.
    setHeaders: (reply, path) =>
      void reply.header(
        'Cache-Control',
        hashedNames.some((place) => path.startsWith(place))
          ? 'public, max-age=31536000, immutable'
          : 'no-cache',
      ),
  })
  const files = listServed(folder, is_rebuilt)
  const officeFiles = listServed(office, is_rebuilt)
  const isShown = (request: FastifyRequest) =>
    hostPurpose({ office_origin }, request) !== 'users' && mayReachOffice(request)
  fastify.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0]!
    if (!isPageRequest(request.method, path)) return sendFailure(reply, getFailure('unknown_call'))
    const isPage = ['', '.html'].includes(extname(path))
    const purpose = hostPurpose({ office_origin }, request)
    if (OFFICE.test(path)) {
      if (!isShown(request)) return sendFailure(reply, getFailure('not_found'))
      const file = isPage ? 'index.html' : path.slice('/office/'.length)
      if (!officeFiles.has(file)) return sendFailure(reply, getFailure('not_found'))
      return reply.sendFile(file, office)
    }
    if (purpose === 'office')
      return isPage ? reply.redirect('/office/') : sendFailure(reply, getFailure('not_found'))
    const file = isPage ? pageFor(files, path, request.headers['accept-language']) : path.slice(1)
    if (file !== undefined && files.has(file)) {
      if (!isPage) return reply.sendFile(file)
      const filled = await fillLanding?.({ folder, files }, file)
      reply.header('Vary', 'Accept-Language')
      return filled ? sendFilled(filled, request, reply) : reply.sendFile(file)
    }
    if (!isPage) return sendFailure(reply, getFailure('not_found'))
    return reply.status(503).send('The web app is not built: npm start builds it.\n')
  })
}

function isPageRequest(method: string, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && path !== '/api' && !path.startsWith('/api/')
}

/** The files of a folder; with `isRebuilt` also those that are there later. */
function listServed(folder: string, isRebuilt: boolean): Pages['files'] {
  const listed = new Set(globSync('**/*', { cwd: folder }))
  const isLater = (file: string) => !file.includes('..') && existsSync(join(folder, file))
  return { has: (file) => listed.has(file) || (isRebuilt && isLater(file)) }
}

/**
 * The landing page is prerendered for each language (`ar/index.html`); `/` shows it in the browser's language.
 * Every other path is the app itself: `app.html` where the build makes one, else `index.html`.
 */
export function pageFor(
  files: Pages['files'],
  path: string,
  accepts: string | undefined,
): string | undefined {
  const [first = '', ...rest] = path.split('/').filter(Boolean)
  const isLanding = first === '' || (isLocale(first) && rest.length === 0)
  const locale = isLocale(first) ? first : preferred(accepts)
  const candidates = isLanding
    ? [`${locale}/index.html`, 'index.html']
    : ['app.html', `${locale}/app.html`, 'index.html']
  return candidates.find((file) => files.has(file))
}

/** More than browsers send. Each entry of the header costs the parser time. */
const ACCEPTS_CHARACTERS_MAX = 200

/** The first language of Accept-Language that the product has. */
export function preferred(accepts: string | undefined): string {
  const header = accepts?.slice(0, ACCEPTS_CHARACTERS_MAX)
  const languages = new Negotiator({ headers: { 'accept-language': header } }).languages()
  return languages.map((tag) => tag.split('-')[0]!.toLowerCase()).find(isLocale) ?? FALLBACK_LOCALE
}

async function sendFilled(
  { text, tag, packed }: FilledPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const accepted = new Negotiator(request).encodings()
  const encoding = (['br', 'gzip'] as const).find((each) => accepted.includes(each))
  reply
    .header('Cache-Control', 'no-cache')
    .header('ETag', tag)
    .header('Vary', 'Accept-Language, accept-encoding')
  if (encoding) reply.header('Content-Encoding', encoding)
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  return reply.type('text/html; charset=utf-8').send(encoding ? await packed(encoding) : text)
}
