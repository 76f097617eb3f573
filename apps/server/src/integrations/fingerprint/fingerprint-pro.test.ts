import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { createFingerprintPro } from './fingerprint-pro.ts'

const NOW_MS = Date.UTC(2026, 10, 22)
const SECRET = 'a-secret-of-the-server-api'

/** Answers like the server API: one known event, and whatever status a request asks for. */
async function standIn(): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const server = createServer((request, response) => {
    const id = decodeURIComponent(request.url!.replace('/v4/events/', ''))
    const status = request.headers.authorization === `Bearer ${SECRET}` ? Number(id) || 200 : 403
    const [visitor_id, age_ms = '0'] = id.split(':')
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({ timestamp: NOW_MS - Number(age_ms), identification: { visitor_id } }),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((done) => server.close(() => done())),
  }
}

test('a visitor id counts only as the service tells it, and for ten minutes', async () => {
  await using service = await standIn()
  const pro = createFingerprintPro({ url: service.url, secret: SECRET }, () => NOW_MS)
  equal(await pro.confirm({ visitor_id: 'v1', request_id: 'v1:0' }), 'confirmed')
  equal(await pro.confirm({ visitor_id: 'v2', request_id: 'v1:0' }), 'refuted')
  equal(await pro.confirm({ visitor_id: 'v1', request_id: 'v1:600001' }), 'refuted', 'overheard')
  equal(await pro.confirm({ visitor_id: 'v1', request_id: '404' }), 'refuted', 'no such request')
})

test('a service that refuses us or does not answer confirms nothing', async () => {
  await using service = await standIn()
  const wrong = createFingerprintPro({ url: service.url, secret: 'another' }, () => NOW_MS)
  equal(await wrong.confirm({ visitor_id: 'v1', request_id: 'v1:0' }), 'unavailable')
  const pro = createFingerprintPro({ url: service.url, secret: SECRET }, () => NOW_MS)
  equal(await pro.confirm({ visitor_id: 'v1', request_id: '503' }), 'unavailable')
  const gone = createFingerprintPro({ url: 'http://127.0.0.1:9', secret: SECRET }, () => NOW_MS)
  equal(await gone.confirm({ visitor_id: 'v1', request_id: 'v1:0' }), 'unavailable')
})
