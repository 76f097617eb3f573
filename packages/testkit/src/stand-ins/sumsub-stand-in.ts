import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SumsubStandIn {
  readonly origin: string
  /** The applicants of its API by id: what a test wants it to say. */
  readonly applicants: Map<string, object>
  /** Calls to its API, by path. */
  readonly calls: string[]
  /** Sends a signed notice, as the service does; returns the status of the answer. */
  notify(address: string, body: object, how?: NoticeForm): Promise<number>
  close(): Promise<void>
}

interface NoticeForm {
  readonly secret?: string
  readonly algorithm?: 'sha1' | 'sha256' | 'sha512'
}

/**
 * The identity service on loopback. It accepts requests as its documentation says: a token, a time at most
 * a minute away, and HMAC-SHA256 over time, method, path and body.
 */
export async function startSumsubStandIn(options: {
  readonly app_token: string
  readonly request_secret: string
  readonly webhook_secret: string
  readonly now: () => Temporal.Instant
}): Promise<SumsubStandIn> {
  const applicants = new Map<string, object>()
  const calls: string[] = []
  const server = createServer((request, response) => {
    void fetchBody(request).then((body) => {
      const path = request.url ?? ''
      calls.push(path)
      const [status, answer] = isSigned(request, body, options)
        ? answerTo(path, body, applicants)
        : [401, { errorCode: 4003, errorName: 'app-token-signature mismatch' }]
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // The stories of a file share a server, and the process ends when they have ended.
  server.unref()
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    applicants,
    calls,
    async notify(address, body, { secret = options.webhook_secret, algorithm = 'sha256' } = {}) {
      const text = JSON.stringify(body)
      const { status } = await fetch(address, {
        method: 'POST',
        body: text,
        headers: {
          'content-type': 'application/json',
          'x-payload-digest': createHmac(algorithm, secret).update(text).digest('hex'),
          'x-payload-digest-alg': `HMAC_${algorithm.toUpperCase()}_HEX`,
        },
      })
      return status
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function fetchBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function isSigned(
  { headers, method, url }: IncomingMessage,
  body: string,
  { app_token, request_secret, now }: Parameters<typeof startSumsubStandIn>[0],
): boolean {
  const ts = Number(headers['x-app-access-ts'])
  const isNow = Math.abs(ts * 1000 - now().epochMilliseconds) <= 60_000
  const signature = createHmac('sha256', request_secret)
    .update(`${ts}${method}${url}${body}`)
    .digest('hex')
  return headers['x-app-token'] === app_token && isNow && headers['x-app-access-sig'] === signature
}

function answerTo(
  path: string,
  body: string,
  applicants: ReadonlyMap<string, object>,
): [number, object] {
  if (path === '/resources/accessTokens/sdk') {
    const { userId, levelName, ttlInSecs } = JSON.parse(body) as Record<string, unknown>
    return userId && levelName && ttlInSecs
      ? [200, { token: `_act-${String(userId)}`, userId }]
      : [400, { description: 'a field is missing' }]
  }
  const [, id] = /^\/resources\/applicants\/([^/]+)\/one$/.exec(path) ?? []
  const applicant = id === undefined ? undefined : applicants.get(decodeURIComponent(id))
  return applicant ? [200, { id: decodeURIComponent(id!), ...applicant }] : [404, {}]
}
