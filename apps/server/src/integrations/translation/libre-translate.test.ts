import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { startLibreTranslate } from '@duet/testkit/stand-ins/libre-translate.ts'
import { createLibreTranslate } from './libre-translate.ts'

interface Adapter {
  readonly url: string
  readonly key?: string
  readonly answer_limit_ms?: number
}

const ola = { text: 'Olá', to: 'en', user_id: 1 }

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
    service.status = status
    equal(await translator.translate(ola), result)
  }
  service.status = 200
  deepEqual(await translator.translate(ola), { text: '[en] Olá', from: 'pt' })
  deepEqual(failures, [])
})

test('a service that refuses us or is away is left alone for half a minute', async () => {
  await using service = await startLibreTranslate({ key: 'secret' })
  const { translator, clock, failures } = adapter({ url: service.url, key: 'wrong' })
  equal(await translator.translate(ola), undefined)
  equal(await translator.translate(ola), undefined)
  equal(service.requests.length, 1)
  clock.ms += 30_000
  equal(await translator.translate(ola), undefined)
  equal(service.requests.length, 2)
  deepEqual(failures, ['status 403', 'status 403'])
  const gone = adapter({ url: 'http://127.0.0.1:9' })
  equal(await gone.translator.translate(ola), undefined)
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

test('slow texts of one user do not stop the texts of others, slow answers to many users do', async () => {
  await using service = await startLibreTranslate()
  const { promise: never, resolve } = Promise.withResolvers<void>()
  service.before = () => never
  const { translator, failures } = adapter({ url: service.url, answer_limit_ms: 1 })
  for (let text = 0; text < 5; text += 1) equal(await translator.translate(ola), 'failed')
  deepEqual(failures, [])
  for (const user_id of [2, 3]) equal(await translator.translate({ ...ola, user_id }), 'failed')
  deepEqual(failures, ['slow answers'])
  equal(await translator.translate({ ...ola, user_id: 4 }), undefined)
  resolve()
})
