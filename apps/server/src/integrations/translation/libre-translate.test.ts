import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  type LibreTranslateStandIn,
  startLibreTranslate,
} from '@duet/testkit/stand-ins/libre-translate.ts'
import { createLibreTranslate } from './libre-translate.ts'

interface Adapter {
  readonly url: string
  readonly key?: string
  readonly answer_limit_ms?: number
}

const ola = { text: 'Olá', to: 'en', user_id: 1 }
const other = { ...ola, user_id: 99 }
const PROBE = 'Bonjour'
const sent = ({ requests }: LibreTranslateStandIn) => requests.map(({ q }) => q)

function adapter({ url, key, answer_limit_ms }: Adapter) {
  const clock = { ms: 0 }
  const failures: string[] = []
  const translator = createLibreTranslate({
    url,
    key,
    answer_limit_ms,
    nowMs: () => clock.ms,
    onUnavailable: (reason) => failures.push(reason),
  })
  return { translator, clock, failures }
}

test('a text comes back translated, with the language it was recognised as', async () => {
  await using service = await startLibreTranslate({ key: 'secret' })
  const { translator } = adapter({ url: service.url, key: 'secret' })
  deepEqual(await translator.translate(ola), { text: '[en] Olá', from: 'pt' })
  deepEqual(service.requests, [
    { q: 'Olá', source: 'auto', target: 'en', format: 'text', api_key: 'secret' },
  ])
  service.confidence = 4
  deepEqual(await translator.translate({ ...ola, text: 'hm', to: 'de' }), {
    text: '[de] hm',
    from: undefined,
  })
})

test('a text or language that the service cannot translate does not stop the other texts', async () => {
  await using service = await startLibreTranslate()
  const { translator, failures } = adapter({ url: service.url })
  for (const [status, result] of [
    [400, undefined],
    [500, 'failed'],
  ] as const) {
    service.before = async ({ q }) => void (service.status = q === 'odd' ? status : 200)
    equal(await translator.translate({ ...ola, text: 'odd' }), result)
    deepEqual(await translator.translate(ola), { text: '[en] Olá', from: 'pt' })
  }
  deepEqual(failures, [])
})

test('a service that refuses us or is away is left alone for half a minute', async () => {
  await using service = await startLibreTranslate({ key: 'secret' })
  const { translator, clock, failures } = adapter({ url: service.url, key: 'wrong' })
  equal(await translator.translate(ola), undefined)
  equal(await translator.translate(other), undefined)
  deepEqual(sent(service), ['Olá', PROBE])
  clock.ms += 30_000
  equal(await translator.translate(ola), undefined)
  equal(await translator.translate(other), undefined)
  deepEqual(sent(service), ['Olá', PROBE, 'Olá', PROBE])
  deepEqual(failures, ['status 403', 'status 403'])
  const gone = adapter({ url: 'http://127.0.0.1:9' })
  equal(await gone.translator.translate(ola), undefined)
  equal(await gone.translator.translate(other), undefined)
  equal(gone.failures.length, 1)
})

test('an answer that is no translation is a failed text, and does not stop the others', async () => {
  await using service = await startLibreTranslate()
  for (const body of ['{}', 'null', '[]', '{"translatedText":7}', '{"translatedText":" "}']) {
    service.body = body
    equal(await adapter({ url: service.url }).translator.translate(ola), 'failed', body)
  }
  for (const body of ['<html>', JSON.stringify({ translatedText: 'a'.repeat(70_000) })]) {
    service.body = body
    const { translator, failures } = adapter({ url: service.url })
    equal(await translator.translate(ola), 'failed')
    deepEqual(failures, [])
  }
})

test('texts that the service is too slow for cost their users a pause, not the others, however many they are', async () => {
  await using service = await startLibreTranslate()
  const { promise: never, resolve } = Promise.withResolvers<void>()
  service.before = ({ q }) => (q === 'slow' ? never : Promise.resolve())
  const { translator, clock, failures } = adapter({ url: service.url, answer_limit_ms: 1_000 })
  const hostile = [1, 2, 3].map((user_id) => ({ ...ola, text: 'slow', user_id }))
  const results = await Promise.all(hostile.map((order) => translator.translate(order)))
  deepEqual(results, ['failed', 'failed', 'failed'])
  deepEqual(await translator.translate(other), { text: '[en] Olá', from: 'pt' })
  clock.ms += 500
  for (const order of hostile) deepEqual(await translator.translate(order), { retry_after: 30 })
  clock.ms += 28_500
  for (const order of hostile) deepEqual(await translator.translate(order), { retry_after: 1 })
  deepEqual(sent(service), ['slow', 'slow', 'slow', PROBE, 'Olá'])
  clock.ms += 1_000
  deepEqual(await translator.translate(ola), { text: '[en] Olá', from: 'pt' })
  deepEqual(failures, [])
  resolve()
})

for (const status of [403, 429, 502, 503, 504])
  test(`a text that is answered ${status}, by the service or by a proxy, stops its user only`, async () => {
    await using service = await startLibreTranslate()
    service.before = async ({ q }) => void (service.status = q === 'odd' ? status : 200)
    const { translator, failures } = adapter({ url: service.url })
    equal(await translator.translate({ ...ola, text: 'odd' }), undefined)
    deepEqual(await translator.translate(other), { text: '[en] Olá', from: 'pt' })
    deepEqual(await translator.translate(ola), { retry_after: 30 })
    deepEqual(failures, [])
  })

test('a service that answers nothing in time is left alone after one text', async () => {
  await using service = await startLibreTranslate()
  const { promise: never, resolve } = Promise.withResolvers<void>()
  service.before = () => never
  const { translator, failures } = adapter({ url: service.url, answer_limit_ms: 1 })
  equal(await translator.translate(ola), 'failed')
  equal(await translator.translate(other), undefined)
  deepEqual(failures, ['TimeoutError'])
  resolve()
})

test('a service that fails at every text is left alone after one', async () => {
  await using service = await startLibreTranslate()
  service.status = 500
  const { translator, failures } = adapter({ url: service.url })
  equal(await translator.translate(ola), 'failed')
  equal(await translator.translate(other), undefined)
  deepEqual(sent(service), ['Olá', PROBE])
  deepEqual(failures, ['status 500'])
})
