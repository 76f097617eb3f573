import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RequestContext } from '../../core/request-context.ts'
import { refuse } from '../../lib/refusal.ts'
import type { RateLimit, RateLimiter } from '../../lib/rate-limit.ts'
import {
  identifyClient,
  type ConnectedClient,
  listNetworks,
  toNetwork,
  findSite,
} from './client-address.ts'
import { idempotentHandler } from '../idempotency/idempotent-handler.ts'
import type { MountedContract } from '../dispatch/contract-registry.ts'
import { getFailure, type DispatchFailure } from '../dispatch/dispatcher.ts'
import { isModest } from '../dispatch/json-guard.ts'
import type { TransportContext } from '../realtime/transport-context.ts'
import { sendProjectFailure } from './project-failure.ts'
import { endUnread } from './end-of-answer.ts'
import { readFiles } from './multipart.ts'
import { RawResponse } from '../../core/raw-response.ts'
import { createUploadMemory, type UploadMemory, type UploadPart } from './upload-memory.ts'
import { findReporter, findSender } from './find-sender.ts'
import { findHeader, findOrigin, rawParts } from './request-parts.ts'

const CLIENT_MAJOR = 2
const RATED_NETWORKS_MAX = 100_000
/** Pages send a dozen requests at once; several people may share one address. */
const NETWORK_LIMIT: RateLimit = { burst: 300, per_second: 50 }
/** GETs whose answer without a token is the same for every client: proxies and browsers may cache it. */
const SHARED_ENDPOINTS: ReadonlySet<string> = new Set(['GET getSettings', 'GET gifts', 'GET girls'])
const SHARED_SECONDS = 30
const WRONG_KEY = {
  path: 'Idempotency-Key',
  message: `At most ${limits.idempotency_key_characters} characters`,
}

/** The server knows this about a route before it has read a body. */
export interface RouteConfig {
  /** Files may take minutes to arrive. A client's content type does not decide that. */
  readonly is_upload?: boolean
  /** Errors have the form of an outside service. */
  readonly is_project?: boolean
}

/** Mounts every endpoint of the registry as a route, also those that no module answers yet: they are refused as such. */
export function mountEndpoints(fastify: FastifyInstance, transport: TransportContext): void {
  const limiter = transport.app.createRateLimiter(RATED_NETWORKS_MAX)
  // A network that reports about its calls has as many requests for everything else as before.
  const reportLimiter = transport.app.createRateLimiter(RATED_NETWORKS_MAX)
  const memory = createUploadMemory()
  for (const [name, { contract, handler }] of transport.registry.endpoints) {
    const mounted = {
      contract,
      handler: contract.idempotent && handler ? idempotentHandler(name, handler) : handler,
    }
    fastify.route({
      method: contract.method,
      url: getRoute(contract.path),
      config: {
        is_upload: contract.takes === 'multipart',
        is_project: contract.credential === 'project',
      } satisfies RouteConfig,
      ...(contract.credential === 'project' && { bodyLimit: limits.quality_body_bytes }),
      handler: async (request, reply) => {
        const client = identifyClient(transport.app, request.raw)
        const isReport = contract.credential === 'project'
        const waitMs = await takeRequest(transport, isReport ? reportLimiter : limiter, client)
        if (waitMs > 0)
          return sendFailure(
            reply,
            getFailure('too_many', { retry_after: Math.ceil(waitMs / 1000) }),
          )
        return answer({ transport, memory, client }, name, mounted, request, reply)
      },
    })
  }
}

/** Takes a request of the network, and of its site; returns the milliseconds until a request is free. */
async function takeRequest(
  { app }: TransportContext,
  limiter: RateLimiter,
  { address }: ConnectedClient,
): Promise<number> {
  const nowMs = app.clock.now().epochMilliseconds
  const { burst, per_second } = NETWORK_LIMIT
  for (const { key, factor } of listNetworks(address)) {
    const limit = { burst: burst * factor, per_second: per_second * factor }
    const waitMs = await limiter.take(key, limit, nowMs)
    if (waitMs > 0) return waitMs
  }
  return 0
}

/** `v2/tournament/top/day/{x}` is `/api/v2/tournament/top/day/:x`; other roots are written with their slash. */
export function getRoute(path: string): string {
  const placed = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return placed.startsWith('/') ? placed : `/api/${placed}`
}

interface Arrival {
  readonly transport: TransportContext
  readonly memory: UploadMemory
  readonly client: ConnectedClient
}

