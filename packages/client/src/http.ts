import type { Answer, EndpointName, Endpoints } from '@duet/protocol'
import type { z } from 'zod'
import {
  isFailure,
  isSessionInvalid,
  NoAnswerError,
  refusedError,
  RefusedError,
} from './call-errors.ts'
import { createHttpCaptcha, type SolveCaptcha } from './login/captcha.ts'
import { sendForm } from './page/upload.ts'

const CLIENT_VERSION = '2.0.0'
const ANSWER_TIMEOUT_MS = 30_000
const DOWNLOAD_TIMEOUT_MS = 30 * 60_000

type QueryOf<E extends EndpointName> = z.input<Endpoints[E]['query']>
type BodyOf<E extends EndpointName> = z.input<Endpoints[E]['body']>
/** An empty object of zod forbids every key, also the keys of a type that is combined with the object. */
type Named<Fields> = string extends keyof Fields ? unknown : Fields
type Given<E extends EndpointName> = Named<QueryOf<E>> & Named<BodyOf<E>>
type PathOf<E extends string, M extends string> = E extends `${M} ${infer P}` ? P : never
export type GetPath = PathOf<EndpointName, 'GET'>
export type PostPath = PathOf<EndpointName, 'POST'>

export interface Http {
  get<P extends GetPath>(
    path: P,
    query?: Given<`GET ${P}` & EndpointName>,
    options?: Pick<PostOptions, 'signal'>,
  ): Promise<Answer<`GET ${P}` & EndpointName>>
  /** A file instead of data: it may take long, so it has a limit of its own. */
  download<P extends GetPath>(path: P, query?: Given<`GET ${P}` & EndpointName>): Promise<Blob>
  post<P extends PostPath>(
    path: P,
    body?: Given<`POST ${P}` & EndpointName>,
    options?: PostOptions,
  ): Promise<Answer<`POST ${P}` & EndpointName>>
}

export interface PostOptions {
  /** Makes repeating a call that moves money or stores a file harmless. */
  idempotency_key?: string
  captcha?: string
  files?: Readonly<Record<string, Blob>>
  /** Receives the part of the files that has been sent, from 0 to 1. Such an upload may last as long as it moves. */
  onProgress?: (share: number) => void
  /** Ends the call before its answer. */
  signal?: AbortSignal | undefined
}

export interface HttpOptions {
  /** Origin of the server, `''` for the page's own. */
  readonly origin: string
  readonly token: () => string | undefined
  /** The token that is still stored was answered with 401 and `session_invalid`. */
  readonly onTokenRefused: (token: string) => void
  readonly fetch?: typeof fetch
  /** Without it, a call that is refused with captcha_required stays refused. */
  readonly solveCaptcha?: SolveCaptcha
  /** Browsers set the header Origin themselves. Bots and tests give their own origin. */
  readonly page_origin?: string
}

/** The typed HTTP client: answers `data`, rejects with RefusedError, and with NoAnswerError when no answer came. */
export function createHttp(options: HttpOptions): Http {
  const withCaptcha = createHttpCaptcha(options.solveCaptcha)
  const call = (asked: HttpCall) =>
    withCaptcha((captcha) => {
      const extra = captcha === undefined ? asked.extra : { ...asked.extra, captcha }
      return sendCall(options, { ...asked, extra })
    }, `${asked.method} ${asked.path}`)
  const get = (path: string, given: Fields = {}, extra: PostOptions = {}) =>
    call({ method: 'GET', path, given, extra })
  const post = (path: string, given: Fields = {}, extra: PostOptions = {}) =>
    call({ method: 'POST', path, given, extra })
  const download = (path: string, given: Fields = {}) => downloadFile(options, path, given)
  return { get, post, download } as Http
}

type Fields = Record<string, unknown>

interface HttpCall {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly given: Fields
  readonly extra?: PostOptions | undefined
}

async function sendCall(options: HttpOptions, { method, path, given, extra = {} }: HttpCall) {
  const name = `${method} ${path}`
  const token = options.token()
  const { url, rest } = withPath(options.origin, path, given)
  const headers = getHeaders(token, extra, options.page_origin)
  const init: RequestInit & { headers: Record<string, string> } = {
    method,
    headers,
    signal: AbortSignal.any([
      AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      ...(extra.signal ? [extra.signal] : []),
    ]),
  }
  if (method === 'GET') addQuery(url, rest)
  else if (extra.files) init.body = getForm(rest, extra.files)
  else {
    headers['Content-Type'] = 'application/json'
    init.body = JSON.stringify(rest)
  }
  const response = await send(options, url, init, { rest, extra }).catch(() => {
    throw new NoAnswerError(name)
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok && typeof answer === 'object' && answer && 'data' in answer) return answer.data
  const refused = toRefusal(name, response, answer)
  // 401 is also the answer to a wrong password: only "session invalid" is about the token.
  const isTokenRefused = response.status === 401 && isSessionInvalid(refused)
  if (isTokenRefused && token && token === options.token()) options.onTokenRefused(token)
  throw refused
}

/** `fetch` does not report the progress of an upload, so an upload with progress takes another way. */
function send(
  options: HttpOptions,
  url: URL,
  init: RequestInit & { headers: Record<string, string> },
  { rest, extra: { onProgress, files = {}, signal } }: { rest: Fields; extra: PostOptions },
): Promise<Pick<Response, 'ok' | 'status' | 'statusText' | 'json'>> {
  if (onProgress === undefined) return (options.fetch ?? fetch)(url, init)
  return sendForm({ url, headers: init.headers, body: getForm(rest, files), onProgress, signal })
}

async function downloadFile(options: HttpOptions, path: string, given: Fields): Promise<Blob> {
  const name = `GET ${path}`
  const token = options.token()
  const noAnswer = () => {
    throw new NoAnswerError(name)
  }
  const { url, rest } = withPath(options.origin, path, given)
  addQuery(url, rest)
  const response = await (options.fetch ?? fetch)(url, {
    headers: getHeaders(token, {}, options.page_origin),
    signal: AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS),
  }).catch(noAnswer)
  if (response.ok) return response.blob().catch(noAnswer)
  throw toRefusal(name, response, await response.json().catch(() => undefined))
}

function addQuery(url: URL, fields: Fields): void {
  for (const [key, value] of Object.entries(fields)) url.searchParams.set(key, String(value))
}

function getHeaders(token: string | undefined, extra: PostOptions, pageOrigin?: string) {
  const headers: Record<string, string> = { 'Client-Version': CLIENT_VERSION }
  if (token) headers['Chat-Token'] = token
  if (pageOrigin) headers.Origin = pageOrigin
  if (extra.idempotency_key) headers['Idempotency-Key'] = extra.idempotency_key
  if (extra.captcha) headers.Captcha = extra.captcha
  return headers
}

function toRefusal(
  name: string,
  { status, statusText }: Pick<Response, 'status' | 'statusText'>,
  answer: unknown,
): RefusedError {
  if (isFailure(answer)) return refusedError(name, answer, status)
  return new RefusedError(name, 'unknown', { message: statusText, http_status: status })
}

/** Fills each `{x}` of the path with the field `x`. The other fields are query or body. */
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

function getForm(fields: Record<string, unknown>, files: Readonly<Record<string, Blob>>): FormData {
  const data = new FormData()
  for (const [key, value] of Object.entries(fields))
    data.set(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  for (const [key, file] of Object.entries(files)) data.set(key, file)
  return data
}
