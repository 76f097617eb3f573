import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface S3Credentials {
  readonly access_key: string
  readonly secret: string
  readonly region: string
}

export interface S3TestServer {
  readonly endpoint: string
  /** The stored objects by `/bucket/key`. */
  readonly objects: Map<string, Buffer>
  /** Requests with a wrong signature or digest. */
  readonly refused: string[]
  /** Answers the next requests with 503, as a busy service does. */
  fail(times: number): void
  close(): Promise<void>
}

const sha256 = (data: Uint8Array | string) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly signed_headers: readonly string[]
  readonly payload_hash: string
}

/** The signature of a request by AWS Signature Version 4, written from its description and apart from the client's library. */
export function s3Signature(request: SignedRequest, { secret, region }: S3Credentials): string {
  const { method, path, query, headers, signed_headers, payload_hash } = request
  const time = headers['x-amz-date']!
  const day = time.slice(0, 8)
  const canonicalHeaders = signed_headers
    .map((name) => `${name}:${headers[name]!.trim().replaceAll(/\s+/g, ' ')}\n`)
    .join('')
  const canonical = [method, path, query, canonicalHeaders, signed_headers.join(';'), payload_hash]
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical.join('\n'))].join('\n')
  const key = ['s3', 'aws4_request'].reduce(
    (derived, part) => hmac(derived, part),
    hmac(hmac(`AWS4${secret}`, day), region),
  )
  return hmac(key, text).toString('hex')
}

/** A service with the few calls of S3 that the storage uses. It refuses what is not signed correctly. */
export async function startS3Server(credentials: S3Credentials): Promise<S3TestServer> {
  const objects = new Map<string, Buffer>()
  const refused: string[] = []
  let failures = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      const path = request.url!.split('?')[0]!
      if (failures > 0) {
        failures -= 1
        return response.writeHead(503).end()
      }
      if (!isSigned(request, body, credentials)) {
        refused.push(`${request.method} ${path}`)
        return response.writeHead(403).end()
      }
      const { status, headers = {}, bytes } = answer(request, path, body, objects)
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    refused,
    fail: (times) => (failures = times),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function isSigned(request: IncomingMessage, body: Buffer, credentials: S3Credentials): boolean {
  const header = request.headers.authorization ?? ''
  const [, key = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/[^,]+, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    ) ?? []
  const payloadHash = String(request.headers['x-amz-content-sha256'])
  if (key !== credentials.access_key) return false
  if (payloadHash !== 'UNSIGNED-PAYLOAD' && payloadHash !== sha256(body)) return false
  const [path = '', query = ''] = request.url!.split('?')
  const expected = s3Signature(
    {
      method: request.method!,
      path,
      query,
      headers: request.headers as Record<string, string>,
      signed_headers: names.split(';'),
      payload_hash: payloadHash,
    },
    credentials,
  )
  return timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
}

interface S3Answer {
  readonly status: number
  readonly headers?: Record<string, string | number>
  readonly bytes?: Buffer
}

function answer(
  { method, headers }: IncomingMessage,
  path: string,
  body: Buffer,
  objects: Map<string, Buffer>,
): S3Answer {
  const isBucket = path.split('/').length === 2
  if (isBucket) return { status: path === '/pictures' ? 200 : 404 }
  if (method === 'PUT') {
    objects.set(path, body)
    return { status: 200 }
  }
  if (method === 'DELETE') {
    objects.delete(path)
    return { status: 204 }
  }
  const stored = objects.get(path)
  if (!stored) return { status: 404 }
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (start === undefined)
    return { status: 200, headers: { 'Content-Length': stored.length }, bytes: stored }
  return { status: 206, bytes: stored.subarray(Number(start), Number(end) + 1) }
}
