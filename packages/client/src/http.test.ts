import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from './http.ts'
import { Refused, Unanswered } from './refused.ts'

interface Sent {
  url: string
  init: RequestInit
}

function line(status: number, answer: unknown) {
  const sent: Sent[] = []
  const refused: string[] = []
  const http = createHttp({
    origin: 'http://duet.test',
    token: () => 'my-token',
    tokenRefused: (token) => refused.push(token),
    fetch: (async (url: URL, init: RequestInit) => {
      sent.push({ url: String(url), init })
      return new Response(JSON.stringify(answer), { status })
    }) as unknown as typeof fetch,
  })
  return { http, sent, refused }
}

test('a call carries the token and the version, its query in the address and its data back', async () => {
  const { http, sent } = line(200, { data: { fast_phrases: [] } })
  deepEqual(await http.get('getSettings', { locale: 'de' }), { fast_phrases: [] })
  equal(sent[0]!.url, 'http://duet.test/api/getSettings?locale=de')
  const headers = sent[0]!.init.headers as Record<string, string>
  equal(headers['Chat-Token'], 'my-token')
  equal(headers['Client-Version'], '2.0.0')
})

test('a wrong password is no reason to drop the token, an invalid session is', async () => {
  const wrong = line(401, { code: 113, message: 'Current password wrong', additional: {} })
  await rejects(wrong.http.post('profile', {}), Refused)
  deepEqual(wrong.refused, [])
  const gone = line(401, { code: 102, message: 'Session invalid', additional: {} })
  await rejects(gone.http.post('balance'), Refused)
  deepEqual(gone.refused, ['my-token'])
})

test('an answer without a code is code 0 with its HTTP status', async () => {
  const { http } = line(502, 'Bad Gateway')
  await rejects(
    http.get('system'),
    (error) => error instanceof Refused && error.code === 0 && error.http_status === 502,
  )
})

test('silence is not a refusal', async () => {
  const http = createHttp({
    origin: 'http://duet.test',
    token: () => undefined,
    tokenRefused: () => {},
    fetch: () => Promise.reject(new TypeError('no network')),
  })
  await rejects(http.get('system'), Unanswered)
})

test('files travel as a form, everything else as JSON with its key', async () => {
  const { http, sent } = line(200, { data: {} })
  await http.post('demo/minutes', {}, { idempotency_key: 'once' })
  equal((sent[0]!.init.headers as Record<string, string>)['Idempotency-Key'], 'once')
  equal(sent[0]!.init.body, '{}')
  await http.post('avatar', {}, { files: { img: new Blob(['x']) } })
  ok(sent[1]!.init.body instanceof FormData)
})
