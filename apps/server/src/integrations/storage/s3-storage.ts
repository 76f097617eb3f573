import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsClient } from 'aws4fetch'
import { isStorageKey, type Storage } from './storage.ts'

export interface S3Options {
  /** Undefined: Amazon's. */
  readonly endpoint: string | undefined
  readonly region: string
  readonly bucket: string
  readonly access_key: string
  readonly secret: string
}

/** One answer of the service, retries apart; a start of a large file takes less. */
const ANSWER_LIMIT_MS = 20_000
/** The whole of a large file, at the speed of its reader. */
const STREAM_LIMIT_MS = 300_000
const RETRIES = 2

/** Stores files in a private bucket of any service with the S3 API. Browsers never reach it: the server serves every file. */
export function createS3Storage(options: S3Options): Storage {
  const { endpoint, region, bucket, access_key, secret } = options
  const client = new AwsClient({
    accessKeyId: access_key,
    secretAccessKey: secret,
    region,
    service: 's3',
    retries: RETRIES,
  })
  // The bucket stands in the path: not every service has a host for each bucket.
  const root = `${(endpoint ?? `https://s3.${region}.amazonaws.com`).replace(/\/+$/, '')}/${bucket}`
  const request = (method: string, path: string, init: RequestInit = {}) =>
    client.fetch(`${root}${path}`, {
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
      ...init,
      method,
      redirect: 'error',
    })
  const ask = (method: string, key: string, init?: RequestInit) => {
    if (!isStorageKey(key))
      throw new Error(`Impossible: a storage key is created by the server, not ${key}`)
    return request(method, `/${key}`, init)
  }
  return {
    async put(key, bytes) {
      // The digest is signed, so that bytes that change on the way are refused.
      const headers = { 'X-Amz-Content-Sha256': createHash('sha256').update(bytes).digest('hex') }
      await expectOk(await ask('PUT', key, { body: Uint8Array.from(bytes), headers }), 'PUT')
    },
    async get(key, part) {
      const headers: Record<string, string> = part
        ? { Range: `bytes=${part.start}-${part.end}` }
        : {}
      const response = await ask('GET', key, { headers })
      if (response.status === 404) return drop(response)
      await expectOk(response, 'GET')
      return Buffer.from(await response.arrayBuffer())
    },
    stream: async (key) =>
      findStream(await ask('GET', key, { signal: AbortSignal.timeout(STREAM_LIMIT_MS) })),
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
