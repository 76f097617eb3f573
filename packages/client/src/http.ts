import type { Answer, EndpointName, Endpoints } from '@duet/protocol'
import type { z } from 'zod'
import {
  isFailure,
  isSessionInvalid,
  NoAnswerError,
  refusedError,
  RefusedError,
} from './call-errors.ts'

export const client_version = '2.0.0'
const answer_timeout_ms = 30_000

type QueryOf<E extends EndpointName> = z.input<Endpoints[E]['query']>
type BodyOf<E extends EndpointName> = z.input<Endpoints[E]['body']>
/** An empty object of zod forbids every key, and would forbid those of its neighbour. */
type Named<Fields> = string extends keyof Fields ? unknown : Fields
type Given<E extends EndpointName> = Named<QueryOf<E>> & Named<BodyOf<E>>
type PathOf<E extends string, M extends string> = E extends `${M} ${infer P}` ? P : never
export type GetPath = PathOf<EndpointName, 'GET'>
export type PostPath = PathOf<EndpointName, 'POST'>

export interface Http {
  get<P extends GetPath>(
    path: P,
    query?: Given<`GET ${P}` & EndpointName>,
  ): Promise<Answer<`GET ${P}` & EndpointName>>
  post<P extends PostPath>(
    path: P,
    body?: Given<`POST ${P}` & EndpointName>,
    options?: PostOptions,
  ): Promise<Answer<`POST ${P}` & EndpointName>>
}

export interface PostOptions {
  /** Makes repeating a call that moves money harmless. */
  idempotency_key?: string
  captcha?: string
  files?: Readonly<Record<string, Blob>>
}

export interface HttpOptions {
  /** Where the server is: `''` for the page's own origin. */
  readonly origin: string
  readonly token: () => string | undefined
  /** HTTP 401 for the token that is still held. */
  readonly tokenRefused: (token: string) => void
  readonly fetch?: typeof fetch
  /** Browsers set it themselves; bots and tests say who they are. */
  readonly page_origin?: string
}

/** The typed HTTP client: `{ data }` in, refusals as `RefusedError`, a missing answer as `NoAnswerError`. */
export function createHttp(options: HttpOptions): Http {
  const send = options.fetch ?? fetch

  async function call(
    method: string,
    path: string,
    given: Record<string, unknown>,
    extra: PostOptions = {},
  ): Promise<never> {
    const name = `${method} ${path}`
    const { url, rest } = withPath(options.origin, path, given)
    const token = options.token()
    const headers: Record<string, string> = { 'Client-Version': client_version }
    if (token) headers['Chat-Token'] = token
    if (options.page_origin) headers.Origin = options.page_origin
    if (extra.idempotency_key) headers['Idempotency-Key'] = extra.idempotency_key
    if (extra.captcha) headers.Captcha = extra.captcha
    const init: RequestInit = { method, headers, signal: AbortSignal.timeout(answer_timeout_ms) }
    if (method === 'GET')
      for (const [key, value] of Object.entries(rest)) url.searchParams.set(key, String(value))
    else if (extra.files) init.body = form(rest, extra.files)
    else {
      headers['Content-Type'] = 'application/json'
      init.body = JSON.stringify(rest)
    }
    const response = await send(url, init).catch(() => {
      throw new NoAnswerError(name)
    })
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok && typeof answer === 'object' && answer && 'data' in answer)
      return answer.data as never
    const refused = isFailure(answer)
      ? refusedError(name, answer, response.status)
      : new RefusedError(name, 'unknown', {
          message: response.statusText,
          http_status: response.status,
        })
    // 401 is also a wrong password: only "session invalid" is about the token.
    const isTokenRefused = response.status === 401 && isSessionInvalid(refused)
    if (isTokenRefused && token && token === options.token()) options.tokenRefused(token)
    throw refused
  }

  return {
    get: (path, query) => call('GET', path, (query ?? {}) as Record<string, unknown>),
    post: (path, body, extra) => call('POST', path, (body ?? {}) as Record<string, unknown>, extra),
  }
}

/** Fills `{x}` of the path from what was given; the rest is query or body. */
function withPath(
  origin: string,
  path: string,
  given: Record<string, unknown>,
): { url: URL; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = {}
  const filled = new Map<string, string>()
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (path.includes(`{${key}}`)) filled.set(key, encodeURIComponent(String(value)))
    else rest[key] = value
  }
  const concrete = path.replace(/\{(\w+)\}/g, (_, key: string) => filled.get(key) ?? '')
  const base = origin || globalThis.location?.origin
  return { url: new URL(concrete.startsWith('/') ? concrete : `/api/${concrete}`, base), rest }
}

function form(fields: Record<string, unknown>, files: Readonly<Record<string, Blob>>): FormData {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields))
    data.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const [key, file] of Object.entries(files)) data.set(key, file)
  return data
}
