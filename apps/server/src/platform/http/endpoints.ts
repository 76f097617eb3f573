import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { createRateLimiter } from '../../lib/rate-limit.ts'
import { refuse } from '../../lib/refusal.ts'
import { addressOf, networkOf } from './client-address.ts'
import type { Mounted } from '../dispatch/contract-registry.ts'
import { failureOf, type DispatchFailure } from '../dispatch/dispatcher.ts'
import { isModest } from '../dispatch/json-guard.ts'
import type { TransportContext } from '../realtime/transport-context.ts'
import { filesOf } from './multipart.ts'
import { RawResponse } from './raw-response.ts'

const client_major = 2
const networks_rated_max = 100_000
/** Pages load a dozen calls at once; several people may sit behind one address. */
const http_pace = { burst: 300, per_second: 50 }
/** GETs whose answer without a token is the same for everybody: shared copies may be kept. */
const shared: ReadonlySet<string> = new Set(['GET getSettings', 'GET gifts', 'GET girls'])
const shared_seconds = 30
/** Reports of a browser (quality, cameras) have more keys than a packet may. */
const body_keys_max = limits.json_keys * 4

/** Every endpoint of the book as a route. A call that nobody answers yet is a route too: it says so. */
export function mountEndpoints(fastify: FastifyInstance, edge: TransportContext): void {
  const rates = createRateLimiter(networks_rated_max)
  for (const [name, mounted] of edge.registry.endpoints) {
    fastify.route({
      method: mounted.contract.method,
      url: routeOf(mounted.contract.path),
      handler: async (request, reply) => {
        const address = addressOf(request.raw, edge.app.config.trusted_proxies)
        const wait_ms = rates.take(
          networkOf(address),
          http_pace,
          edge.app.clock.now().epochMilliseconds,
        )
        if (wait_ms > 0)
          return sendFailure(
            reply,
            failureOf('too_many', { retry_after: Math.ceil(wait_ms / 1000) }),
          )
        return answer(edge, name, mounted, request, reply, address)
      },
    })
  }
}

/** `v2/tournament/top/day/{x}` is `/api/v2/tournament/top/day/:x`; other roots are written with their slash. */
export function routeOf(path: string): string {
  const placed = path.replaceAll(/\{(\w+)\}/g, ':$1')
  return placed.startsWith('/') ? placed : `/api/${placed}`
}

async function answer(
  edge: TransportContext,
  name: string,
  { contract, handler }: Mounted<Endpoint>,
  request: FastifyRequest,
  reply: FastifyReply,
  address: string,
): Promise<unknown> {
  const { app } = edge
  if (isOld(request.headers['client-version'])) return sendFailure(reply, failureOf('client_old'))
  if (edge.isDraining() && name !== 'GET health' && name !== 'GET ready') {
    return sendFailure(reply, failureOf('draining', { retry_after: 2 }))
  }
  const call: Mutable<RequestContext> = {
    request_id: request.id,
    address,
    country: null,
    idempotency_key: headerOf(request, 'idempotency-key', limits.idempotency_key_characters),
    captcha: headerOf(request, 'captcha', limits.judged_characters),
    headers: contract.takes === 'raw' || contract.credential ? request.headers : undefined,
  }
  const said = await edge.dispatch(
    {
      kind: 'endpoint',
      name,
      contract,
      handler,
      answers: contract.gives === 'raw' ? undefined : contract.data,
      viewer: () => viewerOf(edge, contract, request),
      // An upload is read only after its sender was found to be allowed one.
      parse: async () => {
        const { body, files, raw_body } = await takeBody(contract, request)
        call.files = files
        call.raw_body = raw_body
        return parse(contract, request, body)
      },
    },
    call,
  )
  if (!said.ok) return sendFailure(reply, said)
  return sendAnswer(reply, request, name, contract, said.data, app.config.production)
}

async function viewerOf(
  edge: TransportContext,
  contract: Endpoint,
  request: FastifyRequest,
): Promise<Viewer | undefined> {
  const { app, identityProvider: identities } = edge
  const nobody = { kind: 'none' as const }
  if (contract.credential === 'files') {
    const token = headerOf(request, 'user-access-token', limits.token_characters)
    return token ? identities?.byFsToken?.(app, token) : nobody
  }
  if (contract.credential !== undefined && contract.credential !== 'token') return nobody
  const token = headerOf(request, 'chat-token', limits.token_characters)
  if (token === undefined) return nobody
  return identities?.byToken(app, token)
}

function parse(contract: Endpoint, request: FastifyRequest, body: unknown) {
  const query = contract.query.safeParse({
    ...(request.query as object),
    ...(request.params as object),
  })
  const said = contract.body.safeParse(body ?? {})
  if (query.success && said.success)
    return { input: { ...(query.data as object), ...(said.data as object) } }
  return { issues: [...(query.error?.issues ?? []), ...(said.error?.issues ?? [])] }
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }
type Taken = { body?: unknown; files?: RequestContext['files']; raw_body?: Buffer }

async function takeBody(contract: Endpoint, request: FastifyRequest): Promise<Taken> {
  if (contract.method === 'GET') return {}
  if (contract.takes === 'multipart') {
    return request.isMultipart()
      ? filesOf(request, contract.files ?? [], fileBytes(contract))
      : refuse('wrong_type')
  }
  const raw_body = request.body as Buffer | undefined
  if (contract.takes === 'raw') return { raw_body: raw_body ?? Buffer.alloc(0) }
  if (raw_body === undefined || raw_body.length === 0) return { body: {} }
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && contract.takes === 'form') {
    return { body: Object.fromEntries(new URLSearchParams(raw_body.toString('utf8'))), raw_body }
  }
  if (type !== (contract.takes === 'text' ? 'text/plain' : 'application/json')) refuse('wrong_type')
  return { body: jsonIn(raw_body), raw_body }
}

/** Only the gallery takes videos. */
function fileBytes({ path }: Endpoint): number {
  return path.includes('gallery') ? limits.video_bytes : limits.image_bytes
}

function jsonIn(raw: Buffer): unknown {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'))
    if (isModest(body, body_keys_max)) return body
  } catch {
    // Said below, as for everything that is no request.
  }
  return refuse('invalid', { fields: [{ path: '', message: 'Not readable as JSON' }] })
}

export function sendFailure(reply: FastifyReply, { http, failure }: DispatchFailure): FastifyReply {
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
    reply
      .status(data.status)
      .type(data.content_type)
      .header('Cache-Control', 'no-store')
      .headers(data.headers)
    return reply.send(data.body)
  }
  const body = contract.gives === 'raw' ? data : { data: data ?? {} }
  const isShared = production && shared.has(name) && request.headers['chat-token'] === undefined
  if (!isShared) return reply.header('Cache-Control', 'no-store').send(body)
  const text = JSON.stringify(body)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply
    .header('Cache-Control', `public, max-age=${shared_seconds}`)
    .header('Vary', 'Chat-Token')
    .header('ETag', tag)
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

function isOld(version: string | string[] | undefined): boolean {
  return version !== undefined && Number.parseInt(String(version), 10) !== client_major
}

function headerOf(
  request: FastifyRequest,
  name: string,
  characters_max: number,
): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' && value.length <= characters_max
    ? value
    : undefined
}
