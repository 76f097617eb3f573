import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { App } from '../../core/app.ts'
import { getFailure } from '../dispatch/dispatcher.ts'
import type { TransportContext } from '../realtime/transport-context.ts'
import { mountEndpoints, type RouteConfig, sendFailure } from './endpoints.ts'
import { getClientAddress } from './client-address.ts'
import { createLandingFiller } from './landing-variant.ts'
import { isOfficeNetwork } from './office-origin.ts'
import { hashInlineScripts, mountPages } from './pages.ts'
import { permitProviders } from './permitted-providers.ts'
import { mountReference } from './reference.ts'
import { securityHeaders } from './security-headers.ts'

const MULTIPART_FIELDS_MAX = 20
const MULTIPART_FILES_MAX = 4
const FIELD_BYTES_MAX = 64 * 1024
const FIELD_NAME_BYTES_MAX = 100
const HEADER_BYTES_MAX = 16 * 1024
const PARAMETER_CHARACTERS_MAX = 200
const KEEP_ALIVE_MS = 65_000
const CONNECTIONS_CHECK_MS = 2000
const REQUESTS_PER_CONNECTION_MAX = 10_000

/** Creates the HTTP server: headers, limits, endpoints, pages. It does not listen yet. */
export async function createHttpServer(
  transport: TransportContext,
  webFolder: string,
): Promise<FastifyInstance> {
  const { app } = transport
  const fastify = createFastify(app)
  await fastify.register(helmet, securityHeaders(app.config, hashInlineScripts(webFolder)))
  await registerBodyParsers(fastify)
  addHooks(fastify, transport)
  mountEndpoints(fastify, transport)
  if (app.config.api_docs) mountReference(fastify)
  await mountPages(fastify, webFolder, {
    is_rebuilt: !app.config.production,
    fillLanding: createLandingFiller(app),
    office_origin: app.config.office_origin,
    mayReachOffice: ({ raw }) => isOfficeNetwork(app.config, getClientAddress(app, raw)),
  })
  return fastify
}

function createFastify(app: App): FastifyInstance {
  return Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: limits.http_body_bytes,
    // Of uploads; other bodies have less time (`boundBodyTime`).
    requestTimeout: limits.http_upload_seconds * 1000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxRequestsPerSocket: REQUESTS_PER_CONNECTION_MAX,
    http: {
      headersTimeout: limits.http_headers_seconds * 1000,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MS,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // A path that cannot even be routed is refused like any unknown one.
    frameworkErrors: (_error, _request, reply) => {
      sendFailure(reply as never, getFailure('unknown_call'))
    },
    rewriteUrl: (request) => oneSpelling(request.url ?? '/'),
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: PARAMETER_CHARACTERS_MAX,
    },
  }) as unknown as FastifyInstance
}

async function registerBodyParsers(fastify: FastifyInstance): Promise<void> {
  // Bodies are read by their contract, not by their content type: what a provider signed must arrive as it was sent.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  await fastify.register(multipart, {
    limits: {
      fileSize: limits.video_bytes,
      files: MULTIPART_FILES_MAX,
      fields: MULTIPART_FIELDS_MAX,
      parts: MULTIPART_FIELDS_MAX + MULTIPART_FILES_MAX,
      fieldSize: FIELD_BYTES_MAX,
      fieldNameSize: FIELD_NAME_BYTES_MAX,
    },
  })
}

/**
 * Closes the connection of a body that does not arrive in time, or of an upload that arrives slower than any network, or so
 * much slower than it began that it would keep its memory for the whole time of an upload.
 */
export function boundBodyTime({
  raw,
  routeOptions,
}: Pick<FastifyRequest, 'raw' | 'routeOptions'>): void {
  if (raw.method === 'GET' || raw.method === 'HEAD') return
  const { is_upload = false } = routeOptions.config as RouteConfig
  const windowMs = limits.http_body_seconds * 1000
  const atStart = raw.socket.bytesRead
  let arrived = atStart
  const timer = setInterval(() => {
    const before = arrived
    arrived = raw.socket.bytesRead
    // An upload that arrives evenly within its time is never below the second bound.
    const leastBytes = Math.max(
      limits.http_upload_bytes_a_second * limits.http_body_seconds,
      (before - atStart) * (limits.http_body_seconds / limits.http_upload_seconds),
    )
    const isMoving = arrived - before >= leastBytes
    if (!is_upload || !isMoving) raw.destroy()
  }, windowMs)
  timer.unref()
  for (const event of ['end', 'close']) raw.once(event, () => clearInterval(timer))
}

function addHooks(fastify: FastifyInstance, transport: TransportContext): void {
  const { app } = transport
  fastify.addHook('onRequest', async (request) => boundBodyTime(request))
  fastify.addHook('onSend', async (request, reply) => {
    // The next request on this connection would find it closed, so the client is asked to close it first.
    if (transport.isDraining() && !fastify.server.listening) reply.header('Connection', 'close')
    reply
      .header('Request-Id', request.id)
      .header(
        'Permissions-Policy',
        'camera=(self), microphone=(self), geolocation=(), payment=(self)',
      )
    const { fingerprint_pro: pro } = app.config
    permitProviders(reply, request.url.split('?')[0]!, {
      captcha_sources: app.config.captcha.sources,
      fingerprint_sources: pro?.key === undefined ? undefined : pro.sources,
      has_statistics: app.config.analytics.length > 0,
      frame_origin: app.kyc?.frame_origin,
    })
  })
  fastify.addHook('onResponse', async (request, reply) => {
    const { id: request_id, method, routeOptions } = request
    // The pattern of the route: links of mails have their key in the path.
    const path = routeOptions.url
    const durationMs = Math.round(reply.elapsedTime)
    app.log.debug(
      { request_id, method, path, status: reply.statusCode, took_ms: durationMs },
      'responded',
    )
  })
  fastify.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode === 413) return sendFailure(reply, getFailure('too_large'))
    if (error.statusCode === 415) return sendFailure(reply, getFailure('wrong_type'))
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendFailure(reply, getFailure('invalid'))
    const id = randomUUID()
    app.log.error(
      { error_id: id, request_id: request.id, err: error },
      'a request failed outside its handler',
    )
    return sendFailure(reply, getFailure('internal', { id }))
  })
}

/**
 * Accepts one spelling of a path. `/api//user/settings` is what clients make of the printed `/user/settings`; every
 * other variant (case, dots, encoded letters, doubled slashes) is unknown, so that no rule of a proxy in front can be
 * by-passed.
 */
export function oneSpelling(url: string): string {
  const [path = '/', ...query] = url.split('?')
  if (!/^\/*(a|%61|%41)(p|%70|%50)(i|%69|%49)(\/|\\|%2f|%5c|$)/i.test(path)) return url
  if (/^\/api\/docs\/[a-z-]+\.(js|css|json)$/.test(path)) return url
  const rest = path.startsWith('/api//') ? `/api/${path.slice('/api//'.length)}` : path
  if (!/^\/api\/[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(rest)) return '/api/.unknown'
  return [rest, ...query].join('?')
}
