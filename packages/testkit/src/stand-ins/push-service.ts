import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, createServer } from 'node:https'

/** A key for tests alone, valid for 127.0.0.1: push services speak TLS only. */
const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIUDM+lni9R+dKb7gquR0C/dajXrBwwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMjEwMDQ1NVoYDzIxMjYxMDI5
MTAwNDU1WjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASvtEBd1LvUiAnOiVZL+5Sysv5p1sRPQVB9qTKTFmtRVwmwYRvOLY8s
3JQxNcCuq0G+SPTuw9WhY8yNDXkKCDFao2QwYjAdBgNVHQ4EFgQUZwsjLhnRtlp5
43lVuoeao1LrJ0IwHwYDVR0jBBgwFoAUZwsjLhnRtlp543lVuoeao1LrJ0IwDwYD
VR0TAQH/BAUwAwEB/zAPBgNVHREECDAGhwR/AAABMAoGCCqGSM49BAMCA0gAMEUC
IQDaDROUnRoYgoHFsO2lo/EwWygOug4lD6d77MHKs9guRAIgCC+aGqQ824D93D1T
9UCLBIahGwdYYx7RLAE7R8lWmtY=
-----END CERTIFICATE-----`
const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgydRunITCij79TWy0
u1FjIRz/hYogHx2MTCtmfxP+caehRANCAASvtEBd1LvUiAnOiVZL+5Sysv5p1sRP
QVB9qTKTFmtRVwmwYRvOLY8s3JQxNcCuq0G+SPTuw9WhY8yNDXkKCDFa
-----END PRIVATE KEY-----`

interface TakenPush {
  readonly path: string
  readonly payload: Record<string, unknown>
  readonly ttl: number
  readonly topic: string | undefined
}

/** A browser that takes push messages: its key pair of RFC 8291, and where its vendor's service listens. */
export interface TestBrowser {
  readonly subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  readonly path: string
}

/**
 * A push service and the browsers behind it. It checks the signature of RFC 8292 as a vendor does. It
 * decrypts each message with the key of the receiving browser (RFC 8291).
 */
export async function openPushService() {
  const taken: TakenPush[] = []
  const wrong: string[] = []
  const browsers = new Map<string, { privateKey: ECDH; auth: string }>()
  let answer = 201
  const server = createServer({ cert: TEST_CERTIFICATE, key: TEST_KEY }, (request, response) => {
    void fetchBody(request).then((body) => {
      const path = request.url ?? ''
      const browser = browsers.get(path)
      const problem = browser ? findProblem(request, origin) : 'no such browser'
      if (problem) wrong.push(problem)
      else if (answer < 300)
        taken.push({ path, ...readMessage(request, body, browser!.privateKey, browser!.auth) })
      response.writeHead(problem ? 403 : answer).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as { port: number }).port}`
  const origin = `https://${host}`
  return {
    host,
    taken,
    wrong,
    agent: new Agent({ ca: TEST_CERTIFICATE }),
    answerWith(status: number) {
      answer = status
    },
    browser(): TestBrowser {
      const pair = createECDH('prime256v1')
      const p256dh = pair.generateKeys('base64url')
      const auth = randomBytes(16).toString('base64url')
      const path = `/send/${randomBytes(8).toString('hex')}`
      browsers.set(path, { privateKey: pair, auth })
      return { path, subscription: { endpoint: origin + path, keys: { p256dh, auth } } }
    },
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}

async function fetchBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function readMessage(
  { headers }: IncomingMessage,
  body: Buffer,
  privateKey: ECDH,
  authSecret: string,
): Omit<TakenPush, 'path'> {
  const plain = decrypted(body, privateKey, Buffer.from(authSecret, 'base64url'))
  return {
    payload: JSON.parse(plain.toString('utf8')) as Record<string, unknown>,
    ttl: Number(headers.ttl),
    topic: headers.topic as string | undefined,
  }
}

const TAG_BYTES = 16
/** Ends the text in its last record; zeros may follow. */
const LAST_RECORD = 2

/** RFC 8188 with the keys of RFC 8291, written from the texts and not with the library that encrypts. */
function decrypted(body: Buffer, browser: ECDH, auth: Buffer): Buffer {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + body[20]!
  const senderKey = body.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browser.getPublicKey(), senderKey])
  const secret = hkdfSync('sha256', browser.computeSecret(senderKey), auth, info, 32)
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(
      hkdfSync('sha256', Buffer.from(secret), salt, `Content-Encoding: ${purpose}\0`, bytes),
    )
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  const padded = Buffer.concat([
    decipher.update(body.subarray(keyEnd, -TAG_BYTES)),
    decipher.final(),
  ])
  return padded.subarray(0, padded.lastIndexOf(LAST_RECORD))
}

/** Undefined if a push service takes the request. */
function findProblem({ headers, method }: IncomingMessage, origin: string): string | undefined {
  if (method !== 'POST' || headers['content-encoding'] !== 'aes128gcm') return 'not encrypted'
  const [, token = '', key = ''] =
    /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(String(headers.authorization)) ?? []
  const [header, claims, signature] = token.split('.') as [string, string, string]
  if (claimsIn(header).alg !== 'ES256') return 'not signed'
  if (!isSignedBy(key, `${header}.${claims}`, signature)) return 'wrong signature'
  const { aud, exp, sub } = claimsIn(claims)
  if (aud !== origin) return `signed for ${String(aud)}`
  if (typeof exp !== 'number' || exp * 1000 > Date.now() + 86_400_000) return 'valid for too long'
  return /^(https:|mailto:)/.test(String(sub)) ? undefined : 'without a contact'
}

function claimsIn(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, 'base64url').toString() || '{}') as Record<string, unknown>
}

function isSignedBy(key: string, text: string, signature: string): boolean {
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  return verify(
    'sha256',
    Buffer.from(text),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
}
