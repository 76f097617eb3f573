import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout } from 'node:timers/promises'
import { AwsClient } from 'aws4fetch'
import { isStorageKey, type Storage } from './storage.ts'

export interface S3Options {
  /** Undefined: Amazon's. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  readonly access_key: string
  readonly secret: string
  readonly answer_limit_ms?: number
}

/** One answer of the service, for each attempt. */
const ANSWER_LIMIT_MS = 20_000
/** More time for a file: 256 KB a second. */
const BYTES_A_MS = 256
/** The whole of a large file, at the speed of its reader. */
const STREAM_LIMIT_MS = 300_000
const ATTEMPTS = 3
const PAUSE_MS = 100

/** Stores files in a private bucket of any service with the S3 API. Browsers never reach it: the server serves every file. */
export function createS3Storage(options: S3Options): Storage {
  const { endpoint, region, bucket, access_key, secret } = options
  const client = new AwsClient({
    accessKeyId: access_key,
    secretAccessKey: secret,
    region,
    service: 's3',
    // Its own attempts would share the time of one.
    retries: 0,
  })
  // The bucket stands in the path: not every service has a host for each bucket.
  const root = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')}/${bucket}`
  const answerLimitMs = options.answer_limit_ms ?? ANSWER_LIMIT_MS
  const request = createRequest(client, root, answerLimitMs)
  const ask = (method: string, key: string, init?: AskOptions) => {
    if (!isStorageKey(key))
      throw new Error(`Impossible: a storage key is created by the server, not ${key}`)
    return request(method, `/${key}`, init)
  }
  return {
    async put(key, bytes) {
      // The digest is signed, so that bytes that change on the way are refused.
      const headers = { 'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex') }
      const limitMs = answerLimitMs + Math.ceil(bytes.length / BYTES_A_MS)
      const body = Uint8Array.from(bytes)
      await expectOk(await ask('PUT', key, { body, headers, limit_ms: limitMs }), 'PUT')
    },
    async get(key, part) {
      const headers: Record<string, string> = part
        ? { Range: `bytes=${part.start}-${part.end}` }
        : {}
      const limitMs = part ? answerLimitMs : STREAM_LIMIT_MS
      const response = await ask('GET', key, { headers, limit_ms: limitMs })
      if (response.status === 404) return drop(response)
      await expectOk(response, 'GET')
      return Buffer.from(await response.arrayBuffer())
    },
    stream: async (key) => findStream(await ask('GET', key, { limit_ms: STREAM_LIMIT_MS })),
    async size(key) {
      const response = await ask('HEAD', key)
      if (response.status === 404) return drop(response)
      await expectOk(response, 'HEAD')
      return Number(response.headers.get('content-length'))
    },
    async delete(key) {
      const response = await ask('DELETE', key)
      if (response.status === 404) return drop(response)
      await expectOk(response, 'DELETE')
      await drop(response)
    },
    async check() {
      const response = await request('HEAD', '')
      await expectOk(response, 'HEAD of the bucket')
    },
  }
}

/** Sends a request again after an error of the network or of the service. Each attempt has its own time. */
function createRequest(client: AwsClient, root: string, answerLimitMs: number) {
  return async (
    method: string,
    path: string,
    { limit_ms: limitMs = answerLimitMs, ...init }: AskOptions = {},
  ): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const signal = AbortSignal.timeout(limitMs)
      const asked = client.fetch(`${root}${path}`, { ...init, signal, method, redirect: 'error' })
      const response = await asked.catch((error: unknown) => {
        if (attempt === ATTEMPTS) throw error
      })
      if (response && (attempt === ATTEMPTS || !isTemporary(response))) return response
      if (response) await drop(response)
      await setTimeout(PAUSE_MS * 2 ** attempt)
    }
  }
}

interface AskOptions extends RequestInit {
  readonly limit_ms?: number
}

function isTemporary({ status }: Response): boolean {
  return status >= 500 || status === 429
}

async function findStream(response: Response): Promise<Readable | undefined> {
  if (response.status === 404) return drop(response)
  await expectOk(response, 'GET')
  return response.body ? Readable.fromWeb(response.body as ReadableStream) : undefined
}

/** A body that is not read would keep its connection. */
async function drop(response: Response): Promise<undefined> {
  await response.body?.cancel()
  return undefined
}

/** The answer names no key and no secret; the body is not logged. */
async function expectOk(response: Response, asked: string): Promise<void> {
  if (response.ok) return
  await drop(response)
  throw new Error(`the S3 service answered ${response.status} to ${asked}`)
}