async function answer(
  { transport, memory, client }: Arrival,
  name: string,
  { contract, handler }: MountedContract<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { app } = transport
  if (isOutdated(request.headers['client-version']))
    return sendFailure(reply, getFailure('client_old'))
  if (transport.isDraining() && name !== 'GET health' && name !== 'GET ready') {
    return sendFailure(reply, getFailure('draining', { retry_after: 2 }))
  }
  const idempotencyKey = findHeader(request, 'idempotency-key', limits.idempotency_key_characters)
  // Without its key the request would be executed again by each repeat.
  if (contract.idempotent && !idempotencyKey && request.headers['idempotency-key'])
    return sendFailure(reply, getFailure('invalid', { fields: [WRONG_KEY] }))
  const context: Mutable<RequestContext> = {
    request_id: request.id,
    ...client,
    idempotency_key: idempotencyKey,
    is_cross_site: request.headers['sec-fetch-site'] === 'cross-site',
    captcha: findHeader(request, 'captcha', limits.judged_characters),
    origin: findOrigin(request, app.config.origins),
    ...rawParts(contract, request, reply),
  }
  let upload: UploadPart | undefined
  let user = `visitor ${toNetwork(client.address)}`
  const result = await transport.dispatch(
    {
      kind: 'endpoint',
      name,
      contract,
      handler,
      answers: contract.gives === 'raw' ? undefined : contract.data,
      viewer: async () => {
        context.reporter_id = await findReporter(app, contract, request)
        const viewer = await findSender(transport, contract, request, client.address)
        if (viewer && viewer.kind !== 'none') user = `${viewer.kind} ${viewer.id}`
        return viewer
      },
      // An upload is read only after its sender is permitted to make one.
      parse: async () => {
        if (contract.takes === 'multipart') {
          upload = memory.open({
            user,
            network: toNetwork(client.address),
            site: findSite(client.address),
            is_document: contract.upload === 'documents',
          })
        }
        const { body, ...parts } = await readBody(contract, request, upload)
        Object.assign(context, parts)
        return parse(contract, request, body)
      },
    },
    context,
  )
  upload?.release()
  if (!result.ok) return sendFailure(reply, result)
  return sendAnswer(reply, request, name, contract, result.data, app.config.production)
}

function parse(contract: Endpoint, request: FastifyRequest, body: unknown) {
  const query = contract.query.safeParse({
    ...(request.query as object),
    ...(request.params as object),
  })
  const parsedBody = contract.body.safeParse(body ?? {})
  if (query.success && parsedBody.success)
    return { input: { ...(query.data as object), ...(parsedBody.data as object) } }
  return { issues: [...(query.error?.issues ?? []), ...(parsedBody.error?.issues ?? [])] }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
interface RequestBody {
  readonly body?: unknown
  readonly files?: RequestContext['files']
  readonly raw_body?: Buffer
}

async function readBody(
  contract: Endpoint,
  request: FastifyRequest,
  upload: UploadPart | undefined,
): Promise<RequestBody> {
  if (contract.method === 'GET') return {}
  if (contract.takes === 'multipart') {
    return request.isMultipart()
      ? readFiles(request, contract.files ?? [], {
          file_bytes_max: fileBytes(contract),
          onBytes: (bytes) => upload?.add(bytes),
        })
      : refuse('wrong_type')
  }
  const rawBody = request.body as Buffer | undefined
  if (contract.takes === 'raw') return { raw_body: rawBody ?? Buffer.alloc(0) }
  if (rawBody === undefined || rawBody.length === 0) return { body: {} }
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && contract.takes === 'form') {
    return {
      body: Object.fromEntries(new URLSearchParams(rawBody.toString('utf8'))),
      raw_body: rawBody,
    }
  }
  if (type !== (contract.takes === 'text' ? 'text/plain' : 'application/json')) refuse('wrong_type')
  return { body: jsonIn(rawBody), raw_body: rawBody }
}

function fileBytes({ upload }: Endpoint): number {
  return upload === 'pictures and videos' ? limits.video_bytes : limits.image_bytes
}

function jsonIn(raw: Buffer): unknown {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'))
    if (isModest(body)) return body
  } catch {
    // Refused below, like everything else that is not readable.
  }
  return refuse('invalid', { fields: [{ path: '', message: 'Not readable as JSON' }] })
}

export function sendFailure(reply: FastifyReply, refused: DispatchFailure): FastifyReply {
  const { is_project = false } = (reply.request.routeOptions?.config ?? {}) as RouteConfig
  if (is_project) return sendProjectFailure(reply, refused)
  const { http, failure } = refused
  const { retry_after } = failure.additional
  if (typeof retry_after === 'number') reply.header('Retry-After', retry_after)
  return reply.status(http).header('Cache-Control', 'no-store').send(failure)
}

function sendAnswer(
  reply: FastifyReply,
  request: FastifyRequest,
  name: string,
  contract: Endpoint,
  data: unknown,
  production: boolean,
): FastifyReply {
  if (data instanceof RawResponse) {
    endUnread(reply.raw)
    reply
      .status(data.status)
      .type(data.content_type)
      .header('Cache-Control', 'no-store')
      .headers(data.headers)
    return reply.send(data.body)
  }
  const body = contract.gives === 'raw' ? data : { data: data ?? {} }
  const isShared =
    production && SHARED_ENDPOINTS.has(name) && request.headers['chat-token'] === undefined
  if (!isShared) return reply.header('Cache-Control', 'no-store').send(body)
  const text = JSON.stringify(body)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply
    .header('Cache-Control', `public, max-age=${SHARED_SECONDS}`)
    .header('Vary', 'Chat-Token')
    .header('ETag', tag)
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

function isOutdated(version: string | string[] | undefined): boolean {
  return version !== undefined && Number.parseInt(String(version), 10) !== CLIENT_MAJOR
}
