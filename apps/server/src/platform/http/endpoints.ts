import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '@duet/protocol/contract.ts'
import { limits } from '@duet/protocol/limits.ts'
import type { Call, Viewer } from '../../context.ts'
import { makeRates } from '../../lib/rate.ts'
import { addressOf, networkOf } from '../address.ts'
import type { Mounted } from '../book.ts'
import { failureOf, type FailedReply } from '../dispatch.ts'
import { isModest } from '../guard-json.ts'
import type { Edge } from '../realtime/main-socket.ts'
import { filesOf } from './multipart.ts'
import { RawAnswer } from '../raw-answer.ts'

const client_major = 2
const networks_rated_max = 100_000
/** Pages load a dozen calls at once; several people may sit behind one address. */
const http_pace = { burst: 300, a_second: 50 }
/** GETs whose answer without a token is the same for everybody: shared copies may be kept. */
const shared: ReadonlySet<string> = new Set(['GET getSettings', 'GET gifts', 'GET girls'])
const shared_seconds = 30
/** Query objects are flat; a body of many fields is a profile, not a bomb. */
const no_issues: readonly [] = []

/** Every endpoint of the book as a route. A call that nobody answers yet is a route too: it says so. */
export function mountEndpoints(fastify: FastifyInstance, edge: Edge): void {
  const rates = makeRates(networks_rated_max)
  for (const [name, mounted] of edge.book.endpoints) {
    fastify.route({
      method: mounted.contract.method,
      url: routeOf(mounted.contract.path),
      handler: async (request, reply) => {
        const address = addressOf(request.raw, edge.app.config.trusted_proxies)
        const wait_ms = rates.take(networkOf(address), http_pace, edge.app.clock.now().epochMilliseconds)
        if (wait_ms > 0) return sendFailure(reply, failureOf('too_many', { retry_after: Math.ceil(wait_ms / 1000) }))
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
  edge: Edge,
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
  const taken = await takeBody(contract, request)
  if ('refused' in taken) return sendFailure(reply, taken.refused)
  const call: Call = {
    request_id: request.id,
    address,
    country: null,
    idempotency_key: headerOf(request, 'idempotency-key', limits.idempotency_key_characters),
    captcha: headerOf(request, 'captcha', limits.judged_characters),
    files: taken.files,
    raw_body: taken.raw,
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
      parse: () => parse(contract, request, taken.body),
    },
    call,
  )
  if (!said.ok) return sendFailure(reply, said)
  return sendAnswer(reply, request, name, contract, said.data, app.config.production)
}

async function viewerOf(edge: Edge, contract: Endpoint, request: FastifyRequest): Promise<Viewer | undefined> {
  const { app, identities } = edge
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
  const query = contract.query.safeParse({ ...(request.query as object), ...(request.params as object) })
  const said = contract.body.safeParse(body ?? {})
  if (query.success && said.success) return { input: { ...(query.data as object), ...(said.data as object) } }
  return { issues: [...(query.error?.issues ?? no_issues), ...(said.error?.issues ?? no_issues)] }
}

type Taken = { body?: unknown; files?: Call['files']; raw?: Buffer } | { refused: FailedReply }

async function takeBody(contract: Endpoint, request: FastifyRequest): Promise<Taken> {
  if (contract.method === 'GET') return {}
  if (request.isMultipart()) {
    return contract.takes === 'multipart'
      ? filesOf(request, contract.files ?? [])
      : { refused: failureOf('wrong_type') }
  }
  if (contract.takes === 'multipart') return { refused: failureOf('wrong_type') }
  const raw = request.body as Buffer | undefined
  if (contract.takes === 'raw') return { raw: raw ?? Buffer.alloc(0) }
  if (raw === undefined || raw.length === 0) return { body: {} }
  const type = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded') {
    if (contract.takes !== 'form') return { refused: failureOf('wrong_type') }
    return { body: Object.fromEntries(new URLSearchParams(raw.toString('utf8'))), raw }
  }
  if (type !== (contract.takes === 'text' ? 'text/plain' : 'application/json'))
    return { refused: failureOf('wrong_type') }
  return jsonOf(raw)
}

function jsonOf(raw: Buffer): Taken {
  try {
    const body: unknown = JSON.parse(raw.toString('utf8'))
    if (isModest(body, limits.json_keys * 4)) return { body, raw }
  } catch {
    // Said below, as for everything that is no request.
  }
  return { refused: failureOf('invalid', { fields: [{ path: '', message: 'Not readable as JSON' }] }) }
}

export function sendFailure(reply: FastifyReply, { http, failure }: FailedReply): FastifyReply {
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
  if (data instanceof RawAnswer) {
    reply.status(data.status).type(data.content_type).header('Cache-Control', 'no-store').headers(data.headers)
    return reply.send(data.body)
  }
  const body = contract.gives === 'raw' ? data : { data: data ?? {} }
  const isShared = production && shared.has(name) && request.headers['chat-token'] === undefined
  if (!isShared) return reply.header('Cache-Control', 'no-store').send(body)
  const text = JSON.stringify(body)
  const tag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
  reply.header('Cache-Control', `public, max-age=${shared_seconds}`).header('Vary', 'Chat-Token').header('ETag', tag)
  if (request.headers['if-none-match'] === tag) return reply.status(304).send()
  return reply.type('application/json; charset=utf-8').send(text)
}

function isOld(version: string | string[] | undefined): boolean {
  return version !== undefined && Number.parseInt(String(version), 10) !== client_major
}

function headerOf(request: FastifyRequest, name: string, characters_max: number): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' && value.length <= characters_max ? value : undefined
}
