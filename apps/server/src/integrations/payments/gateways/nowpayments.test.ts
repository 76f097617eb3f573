import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { GatewayUnavailable } from '../../../lib/payments/gateway-unavailable.ts'
import { createNowPayments } from './nowpayments.ts'

/** The answers of the provider by path, and the requests that it got. */
const answers = new Map<string, { status: number; body: object }>()
const asked: string[] = []
const server = createServer((request, response) => {
  const path = request.url!.split('?')[0]!
  asked.push(`${request.url} ${request.headers.authorization ?? 'no token'}`)
  const { status, body } = answers.get(path) ?? { status: 404, body: {} }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
before(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
after(() => server.close())

const order = {
  reference: 'order-1001',
  payment_id: 'invoice-6200264890',
  price: 999n,
  currency: 'USD',
}
const account = { email: 'shop@duet.example', password: 'p' }

function createGateway(own: { email?: string; password?: string } = {}) {
  const { port } = server.address() as AddressInfo
  asked.length = 0
  const access = { api_key: 'k', ipn_secret: 's', base_url: `http://127.0.0.1:${port}` }
  return createNowPayments(Object.assign(access, own))
}

const payment = (id: number, status: string, reference = order.reference) => ({
  payment_id: id,
  payment_status: status,
  order_id: reference,
  price_amount: 9.99,
  price_currency: 'usd',
})

function list(...data: object[]): void {
  answers.set('/v1/payment/', { status: 200, body: { data } })
  answers.set('/v1/auth', { status: 200, body: { token: 'jwt' } })
}

test('the payments of the invoice are asked with the token of the account', async () => {
  list(payment(7, 'finished'))
  const notice = await createGateway(account).ask!(order)
  deepEqual(
    [notice?.kind, notice?.amount, notice?.currency, notice?.step_id],
    ['paid', 999n, 'USD', '7:finished'],
  )
  deepEqual(asked, [
    '/v1/auth no token',
    '/v1/payment/?limit=50&page=0&sortBy=created_at&orderBy=desc&invoiceId=6200264890 Bearer jwt',
  ])
})

test('the finished payment of an invoice counts, whatever came before and after it', async () => {
  list(payment(9, 'waiting'), payment(8, 'finished'), payment(7, 'expired'))
  equal((await createGateway(account).ask!(order))?.payment_id, '8')
  list(payment(9, 'expired'), payment(7, 'partially_paid'))
  equal((await createGateway(account).ask!(order))?.kind, 'partial')
})

test('a payment of another order is not taken, and no payment says nothing', async () => {
  list(payment(7, 'finished', 'order-1002'))
  equal(await createGateway(account).ask!(order), undefined)
  list()
  equal(await createGateway(account).ask!(order), undefined)
  equal(await createGateway(account).ask!({ ...order, payment_id: undefined }), undefined)
  deepEqual(asked, [])
})

test('a list that the credentials do not open is no answer about the order', async () => {
  answers.set('/v1/payment/', { status: 403, body: { code: 'INVALID_API_KEY' } })
  for (const credentials of [undefined, account])
    await rejects(async () => createGateway(credentials).ask!(order), GatewayUnavailable)
  answers.set('/v1/auth', { status: 401, body: {} })
  await rejects(async () => createGateway(account).ask!(order), GatewayUnavailable)
})
