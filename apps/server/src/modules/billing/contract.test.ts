import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type PaymentStandIn,
  startPaymentStandIn,
} from '@duet/server/integrations/payments/stand-in/stand-in.ts'
import type {
  PlayedPayment,
  SentNotice,
} from '@duet/server/integrations/payments/stand-in/provider.ts'
import {
  type ProviderName,
  variableName,
} from '@duet/server/integrations/payments/payments-config.ts'
import { toDecimal } from '@duet/server/lib/payments/minor-units.ts'
import { SAMPLE_FORM } from '@duet/server/lib/payments/sample-form.ts'
import { addMember } from '@duet/server/modules/profile/index.ts'
import { openTestApp, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/**
 * The effects of the callbacks of every provider, through HTTP and with the providers’ own signatures: no wrong credit and no missed
 * credit. A step that a provider does not report happens there without a notice. A case that cannot happen is left out, and
 * listed. Our own gift cards have no provider: the redemption of a code takes the place of the notice.
 */

const METHODS = [
  'verotel',
  'ccbill',
  'paysafecard',
  'cloudpayments',
  'fk',
  'crypto',
  'prime',
  'contact',
  'dafinci',
  'expay',
  'evypay',
  'payselect',
] as const
type Method = (typeof METHODS)[number]
/** The API of these providers tells the amount, not the notice. */
const ASKED: ReadonlySet<string> = new Set(['paysafecard', 'cloudpayments', 'btcpay'])
/** The state of an order can be asked from these providers, which also confirm a payment before it credits. */
const ASKING: ReadonlySet<string> = new Set([...ASKED, 'verotel', 'fk', 'crypto'])
const NO_COPY = 'two copies of a refund of a part'
/** The cases that cannot happen at a provider: it reports no refund, or names only its own payment. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  paysafecard: [NO_COPY, 'the order of another buyer', 'a second payment of a paid order'],
  fk: [NO_COPY],
  btcpay: [NO_COPY],
}
const SOLD = 15
const PRICE = 1499n

let standIn: PaymentStandIn
let testApp: TestApp
let buyers = 0

before(async () => {
  standIn = await startPaymentStandIn({
    port: 0,
    host: '127.0.0.1',
    notified_origin: () => testApp.origin,
  })
  testApp = await openShop(({ provider }) => provider !== 'btcpay')
})
after(async () => {
  await testApp.close()
  await standIn.close()
})

async function openShop(uses: (of: { provider: string }) => boolean): Promise<TestApp> {
  const env: Record<string, string> = {}
  for (const [provider, access] of Object.entries(standIn.access))
    if (uses({ provider }))
      for (const [field, value] of Object.entries(access as Record<string, string | undefined>))
        if (value !== undefined) env[variableName(provider as ProviderName, field)] = value
  const opened = await openTestApp({ env })
  for (const method of METHODS.slice(6)) await opened.setting(`${method}_form`, SAMPLE_FORM)
  return opened
}

interface Bought {
  readonly guy: TestUser
  readonly order_id: number
  readonly payment: PlayedPayment
}

async function addBuyer(): Promise<TestUser> {
  buyers += 1
  const nick = `Buyer ${buyers}`
  const email = `buyer-${buyers}@duet.example`
  const password = randomBytes(9).toString('base64url')
  const { token } = await addMember(testApp.app, { role: 'guy', nick, email, password })
  return testApp.user(nick, token)
}

/** A new guy who stands on the page of the provider. */
async function begin(method: Method): Promise<Bought> {
  const guy = await addBuyer()
  const { packages } = await guy.get('packages')
  const { package_id, methods } = packages.find(({ value }) => value === SOLD)!
  ok(methods.includes(method), `${method} is offered`)
  const started = await guy.post('payment/start', { package_id, method, place: 'billing' })
  // No page runs the script of a widget here.
  const url = started.url.includes('/payment/widget?') ? `${started.url}&plain=1` : started.url
  await (await fetch(url)).text()
  return { guy, order_id: started.order_id, payment: standIn.payments().at(-1)! }
}

type Step = Parameters<PaymentStandIn['play']>[1]

/** The case cannot happen at this provider. */
class Impossible extends Error {}

/** Plays a step. Returns whether the provider reports it. */
async function play({ payment }: Bought, step: Step): Promise<boolean> {
  const isReported = standIn.notices(payment.id, { ...step, step: 0 }).length > 0
  // The API of a provider is asked at most once in ten seconds.
  testApp.clock.sleep(testApp.clock.now().add({ seconds: 10 }))
  await standIn.play(payment.id, step)
  return isReported
}

/** The provider gives money back and reports it, or the operator records it. */
async function giveBack(bought: Bought, amount?: bigint): Promise<void> {
  if (await play(bought, { type: 'refunded', ...(amount && { amount }) })) return
  const part = amount ? ['--amount', toDecimal(amount, 'USD')] : []
  await testApp.duet('orders', 'refund', `${bought.order_id}`, ...part, '--comment', 'given back')
}

/** The bank takes the money back, and the provider reports it, or the operator records it. */
async function chargeBack(bought: Bought): Promise<void> {
  if (await play(bought, { type: 'charged_back' })) return
  await testApp.duet('orders', 'chargeback', `${bought.order_id}`, '--comment', 'the bank says so')
}

async function send({ method, url, headers, body }: SentNotice): Promise<number> {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  await answer.arrayBuffer()
  return answer.status
}

const paidNotice = ({ payment }: Bought): SentNotice => {
  payment.state = 'paid'
  return standIn.notices(payment.id, { type: 'paid', step: 0 })[0]!
}

async function minutes({ guy }: Bought): Promise<number> {
  return Number((await guy.post('balance')).balance)
}

async function state({ order_id }: Bought): Promise<string> {
  const row = await testApp.app.db
    .selectFrom('orders')
    .select('state')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  return row.state
}

async function isAt(bought: Bought, expected: readonly [string, number]): Promise<void> {
  deepEqual([await state(bought), await minutes(bought)], expected)
}

/** The provider itself has another amount than was ordered. */
function changeAmount(payment: PlayedPayment, amount: bigint): void {
  Object.assign(payment, { amount })
}

type Case = (method: Method, provider: string) => Promise<void>

const CASES = {
  async 'a payment'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'fifty copies at once'(method) {
    const bought = await begin(method)
    const notice = paidNotice(bought)
    await together(50, () => send(notice))
    await isAt(bought, ['paid', SOLD])
  },
  async 'a payment after the order expired'(method) {
    const bought = await begin(method)
    await testApp.app.db
      .updateTable('orders')
      .set({ state: 'expired' })
      .where('order_id', '=', bought.order_id)
      .execute()
    await play(bought, { type: 'paid' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'a payment after a failure'(method) {
    const bought = await begin(method)
    const isReported = await play(bought, { type: 'failed' })
    await isAt(bought, [isReported ? 'failed' : 'sent', 0])
    await play(bought, { type: 'paid' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'a failure after the payment'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await play(bought, { type: 'failed' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'pending, then paid'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'pending' })
    await isAt(bought, ['sent', 0])
    await play(bought, { type: 'paid' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'paid, then pending'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await play(bought, { type: 'pending' })
    await isAt(bought, ['paid', SOLD])
  },
  async 'a refund before the payment is reported'(method) {
    const bought = await begin(method)
    await giveBack(bought)
    await play(bought, { type: 'paid' })
    // The refund names only its payment, which was unknown: it is sent again.
    if (method === 'ccbill') await giveBack(bought)
    await isAt(bought, ['refunded', 0])
  },
  async 'a refund'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await giveBack(bought)
    await isAt(bought, ['refunded', 0])
  },
  async 'a refund of a part'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await giveBack(bought, 500n)
    await isAt(bought, ['paid', 9.9966])
  },
  async 'two copies of a refund of a part'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    const [notice] = standIn.notices(bought.payment.id, { type: 'refunded', amount: 500n, step: 9 })
    if (!notice) throw new Impossible()
    bought.payment.state = 'refunded'
    await send(notice)
    await send(notice)
    await isAt(bought, ['paid', 9.9966])
  },
  async 'a chargeback'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await chargeBack(bought)
    await isAt(bought, ['charged_back', 0])
  },
  async 'a chargeback after a refund'(method) {
    const bought = await begin(method)
    await play(bought, { type: 'paid' })
    await giveBack(bought)
    await chargeBack(bought)
    await isAt(bought, ['charged_back', 0])
  },
  async 'a part of the price'(method, provider) {
    const bought = await begin(method)
    const amount = PRICE - 1n
    if (ASKED.has(provider)) changeAmount(bought.payment, amount)
    if (!(await play(bought, { type: 'partial', amount })))
      await play(bought, { type: 'paid', amount })
    await isAt(bought, ['quarantined', 0])
  },
  async 'another amount'(method, provider) {
    const bought = await begin(method)
    if (ASKED.has(provider)) changeAmount(bought.payment, 1n)
    await play(bought, { type: 'paid', amount: 1n })
    await isAt(bought, ['quarantined', 0])
  },
  async 'another currency'(method, provider) {
    const bought = await begin(method)
    // The notice of FreeKassa names no currency: the redirect signed it. Its API names the currency.
    const isAsked = method === 'fk'
    if (ASKED.has(provider) || isAsked)
      Object.assign(bought.payment, { currency: 'EUR', state: 'paid' })
    if (isAsked) await ask(bought)
    else await play(bought, { type: 'paid', currency: 'EUR' })
    await isAt(bought, ['quarantined', 0])
  },
  async 'an unknown order'(method) {
    const bought = await begin(method)
    const [notice] = standIn.notices(bought.payment.id, {
      type: 'paid',
      reference: 'D0-UNKNOWN',
      step: 0,
    })
    // The notice of paysafecard names its payment instead of an order.
    await send({ ...notice!, ...(method === 'paysafecard' && { body: 'mtid=pay_unknown' }) })
    await isAt(bought, ['sent', 0])
  },
  async 'the order of another buyer'(method, provider) {
    if (provider === 'paysafecard') throw new Impossible()
    const [bought, other] = [await begin(method), await begin(method)]
    await play(bought, { type: 'paid', reference: readReference(other), amount: 1n })
    await isAt(bought, ['sent', 0])
    // The API does not confirm the notice, or the amount differs.
    await isAt(other, [ASKING.has(provider) ? 'sent' : 'quarantined', 0])
  },
  async 'a second payment of a paid order'(method, provider) {
    if (provider === 'paysafecard') throw new Impossible()
    const [bought, other] = [await begin(method), await begin(method)]
    await play(bought, { type: 'paid' })
    await play(other, { type: 'paid', reference: readReference(bought) })
    await isAt(bought, ['paid', SOLD])
    await isAt(other, ['sent', 0])
  },
  async 'a forged notice'(method, provider) {
    // Nothing is signed: a notice is only a reason to ask.
    if (provider === 'paysafecard') return reportUnmade(method)
    const bought = await begin(method)
    const notice = paidNotice(bought)
    const forged = {
      ...notice,
      url: notice.url.replace(/(signature=)./, '$1x'),
      headers: Object.fromEntries(
        Object.entries(notice.headers).map(([name, value]) => [
          name,
          /hmac|sig/.test(name) ? `x${value}` : value,
        ]),
      ),
      ...(notice.body !== undefined && {
        body: notice.body.replace(/(sign|SIGN|ValidationDigest)=../, '$1=xx'),
      }),
    }
    equal(await send(forged), 400)
    await isAt(bought, ['sent', 0])
    if (ASKING.has(provider)) await reportUnmade(method)
  },
  async 'a payment whose notice comes late'(method, provider) {
    const bought = await begin(method)
    standIn.faults = { keeps_notices: true }
    await play(bought, { type: 'paid' })
    standIn.faults = {}
    await ask(bought)
    const isFound = ASKING.has(provider)
    await isAt(bought, isFound ? ['paid', SOLD] : ['sent', 0])
    await standIn.sendKept()
    await isAt(bought, ['paid', SOLD])
  },
  async 'a body that was cut'(method) {
    const bought = await begin(method)
    const notice = paidNotice(bought)
    bought.payment.state = 'open'
    const cut = {
      ...notice,
      url: notice.url.slice(0, -6),
      ...(notice.body !== undefined && { url: notice.url, body: notice.body.slice(0, -6) }),
    }
    ok((await send(cut)) < 500)
    await isAt(bought, ['sent', 0])
  },
  async 'an empty request'(method) {
    for (const how of ['GET', 'POST'] as const) {
      const url = `${testApp.origin}/api/payment/notify/${method}`
      equal(await send({ method: how, url, headers: {} }), 400)
    }
  },
  async 'the notice at the address of another method'(method) {
    const bought = await begin(method)
    const notice = paidNotice(bought)
    bought.payment.state = 'open'
    const other = method === 'verotel' ? 'fk' : 'verotel'
    await send({ ...notice, url: notice.url.replace(`notify/${method}`, `notify/${other}`) })
    await isAt(bought, ['sent', 0])
  },
} satisfies Readonly<Record<string, Case>>

/** The page of the buyer asks for the order, and the server asks the provider. */
async function ask({ guy, order_id }: Bought): Promise<void> {
  await guy.get(`orders/${order_id}`)
}

/** The notice is genuine, and the provider has no such payment. */
async function reportUnmade(method: Method): Promise<void> {
  const bought = await begin(method)
  const notice = paidNotice(bought)
  bought.payment.state = 'open'
  await send(notice)
  await isAt(bought, ['sent', 0])
}

function readReference({ payment }: Bought): string {
  return payment.reference
}

async function runCases(method: Method, provider: string): Promise<string[]> {
  const leftOut: string[] = []
  for (const [name, work] of Object.entries(CASES))
    try {
      await work(method, provider)
    } catch (error) {
      if (!(error instanceof Impossible))
        throw new Error(`${provider}: ${name}: ${(error as Error).message}`, { cause: error })
      leftOut.push(name)
    }
  const late = await begin(method)
  const notice = paidNotice(late)
  await send(notice)
  testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 30 }))
  await send(notice)
  equal(await state(late), 'paid')
  equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
  return leftOut
}

for (const method of METHODS)
  test(`no callback of ${method} credits wrongly, and none is missed`, async () => {
    const leftOut = await runCases(method, method)
    deepEqual(leftOut, LEFT_OUT[method] ?? [])
  })

const CARD_MINUTES = 30
const NO_OPEN_ORDER =
  'the order of a code is made by its redemption: no order is open, expires or fails'
const NO_BANK = 'no bank has moved money that it could take back'

async function createCode(...options: readonly string[]): Promise<string> {
  const line = ['giftcards', 'create', '--count', '1', '--minutes', `${CARD_MINUTES}`, ...options]
  return (await testApp.duet<{ codes: string[] }>(...line)).codes[0]!
}

/** The server ignores all fields beyond the code. */
async function redeem(guy: TestUser, code: string, more: object = {}): Promise<number> {
  return (await guy.post('gift-card/redeem', Object.assign({ code }, more))).order_id
}

async function isRefused(guy: TestUser, code: string): Promise<void> {
  await guy.isRefused('not_found', () => redeem(guy, code))
}

async function hasMinutes(guy: TestUser, expected: number): Promise<void> {
  equal(Number((await guy.post('balance')).balance), expected)
}

async function refund(order_id: number, ...part: readonly string[]): Promise<void> {
  await testApp.duet('orders', 'refund', `${order_id}`, ...part, '--comment', 'given back')
}

async function stateOfCard(order_id: number): Promise<string> {
  const row = await testApp.app.db
    .selectFrom('orders')
    .select('state')
    .where('order_id', '=', order_id)
    .executeTakeFirstOrThrow()
  return row.state
}

/** Each case of the table as it is for a code, or why it cannot happen to a code. */
const CARD_CASES: Readonly<
  Record<keyof typeof CASES, string | ((guy: TestUser) => Promise<void>)>
> = {
  async 'a payment'(guy) {
    equal(await stateOfCard(await redeem(guy, await createCode())), 'paid')
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'fifty copies at once'(guy) {
    const code = await createCode()
    await together(50, () => redeem(guy, code).catch(() => undefined))
    await hasMinutes(guy, CARD_MINUTES)
  },
  'a payment after the order expired': NO_OPEN_ORDER,
  async 'a payment after a failure'(guy) {
    await isRefused(guy, 'AAAA-AAAA-AAAA-AAAA')
    await redeem(guy, await createCode())
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'a failure after the payment'(guy) {
    const order_id = await redeem(guy, await createCode())
    await isRefused(guy, 'AAAA-AAAA-AAAA-AAAA')
    equal(await stateOfCard(order_id), 'paid')
    await hasMinutes(guy, CARD_MINUTES)
  },
  'pending, then paid': NO_OPEN_ORDER,
  'paid, then pending': NO_OPEN_ORDER,
  'a refund before the payment is reported': NO_OPEN_ORDER,
  async 'a refund'(guy) {
    const order_id = await redeem(guy, await createCode())
    await refund(order_id)
    equal(await stateOfCard(order_id), 'refunded')
    await hasMinutes(guy, 0)
  },
  async 'a refund of a part'(guy) {
    const order_id = await redeem(guy, await createCode('--price', '15.00'))
    await refund(order_id, '--amount', '5.00')
    equal(await stateOfCard(order_id), 'paid')
    await hasMinutes(guy, (CARD_MINUTES * 2) / 3)
  },
  'two copies of a refund of a part':
    'the operator gives a card back, and a second command is a second refund',
  'a chargeback': NO_BANK,
  'a chargeback after a refund': NO_BANK,
  async 'a part of the price'(guy) {
    await redeem(guy, await createCode(), { price: '0.01', minutes: 1 })
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'another amount'(guy) {
    await redeem(guy, await createCode(), { amount: '9999', value: 9999, minutes: 9999 })
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'another currency'(guy) {
    await redeem(guy, await createCode(), { currency: 'EUR' })
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'an unknown order'(guy) {
    await isRefused(guy, '0000-0000-0000-0000')
    await hasMinutes(guy, 0)
  },
  async 'the order of another buyer'(guy) {
    const code = await createCode()
    await redeem(await addBuyer(), code)
    await isRefused(guy, code)
    await hasMinutes(guy, 0)
  },
  async 'a second payment of a paid order'(guy) {
    const orders = [await redeem(guy, await createCode()), await redeem(guy, await createCode())]
    equal(new Set(orders).size, 2)
    await hasMinutes(guy, 2 * CARD_MINUTES)
  },
  async 'a forged notice'(guy) {
    const code = await createCode()
    const last = code.at(-1)
    await isRefused(guy, `${code.slice(0, -1)}${last === '0' ? '1' : '0'}`)
    await hasMinutes(guy, 0)
  },
  async 'a payment whose notice comes late'(guy) {
    const code = await createCode()
    const order_id = await redeem(guy, code)
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 30 }))
    equal(await redeem(guy, code), order_id)
    await hasMinutes(guy, CARD_MINUTES)
  },
  async 'a body that was cut'(guy) {
    await isRefused(guy, (await createCode()).slice(0, -1))
    await hasMinutes(guy, 0)
  },
  async 'an empty request'(guy) {
    await guy.isRefused('invalid', () => redeem(guy, ''))
    await guy.isRefused('invalid', () => guy.post('gift-card/redeem', {} as never))
  },
  async 'the notice at the address of another method'() {
    const bought = await begin('verotel')
    const notice = paidNotice(bought)
    bought.payment.state = 'open'
    const url = notice.url.replace('notify/verotel', 'notify/giftcard')
    const status = await send({ ...notice, url })
    ok(status >= 400)
    await isAt(bought, ['sent', 0])
  },
}

test('no redemption of a gift card credits wrongly, and none is missed', async () => {
  for (const [name, work] of Object.entries(CARD_CASES)) {
    if (typeof work === 'string') continue
    // The tries of a network and of a guy are limited.
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 2 }))
    await work(await addBuyer()).catch((error: unknown) => {
      throw new Error(`giftcard: ${name}: ${(error as Error).message}`, { cause: error })
    })
  }
  equal((await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok, true)
})

test('no callback of a BTCPay Server credits wrongly, and none is missed', async () => {
  await testApp.close()
  testApp = await openShop(({ provider }) => provider === 'btcpay' || provider === 'verotel')
  const leftOut = await runCases('crypto', 'btcpay')
  deepEqual(leftOut, LEFT_OUT.btcpay)
})
