import { deepEqual, equal } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { createPaysafecard } from './paysafecard.ts'

/** The answers of the provider in their order, and the requests that it got. */
const answers: object[] = []
const asked: string[] = []
const credentials = new Set<string | undefined>()
const server = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers['correlation-id']}`)
  credentials.add(request.headers.authorization)
  request.resume()
  const answer = answers.shift() ?? {}
  const status = 'number' in answer ? 400 : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())
beforeEach(() => {
  asked.length = 0
  answers.length = 0
})

const order = { reference: 'D1-ABC', payment_id: 'pay_1', price: 999n, currency: 'EUR' }
const payment = (status: string) => ({ id: 'pay_1', amount: 9.99, currency: 'EUR', status })

function ask() {
  const { port } = server.address() as AddressInfo
  const access = { api_key: 'psc_abcDEF123', base_url: `http://127.0.0.1:${port}` }
  return createPaysafecard(access).ask!(order)
}

test('requests carry the key as in the worked example, and the name of the order', async () => {
  answers.push(payment('INITIATED'))
  equal(await ask(), undefined)
  deepEqual([...credentials], ['Basic cHNjX2FiY0RFRjEyMw=='])
  deepEqual(asked, ['GET /v1/payments/pay_1 D1-ABC'])
})

test('an authorized payment is taken, and credits when that was confirmed', async () => {
  answers.push(payment('AUTHORIZED'), payment('SUCCESS'))
  const notice = await ask()
  deepEqual([notice?.kind, notice?.amount, notice?.currency], ['paid', 999n, 'EUR'])
  deepEqual(asked, ['GET /v1/payments/pay_1 D1-ABC', 'POST /v1/payments/pay_1/capture D1-ABC'])
})

test('a payment that was taken before is read again, and credits only if it was a success', async () => {
  answers.push(payment('AUTHORIZED'), { number: 2017 }, payment('SUCCESS'))
  equal((await ask())?.kind, 'paid')
  answers.push(payment('AUTHORIZED'), { number: 2017 }, payment('CANCELED_MERCHANT'))
  equal((await ask())?.kind, 'failed')
  answers.push(payment('AUTHORIZED'), { number: 3007 })
  equal(await ask(), undefined)
})
