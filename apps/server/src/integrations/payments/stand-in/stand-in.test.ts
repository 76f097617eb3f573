import { deepEqual, equal, match } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { createVerotel } from '../gateways/verotel.ts'
import type { PayableOrder } from '../gateway.ts'
import { type PaymentStandIn, startPaymentStandIn } from './stand-in.ts'

/** The installation: it answers notices with these statuses in their order, then with 200. */
const statuses: number[] = []
const heard: string[] = []
const waiting: (() => void)[] = []
const installation = createServer((request, response) => {
  const { searchParams } = new URL(request.url!, 'http://localhost')
  heard.push(
    ['event', 'referenceID', 'priceAmount'].map((name) => searchParams.get(name)).join(' '),
  )
  response.writeHead(statuses.shift() ?? 200).end()
  waiting.shift()?.()
})
let standIn: PaymentStandIn

before(async () => {
  await new Promise<void>((resolve) => installation.listen(0, '127.0.0.1', resolve))
  const { port } = installation.address() as AddressInfo
  standIn = await startPaymentStandIn({
    port: 0,
    host: '127.0.0.1',
    notified_origin: () => `http://127.0.0.1:${port}`,
    retries_ms: [0, 0],
  })
})
after(async () => {
  await standIn.close()
  installation.close()
})
afterEach(() => {
  standIn.faults = {}
  statuses.length = 0
  heard.length = 0
})

/** Resolves when this number of further notices has arrived. */
function hearing(count: number): Promise<unknown> {
  return Promise.all(
    Array.from({ length: count }, () => new Promise<void>((resolve) => waiting.push(resolve))),
  )
}

let orders = 0

/** The page of the provider for a new order, as the browser reaches it. */
async function openPage() {
  orders += 1
  const order: PayableOrder = {
    reference: `ORDER-${orders}`,
    buyer_key: 'u42',
    price: 1499n,
    currency: 'USD',
    description: '15 minutes <b>',
    locale: 'en',
    email: undefined,
    return_url: 'http://duet.example/return',
    notify_url: '',
    expires_at: Temporal.Instant.from('2026-01-01T00:00:00Z'),
  }
  const { url } = await createVerotel(standIn.access.verotel!).start(order)
  const page = await fetch(url)
  return { reference: order.reference, id: standIn.payments().at(-1)!.id, page }
}

const press = (path: string, body = '') =>
  fetch(`${standIn.origin}${path}`, { method: 'POST', body, redirect: 'manual' })
const control = async () => (await fetch(standIn.origin)).text()
const switchOn = (...faults: string[]) =>
  press('/control/faults', faults.map((name) => `${name}=on`).join('&'))

test('a page of another site presses no button', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const path = `${standIn.origin}/control/faults`
  const answer = await fetch(path, { method: 'POST', body: 'is_down=on', headers })
  deepEqual([answer.status, standIn.faults], [403, {}])
})

test('a person pays or declines on the page, and the browser goes home', async () => {
  const { id, page, reference } = await openPage()
  const text = await page.text()
  match(text, /15 minutes &#60;b&#62;/)
  match(text, /14\.99 USD/)
  const arrived = hearing(1)
  const answer = await press(`/pay/${id}?press=pay`)
  deepEqual([answer.status, answer.headers.get('location')], [303, 'http://duet.example/return'])
  await arrived
  deepEqual(heard, [`initial ${reference} 14.99`])
  match(await (await press(`/pay/${id}?press=decline`)).text(), /This payment is over/)
  const declined = await openPage()
  equal((await press(`/pay/${declined.id}?press=decline`)).status, 303)
  equal(standIn.payments().at(-1)!.state, 'failed')
})

test('a notice that is not taken is sent again until it is', async () => {
  const { id } = await openPage()
  statuses.push(503, 500)
  const arrived = hearing(3)
  await press(`/pay/${id}?press=pay`)
  await arrived
  deepEqual(new Set(heard).size, 1)
  equal(heard.length, 3)
})

test('kept notices are sent late, in their order or the last first', async () => {
  await switchOn('keeps_notices')
  const [one, other] = [await openPage(), await openPage()]
  for (const { id } of [one, other]) await press(`/pay/${id}?press=pay`)
  match(await control(), /Kept notices: 2/)
  deepEqual(heard, [])
  await press('/control/kept?reversed=1')
  deepEqual(heard, [`initial ${other.reference} 14.99`, `initial ${one.reference} 14.99`])
  match(await control(), /Kept notices: 0/)
})

test('a switch duplicates notices, and another one pays a cent less', async () => {
  await switchOn('repeats', 'pays_less')
  match(await control(), /name="repeats" checked/)
  const { id, reference } = await openPage()
  const arrived = hearing(3)
  await press(`/pay/${id}?press=pay`)
  await arrived
  deepEqual(
    heard,
    Array.from({ length: 3 }, () => `initial ${reference} 14.98`),
  )
  await switchOn()
  deepEqual(standIn.faults.repeats, 1)
})

test('the provider is down until it is switched on again', async () => {
  const { id } = await openPage()
  await switchOn('is_down')
  equal((await fetch(`${standIn.origin}/pay/${id}`)).status, 503)
  equal((await openPage()).page.status, 503)
  await switchOn()
  equal((await fetch(`${standIn.origin}/pay/${id}`)).status, 200)
})

test('a person gives a payment back and charges it back', async () => {
  const { id, reference } = await openPage()
  await press(`/control/steps/${id}?type=paid`)
  for (const type of ['refunded', 'charged_back']) {
    match(await control(), new RegExp(`/control/steps/${id}\\?type=${type}`))
    await press(`/control/steps/${id}?type=${type}`)
  }
  deepEqual(heard, [
    `initial ${reference} 14.99`,
    `credit ${reference} 14.99`,
    `chargeback ${reference} 14.99`,
  ])
  for (const path of [`/control/steps/${id}?type=stolen`, '/control/steps/none?type=paid'])
    equal((await press(path)).status, 404)
})
