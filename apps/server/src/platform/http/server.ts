import { randomUUID } from 'node:crypto'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { failureOf } from '../dispatch/dispatcher.ts'
import type { TransportContext } from '../realtime/transport-context.ts'
import { mountEndpoints, sendFailure } from './endpoints.ts'
import { mountPages, pagesIn } from './pages.ts'
import { mountReference } from './reference.ts'
import { securityHeaders } from './security-headers.ts'

const parts_max = 20
const keep_alive_ms = 65_000
const requests_a_connection_max = 10_000

/** The HTTP side: headers, limits, endpoints, pages. It listens when it is told to. */
export async function createHttpServer(
  edge: TransportContext,
  web_folder: string,
): Promise<FastifyInstance> {
  const { app } = edge
  const fastify = Fastify({
    loggerInstance: app.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    bodyLimit: limits.http_body_bytes,
    requestTimeout: limits.http_body_seconds * 1000,
    keepAliveTimeout: keep_alive_ms,
    maxRequestsPerSocket: requests_a_connection_max,
    http: {
      headersTimeout: limits.http_headers_seconds * 1000,
      maxHeaderSize: 16 * 1024,
      connectionsCheckingInterval: 2000,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    // An address that cannot even be routed is one that nobody has.
    frameworkErrors: (_error, _request, reply) => {
      sendFailure(reply as never, failureOf('unknown_call'))
    },
    rewriteUrl: (request) => oneSpelling(request.url ?? '/'),
    routerOptions: {
      caseSensitive: true,
      ignoreTrailingSlash: false,
      ignoreDuplicateSlashes: false,
      maxParamLength: 200,
    },
  }) as unknown as FastifyInstance
  const pages = pagesIn(web_folder)
  await fastify.register(helmet, securityHeaders(app.config, pages.inline_scripts))
  // Bodies are read by their contract, not by their content type: what a provider signed must arrive as it was sent.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  await fastify.register(multipart, {
    limits: {
      fileSize: limits.video_bytes,
      files: 4,
      fields: parts_max,
      parts: parts_max + 4,
      fieldSize: 64 * 1024,
      fieldNameSize: 100,
    },
  })
  fastify.addHook('onSend', async (request, reply) => {
    reply
      .header('Request-Id', request.id)
      .header(
        'Permissions-Policy',
        'camera=(self), microphone=(self), geolocation=(), payment=(self)',
      )
  })
  fastify.addHook('onResponse', async (request, reply) => {
    const { id: request_id, method, url } = request
    app.log.debug(
      {
        request_id,
        method,
        path: url.split('?')[0],
        status: reply.statusCode,
        took_ms: Math.round(reply.elapsedTime),
      },
      'answered',
    )
  })
  fastify.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    if (error.statusCode === 413) return sendFailure(reply, failureOf('too_large'))
    if (error.statusCode === 415) return sendFailure(reply, failureOf('wrong_type'))
    if (error.statusCode !== undefined && error.statusCode < 500)
      return sendFailure(reply, failureOf('invalid'))
    const id = randomUUID()
    app.log.error(
      { error_id: id, request_id: request.id, err: error },
      'a request failed outside its handler',
    )
    return sendFailure(reply, failureOf('internal', { id }))
  })
  mountEndpoints(fastify, edge)
  mountReference(fastify)
  mountPages(fastify, pages, app.config.production)
  return fastify
}

/**
 * A call has one spelling. `/api//user/settings` is what clients make of the printed `/user/settings`; every other
 * variant (case, dots, encoded letters, doubled slashes) leads nowhere, so no rule in front of us can be talked around.
 */
export function oneSpelling(url: string): string {
  const [path = '/', ...query] = url.split('?')
  if (!/^\/*(a|%61|%41)(p|%70|%50)(i|%69|%49)(\/|\\|%2f|%5c|$)/i.test(path)) return url
  if (/^\/api\/docs\/[a-z-]+\.(js|css|json)$/.test(path)) return url
  const rest = path.startsWith('/api//') ? `/api/${path.slice('/api//'.length)}` : path
  if (!/^\/api\/[A-Za-z0-9_-]+(\/[A-Za-z0-9_-]+)*$/.test(rest)) return '/api/.unknown'
  return [rest, ...query].join('?')
}
