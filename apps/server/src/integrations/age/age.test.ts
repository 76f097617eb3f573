import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { AgeProvider } from './age.ts'
import { createVerifyMyAge, signedByVerifyMyAge } from './verify-my-age.ts'
import { createYoti } from './yoti.ts'

const SECRET = 'VMA_SECRET'

test('a request of VerifyMyAge is signed as its worked example', () => {
  equal(
    signedByVerifyMyAge(SECRET, '/api/v3/verifications/abc123'),
    '8d5a1f376ae75f593bdf64f65bdfe4acfc5ac8af680fa955fc43d392e892167d',
  )
})

/** Both services on loopback; `result` is what they say of every session. */
async function standIn(result: { value: string }) {
  const seen: { path: string; body: string }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString()
      const path = request.url!
      seen.push({ path, body })
      const { authorization } = request.headers
      const isYoti = path.startsWith('/api/v1/')
      const signed = request.method === 'GET' ? path : body
      const right = isYoti
        ? authorization === `Bearer ${SECRET}` && request.headers['yoti-sdk-id'] === 'sdk'
        : authorization === `hmac sdk:${createHmac('sha256', SECRET).update(signed).digest('hex')}`
      const answer = isYoti
        ? request.method === 'POST'
          ? { id: 'session 1' }
          : { status: result.value, method: 'AGE_ESTIMATION', age: 33, evidence_id: 'e1' }
        : request.method === 'POST'
          ? {
              verification_id: 'session 1',
              verification_status: 'started',
              start_verification_url: 'https://vma.example/go',
            }
          : { verification_status: result.value, method: 'Email' }
      response.writeHead(right ? 200 : 401).end(JSON.stringify(answer))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, seen, close: () => server.close() }
}

const forms: readonly (readonly [string, typeof createYoti, Readonly<Record<string, string>>])[] = [
  [
    'Yoti',
    createYoti,
    { COMPLETE: 'passed', FAIL: 'failed', EXPIRED: 'expired', PENDING: 'pending', odd: 'pending' },
  ],
  [
    'VerifyMyAge',
    createVerifyMyAge,
    {
      approved: 'passed',
      failed: 'failed',
      expired: 'expired',
      started: 'pending',
      odd: 'pending',
    },
  ],
]
for (const [form, create, states] of forms) {
  test(`${form}: a session starts without personal data, and only its result counts`, async () => {
    const result = { value: '' }
    const service = await standIn(result)
    try {
      const provider: AgeProvider = create({ url: service.url, client: 'sdk', secret: SECRET })
      const { session_id, url } = await provider.start({
        reference: 'r-1',
        country: 'GB',
        return_url: 'https://duet.example/verification/',
      })
      equal(session_id, 'session 1')
      equal(URL.canParse(url), true)
      const sent = JSON.parse(service.seen[0]!.body) as Record<string, unknown>
      equal(Object.values(sent).includes('r-1'), true)
      equal(service.seen[0]!.body.includes('@'), false)
      for (const [said, state] of Object.entries(states)) {
        result.value = said
        equal((await provider.readResult(session_id)).state, state, said)
      }
      deepEqual(Object.keys(await provider.readResult(session_id)).sort(), [
        'evidence_ref',
        'method',
        'state',
      ])
      const wrong = create({ url: service.url, client: 'sdk', secret: 'other' })
      await rejects(wrong.readResult(session_id), { name: 'AgeUnavailable' })
    } finally {
      service.close()
    }
  })
}
