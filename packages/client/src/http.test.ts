import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { createHttp } from './http.ts'
import { isRefused, NoAnswerError, RefusedError } from './call-errors.ts'

interface SentRequest {
  url: string
  init: RequestInit
}

function answering(status: number, answer: unknown) {
  const sent: SentRequest[] = []
  const refused: string[] = []
  const http = createHttp({
    origin: 'http://duet.test',
    token: () => 'my-token',
    onTokenRefused: (token) => refused.push(token),
    fetch: (async (url: URL, init: RequestInit) => {
      sent.push({ url: String(url), init })
      return new Response(JSON.stringify(answer), { status })
    }) as unknown as typeof fetch,
  })
  return { http, sent, refused }
}

function failure(code: number, name: string, additional = {}) {
  return { code, name, message: '', additional }
}

test('sends token, version and query, and answers the data', async () => {
  const { http, sent } = answering(200, { data: { fast_phrases: [] } })
  deepEqual(await http.get('getSettings', { locale: 'de' }), { fast_phrases: [] })
  equal(sent[0]!.url, 'http://duet.test/api/getSettings?locale=de')
  const headers = sent[0]!.init.headers as Record<string, string>
  equal(headers['Chat-Token'], 'my-token')
  equal(headers['Client-Version'], '2.0.0')
})

test('a caller can end a request before its answer', async () => {
  const { http, sent } = answering(200, { data: { fast_phrases: [] } })
  const caller = new AbortController()
  await http.get('getSettings', { locale: 'de' }, { signal: caller.signal })
  equal(sent[0]!.init.signal!.aborted, false)
  caller.abort()
  equal(sent[0]!.init.signal!.aborted, true)
})

test('drops the token for an invalid session, not for a wrong password', async () => {
  const wrong = answering(401, failure(113, 'password_required'))
  await rejects(wrong.http.post('profile', {}), RefusedError)
  deepEqual(wrong.refused, [])
  const gone = answering(401, failure(102, 'session_invalid'))
  await rejects(gone.http.post('balance'), RefusedError)
  deepEqual(gone.refused, ['my-token'])
})

test('a refusal is known by its name, whatever its code', async () => {
  const { http } = answering(402, failure(4711, 'no_balance', { missing: '3' }))
  await rejects(
    http.post('demo/minutes'),
    (error) =>
      error instanceof RefusedError &&
      error.refusal === 'no_balance' &&
      error.call === 'POST demo/minutes' &&
      error.additional.missing === '3' &&
      error.http_status === 402,
  )
})

test('a refusal of a server that sends no names yet is known by its code', async () => {
  const old = answering(503, { code: 405, message: '', additional: {} })
  await rejects(old.http.get('ss/kyc/token'), (error) =>
    isRefused(error, 'GET ss/kyc/token', 'method_unavailable'),
  )
})

test('a refusal that this client does not know is `unknown` and keeps its code', async () => {
  for (const answer of [failure(305, 'of_next_year'), { code: 777, message: '', additional: {} }]) {
    const { http } = answering(409, answer)
    await rejects(
      http.get('profile'),
      (error) =>
        error instanceof RefusedError && error.refusal === 'unknown' && error.code === answer.code,
    )
  }
})

test('an answer without a code is code 0 with its HTTP status', async () => {
  const { http } = answering(502, 'Bad Gateway')
  await rejects(
    http.get('system'),
    (error) =>
      error instanceof RefusedError &&
      error.refusal === 'unknown' &&
      error.code === 0 &&
      error.http_status === 502,
  )
})

test('a missing answer is not a refusal', async () => {
  const http = createHttp({
    origin: 'http://duet.test',
    token: () => undefined,
    onTokenRefused: () => {},
    fetch: () => Promise.reject(new TypeError('no network')),
  })
  await rejects(http.get('system'), NoAnswerError)
})

test('sends files as a form, everything else as JSON with its idempotency key', async () => {
  const { http, sent } = answering(200, { data: {} })
  await http.post('demo/minutes', {}, { idempotency_key: 'once' })
  equal((sent[0]!.init.headers as Record<string, string>)['Idempotency-Key'], 'once')
  equal(sent[0]!.init.body, '{}')
  await http.post('avatar', {}, { files: { img: new Blob(['x']) } })
  ok(sent[1]!.init.body instanceof FormData)
})

/**
 * A server that asks for a captcha before each call, or until a captcha was passed, as for a guest of a crowded
 * network.
 */
function askingForCaptchas(isOneEnough: boolean) {
  const solved: string[] = []
  const sent: string[] = []
  let isPassed = false
  let settle = (_payload: string | undefined) => {}
  const http = createHttp({
    origin: 'http://duet.test',
    token: () => undefined,
    onTokenRefused: () => {},
    solveCaptcha: (_, call) => {
      solved.push(call)
      return new Promise((resolve) => (settle = resolve))
    },
    fetch: (async (url: URL, { headers }: { headers: Record<string, string> }) => {
      sent.push(`${url.pathname}${headers.Captcha ? ' solved' : ''}`)
      if (headers.Captcha) isPassed = isOneEnough
      if (headers.Captcha || isPassed) return new Response('{"data":{}}')
      const challenge = { kind: 'hcaptcha', key: 'key' }
      const refusal = failure(600, 'captcha_required', { challenge })
      return new Response(JSON.stringify(refusal), { status: 429 })
    }) as unknown as typeof fetch,
  })
  return { http, solved, sent, solve: (payload?: string) => settle(payload) }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('calls that are asked for a captcha at the same moment share one where it is enough for all', async () => {
  const { http, solved, sent, solve } = askingForCaptchas(true)
  const calls = Promise.all([
    http.get('getSettings', { locale: 'de' }),
    http.post('balance'),
    http.post('profile', {}),
  ])
  await turn()
  deepEqual(solved, ['GET getSettings'])
  solve('payload')
  await calls
  deepEqual(solved, ['GET getSettings'])
  deepEqual(sent.slice(3), ['/api/getSettings solved', '/api/balance', '/api/profile'])
})

test('a captcha that is good for one call only is solved for each of them', async () => {
  const { http, solved, solve } = askingForCaptchas(false)
  const calls = Promise.all([http.post('balance'), http.post('profile', {})])
  await turn()
  solve('first')
  await turn()
  await turn()
  deepEqual(solved, ['POST balance', 'POST profile'])
  solve('second')
  await calls
})

test('a captcha that the user gave up opens no call, and those that waited for it ask for none', async () => {
  const { http, solved, solve } = askingForCaptchas(true)
  const first = rejects(http.post('balance'), RefusedError)
  const second = rejects(http.post('profile', {}), RefusedError)
  await turn()
  solve(undefined)
  await Promise.all([first, second])
  deepEqual(solved, ['POST balance'])
  const later = rejects(http.post('balance'), RefusedError)
  await turn()
  deepEqual(solved, ['POST balance', 'POST balance'])
  solve(undefined)
  await later
})
