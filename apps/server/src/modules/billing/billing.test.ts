import { readFile } from 'node:fs/promises'
import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { SAMPLE_FORM } from '@duet/server/lib/payments/sample-form.ts'
import { startPaymentStandIn } from '@duet/server/integrations/payments/stand-in/stand-in.ts'
import type { Order } from '@duet/protocol/contracts/billing.ts'
import { orderPath } from '@duet/server/modules/billing/pages/return-page.ts'
import { paidCall } from '@duet/testkit/calls/in-call.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

let origin = ''
const standIn = await startPaymentStandIn({
  port: 0,
  host: '127.0.0.1',
  notified_origin: () => origin,
})
const { shop_id, signature_key, base_url } = standIn.access.verotel!
const shop = story.with({
  env: {
    VEROTEL_SHOP_ID: shop_id,
    VEROTEL_SIGNATURE_KEY: signature_key,
    VEROTEL_BASE_URL: base_url,
  },
})

const { fk } = standIn.access
const askedShop = story.with({
  env: {
    FK_MERCHANT_ID: fk!.merchant_id,
    FK_SECRET_1: fk!.secret_1,
    FK_SECRET_2: fk!.secret_2,
    FK_API_KEY: fk!.api_key!,
    FK_API_URL: fk!.api_url!,
    FK_BASE_URL: fk!.base_url,
  },
})

const cloud = standIn.access.cloudpayments!
const widgetShop = story.with({
  env: {
    CLOUDPAYMENTS_PUBLIC_ID: cloud.public_id,
    CLOUDPAYMENTS_API_SECRET: cloud.api_secret,
    CLOUDPAYMENTS_BASE_URL: cloud.base_url,
    CLOUDPAYMENTS_WIDGET_URL: cloud.widget_url!,
  },
})

const { btcpay } = standIn.access
const cryptoShop = story.with({
  env: {
    BTCPAY_STORE_ID: btcpay!.store_id,
    BTCPAY_API_KEY: btcpay!.api_key,
    BTCPAY_WEBHOOK_SECRET: btcpay!.webhook_secret,
    BTCPAY_BASE_URL: btcpay!.base_url,
  },
})

const { ccbill } = standIn.access
const cardShop = story.with({
  env: {
    CCBILL_ACCOUNT: ccbill!.account,
    CCBILL_SUBACCOUNT: ccbill!.subaccount,
    CCBILL_FORM_ID: ccbill!.form_id,
    CCBILL_SALT: ccbill!.salt,
    CCBILL_BASE_URL: ccbill!.base_url,
  },
})

const dataLinkShop = story.with({
  env: {
    CCBILL_ACCOUNT: ccbill!.account,
    CCBILL_SUBACCOUNT: ccbill!.subaccount,
    CCBILL_FORM_ID: ccbill!.form_id,
    CCBILL_SALT: ccbill!.salt,
    CCBILL_BASE_URL: ccbill!.base_url,
    CCBILL_DATALINK_USERNAME: ccbill!.datalink_username!,
    CCBILL_DATALINK_PASSWORD: ccbill!.datalink_password!,
    CCBILL_DATALINK_URL: ccbill!.datalink_url!,
  },
})

const { prime } = standIn.access
const formShop = story.with({
  env: {
    PRIME_SECRET_1: prime!.secret_1,
    PRIME_SECRET_2: prime!.secret_2,
    PRIME_MERCHANT_ID: prime!.merchant_id!,
    PRIME_BASE_URL: prime!.base_url,
  },
})

const { paysafecard } = standIn.access
const unsignedShop = story.with({
  env: {
    PAYSAFECARD_API_KEY: paysafecard!.api_key,
    PAYSAFECARD_BASE_URL: paysafecard!.base_url,
  },
})

async function findPackage(user: TestUser, pack: string, value: number) {
  const { packages } = await user.get('packages')
  return packages.find((one) => one.pack === pack && one.value === value)!
}

/** Begins an order and opens the page of the provider, as a browser does. Returns the payment there. */
async function begin(user: TestUser, pack = 'minutes', value = 15, method = 'verotel') {
  origin = user.testApp.origin
  standIn.faults = {}
  const { package_id } = await findPackage(user, pack, value)
  const started = await user.post('payment/start', { package_id, method, place: 'billing' })
  const page = await fetch(started.url)
  match(await page.text(), /press=pay/)
  return { order_id: started.order_id, payment: standIn.payments().at(-1)! }
}

async function buy(user: TestUser, pack = 'minutes', value = 15, method = 'verotel') {
  const begun = await begin(user, pack, value, method)
  deepEqual(await standIn.play(begun.payment.id, { type: 'paid' }), [200])
  return begun
}

const readOrder = (user: TestUser, id: number) =>
  user.get(`orders/${id}`) as Promise<unknown> as Promise<Order>
const balance = async (user: TestUser) => (await user.post('balance')).balance
const messages = async (user: TestUser) => (await user.post('balance')).balance_messages
const isConsistent = async (testApp: TestApp) =>
  (await testApp.duet<{ ok: boolean }>('ledger', 'check')).ok
const verdicts = async ({ app }: TestApp) =>
  (
    await app.db
      .selectFrom('payment_callbacks')
      .select(['verdict', 'why'])
      .orderBy('callback_id')
      .execute()
  ).map(({ verdict, why }) => `${verdict}: ${why}`)

story('where no method is on, nothing is offered', async ({ boris }) => {
  const { packages } = await boris.get('packages')
  ok(packages.length >= 7)
  ok(packages.every(({ methods }) => methods.length === 0))
  equal((await boris.get('system')).features.payments.on, false)
  const wish = { package_id: packages[0]!.package_id, method: 'verotel', place: 'billing' }
  await boris.isRefused('method_unavailable', () => boris.post('payment/start', wish))
})

shop('the doctor says what every method that is off lacks', async ({ testApp }) => {
  const { billing } = await testApp.app.hooks.diagnosis()
  const { methods, missing, off } = billing as {
    methods: string[]
    missing: string[]
    off: Record<string, string>
  }
  deepEqual([methods, missing], [['verotel'], []])
  equal(off.fk, 'FK_MERCHANT_ID, FK_SECRET_1, FK_SECRET_2')
  match(off.crypto!, /^NOWPAYMENTS_API_KEY, .* or BTCPAY_STORE_ID, .*, BTCPAY_BASE_URL$/)
  equal(off.prime, 'PRIME_SECRET_1, PRIME_SECRET_2, PRIME_BASE_URL')
  deepEqual([off.giftcard, off.verotel], ['duet giftcards create', undefined])
})

shop(
  'the price list has the packages, their prices and the methods',
  async ({ boris, testApp }) => {
    const minutes = await findPackage(boris, 'minutes', 45)
    deepEqual(
      [minutes.price, minutes.currency, minutes.bonus, minutes.methods],
      ['39.99', 'USD', 0, ['verotel']],
    )
    await testApp.setting('discount_enabled', 'on')
    await testApp.setting('sale_until', '2100-01-01T00:00:00Z')
    const onSale = await findPackage(boris, 'minutes', 300)
    deepEqual([onSale.bonus, onSale.sale_until], [45, '2100-01-01T00:00:00.000Z'])
    await testApp.setting('sale_until', '2020-01-01T00:00:00Z')
    equal((await findPackage(boris, 'minutes', 300)).bonus, 0)
  },
)

shop(
  'nothing that a page sends changes the price, the units or the buyer of an order',
  async ({ boris, carl, testApp }) => {
    const { package_id } = await findPackage(boris, 'minutes', 15)
    const wish = { package_id, method: 'verotel', place: 'billing' }
    const tampered = { price: '0.01', value: 9999, bonus: 9999, user_id: carl.id, pack: 'messages' }
    const { order_id } = await boris.post('payment/start', Object.assign(tampered, wish))
    const order = await readOrder(boris, order_id)
    deepEqual(
      [order.price, order.value, order.bonus, order.pack, order.currency],
      ['14.99', 15, 0, 'minutes', 'USD'],
    )
    await carl.isRefused('not_found', () => carl.get(`orders/${order_id}`))
    for (const wrong of [-1, 0, 1.5, 1e308, '1', null])
      await boris.isRefused('invalid', () =>
        boris.post('payment/start', Object.assign({}, wish, { package_id: wrong })),
      )
    const start = (change: object) => () =>
      boris.post('payment/start', Object.assign({}, wish, change))
    await boris.isRefused('not_found', start({ package_id: 2 ** 40 }))
    // No price in EUR, and no such currency at the provider.
    await boris.isRefused('not_found', start({ currency: 'EUR' }))
    await boris.isRefused('method_unavailable', start({ currency: 'JPY' }))
    await boris.isRefused('method_unavailable', start({ method: 'fk' }))
    for (const wrong of ['usd', 'US', '$', ''])
      await boris.isRefused('invalid', start({ currency: wrong }))
    await testApp.duet('packages', 'set', 'minutes', '15', '--sale', 'off')
    await boris.isRefused('not_found', start({}))
  },
)

shop(
  'a payment credits the minutes and the bonus once, gives Premium and a receipt',
  async ({ boris, testApp }) => {
    await testApp.setting('discount_enabled', 'on')
    const { order_id } = await buy(boris, 'minutes', 45)
    equal(await balance(boris), '50')
    const paid = await boris.heard('pay_success', { order_id }, { times: 1 })
    equal(paid.balance, '50')
    ok(paid.premium_until)
    const { user } = await boris.get('profile')
    equal(user.is_premium, true)
    const order = await readOrder(boris, order_id)
    deepEqual([order.status, order.price, order.bonus], ['paid', '39.99', 5])
    deepEqual(
      (await boris.get('orders')).items.map(({ order_id: id }) => id),
      [order_id],
    )
    const { items } = await boris.get('notices')
    deepEqual([items[0]?.kind, items[0]?.facts.price], ['payment', '39.99 USD'])
    const receipt = await fetch(`${testApp.origin}/api/orders/${order_id}/receipt`, {
      headers: { 'chat-token': boris.token! },
    })
    equal(receipt.headers.get('content-type'), 'application/pdf')
    match(Buffer.from(await receipt.arrayBuffer()).toString('latin1'), /^%PDF-/)
    equal(await isConsistent(testApp), true)
  },
)

shop('fifty copies of a notice credit once', async ({ boris, testApp }) => {
  const { payment } = await begin(boris)
  payment.state = 'paid'
  const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
  const answers = await together(50, () => fetch(notice!.url))
  ok(answers.every(({ status }) => status === 200))
  equal(await balance(boris), '15')
  const found = await verdicts(testApp)
  equal(found.filter((one) => one === 'accepted: credited').length, 1)
  equal(found.length, 50)
})

shop('the address of the return credits nothing', async ({ boris }) => {
  const { order_id, payment } = await begin(boris)
  const page = await fetch(payment.success_url)
  match(await page.text(), /Waiting for your bank/)
  const forged = payment.success_url.replace(/key=./, 'key=x')
  equal((await fetch(forged)).status, 404)
  equal((await readOrder(boris, order_id)).status, 'waiting')
  equal(await balance(boris), '0')
})

shop('the page of the return says what became of the payment', async ({ boris, testApp }) => {
  const { payment, order_id } = await begin(boris)
  const shown = async () =>
    /<h1>(.*)<\/h1>/.exec(await (await fetch(payment.success_url)).text())![1]
  await testApp.duet('orders', 'refund', order_id, '--comment', 'never sold')
  equal(await shown(), 'Your payment was given back')
  const late = await begin(boris)
  await passAndAsk(testApp, 3)
  const page = await (await fetch(late.payment.success_url)).text()
  match(page, /No payment has arrived in time/)
})

shop('a waiting order is asked from the provider when its notice was lost', async ({ boris }) => {
  const { order_id, payment } = await begin(boris)
  payment.state = 'paid'
  equal((await readOrder(boris, order_id)).status, 'paid')
  equal(await balance(boris), '15')
})

async function isKeptForStaff(
  testApp: TestApp,
  boris: TestUser,
  change: { readonly amount?: bigint; readonly currency?: string },
  why: string,
): Promise<void> {
  const { order_id, payment } = await begin(boris)
  deepEqual(await standIn.play(payment.id, { type: 'paid', ...change }), [200])
  equal((await readOrder(boris, order_id)).status, 'checking')
  equal(await balance(boris), '0')
  const [told] = (await boris.get('notices')).items
  deepEqual([told?.kind, told?.facts.what, told?.facts.price], ['payment', 'checking', '14.99 USD'])
  deepEqual(await verdicts(testApp), [`refused: ${why}`])
  const [quarantined] = await testApp.duet<{ order_id: number }[]>('orders', 'quarantined')
  equal(quarantined?.order_id, order_id)
  await testApp.duet('orders', 'credit', order_id, '--comment', 'the bank confirmed it')
  equal((await auditedActs(testApp))[0], 'order_credit')
  equal(await balance(boris), '15')
}

shop('a lower amount is kept for staff and credits nothing', async ({ boris, testApp }) => {
  await isKeptForStaff(testApp, boris, { amount: 1n }, 'wrong_amount')
})

shop('another currency is kept for staff and credits nothing', async ({ boris, testApp }) => {
  await isKeptForStaff(testApp, boris, { currency: 'EUR' }, 'wrong_currency')
})

shop(
  'a forged notice, and one about an unknown order, credit nothing and are kept',
  async ({ boris, testApp }) => {
    const { payment } = await begin(boris)
    const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    equal((await fetch(notice!.url.replace('14.99', '0.99'))).status, 400)
    const [unknown] = standIn.notices(payment.id, {
      type: 'paid',
      step: 1,
      reference: 'D0-UNKNOWN',
    })
    equal((await fetch(unknown!.url)).status, 200)
    equal(await balance(boris), '0')
    deepEqual(await verdicts(testApp), [
      'unverified: the signature does not match',
      'refused: unknown_order',
    ])
  },
)

shop(
  'a signed payment that its provider does not know of waits for staff until it is credited',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    // Without OK the provider would give the money back.
    for (const _copy of [1, 2]) equal(await (await fetch(notice!.url)).text(), 'OK')
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['waiting', '0'])
    deepEqual(await verdicts(testApp), ['refused: not_confirmed', 'unavailable: not_confirmed'])
    const waiting = () =>
      testApp.app.db
        .selectFrom('payment_callbacks')
        .select('settled_why')
        .orderBy('callback_id')
        .execute()
    deepEqual(await waiting(), [{ settled_why: null }, { settled_why: null }])
    deepEqual(await standIn.play(payment.id, { type: 'paid' }), [200])
    equal(await balance(boris), '15')
    equal((await waiting())[0]?.settled_why, 'the payment was completed')
  },
)

askedShop(
  'a payment that its provider does not know of yet is asked for again, for ten minutes',
  async ({ boris, testApp }) => {
    const { payment } = await begin(boris, 'minutes', 15, 'fk')
    const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    const { url, ...request } = notice!
    equal((await fetch(url, request)).status, 503)
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 9 }))
    equal((await fetch(url, request)).status, 503)
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 1 }))
    equal((await fetch(url, request)).status, 200)
    equal(await balance(boris), '0')
    payment.state = 'paid'
    equal((await fetch(url, request)).status, 200)
    equal(await balance(boris), '15')
  },
)

for (const [method, provided] of [
  ['verotel', shop],
  ['fk', askedShop],
] as const)
  provided(`a payment that was changed at ${method} waits for staff`, async ({ boris }) => {
    const { order_id, payment } = await begin(boris, 'minutes', 15, method)
    const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    Object.assign(payment, { state: 'paid', amount: 1n })
    const { url, ...request } = notice!
    equal((await fetch(url, request)).status, 200)
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['checking', '0'])
  })

shop(
  'the case of a payment that was not confirmed ends when the money is given back',
  async ({ boris, testApp }) => {
    const { payment } = await begin(boris)
    const [early] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    await fetch(early!.url)
    deepEqual(await standIn.play(payment.id, { type: 'refunded' }), [200])
    match(await (await fetch(early!.url)).text(), /^OK$/)
    const waiting = await testApp.app.db
      .selectFrom('payment_callbacks')
      .select('why')
      .where('verdict', '=', 'refused')
      .where('settled_at', 'is', null)
      .execute()
    deepEqual(waiting, [])
    equal(await balance(boris), '0')
  },
)

shop('an order for which nothing was paid is not charged back', async ({ boris, testApp }) => {
  const { order_id, payment } = await begin(boris)
  await rejects(
    testApp.duet('orders', 'chargeback', order_id, '--comment', 'a wrong number'),
    /Nothing was paid/,
  )
  deepEqual(await standIn.play(payment.id, { type: 'paid' }), [200])
  equal(await balance(boris), '15')
})

shop('the key of the page of return starts no payment', async ({ boris, testApp }) => {
  const { order_id } = await begin(boris)
  const begun = standIn.payments().length
  const back = orderPath(testApp.app, 'return', order_id)
  equal((await fetch(`${testApp.origin}${back}`)).status, 200)
  const forged = back.replace('/return', '/widget')
  equal((await fetch(`${testApp.origin}${forged}`)).status, 404)
  equal(standIn.payments().length, begun)
})

shop(
  'a signed callback about an unknown order waits for staff, whatever strangers send and however long',
  async ({ boris, testApp }) => {
    const { payment } = await begin(boris)
    const [paid] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    await testApp.setting('stray_callback_kb_a_day', '1')
    for (let sent = 0; sent < 5; sent += 1) await fetch(paid!.url.replace('14.99', '0.99'))
    const [unknown] = standIn.notices(payment.id, { type: 'paid', step: 1, reference: 'D0-OTHER' })
    equal((await fetch(unknown!.url)).status, 200)
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 400 }))
    await testApp.app.jobs.run('retention')
    deepEqual(await verdicts(testApp), ['refused: unknown_order'])
  },
)

shop(
  'an order that is not paid in time expires, and a late payment counts',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    testApp.clock.sleep(testApp.clock.now().add({ hours: 3 }))
    await testApp.app.jobs.run('orders expire')
    equal((await readOrder(boris, order_id)).status, 'expired')
    await standIn.play(payment.id, { type: 'paid' })
    equal((await readOrder(boris, order_id)).status, 'paid')
    equal(await balance(boris), '15')
  },
)

async function passAndAsk(testApp: TestApp, hours: number): Promise<void> {
  testApp.clock.sleep(testApp.clock.now().add({ hours }))
  await testApp.app.jobs.run('orders expire')
}

shop(
  'a paid order whose provider is down when its time is over is credited later',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris)
    payment.state = 'paid'
    standIn.faults = { is_down: true }
    await passAndAsk(testApp, 3)
    equal((await readOrder(boris, order_id)).status, 'waiting')
    standIn.faults = {}
    await passAndAsk(testApp, 1)
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['paid', '15'])
    equal(await isConsistent(testApp), true)
  },
)

shop('an expired order is asked about again for a day', async ({ boris, testApp }) => {
  const { order_id, payment } = await begin(boris)
  await passAndAsk(testApp, 3)
  equal((await readOrder(boris, order_id)).status, 'expired')
  payment.state = 'paid'
  await passAndAsk(testApp, 24)
  equal(await balance(boris), '15')
})

shop('an order without any answer expires, and staff may credit it', async ({ boris, testApp }) => {
  const { order_id } = await begin(boris)
  standIn.faults = { is_down: true }
  for (let day = 0; day < 6; day += 1) await passAndAsk(testApp, 24)
  equal((await readOrder(boris, order_id)).status, 'expired')
  const credit = [
    'orders',
    'credit',
    order_id,
    '--comment',
    'the bank has it',
    '--as',
    'Vera',
  ] as const
  await testApp.duet(...credit)
  equal((await readOrder(boris, order_id)).status, 'paid')
  equal(await balance(boris), '15')
  await rejects(testApp.duet(...credit), /The order is paid/)
  equal(await balance(boris), '15')
})

cryptoShop(
  'an order whose payment waits for its confirmation stays open',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris, 'minutes', 15, 'crypto')
    deepEqual(await standIn.play(payment.id, { type: 'pending' }), [200])
    await passAndAsk(testApp, 3)
    equal((await readOrder(boris, order_id)).status, 'waiting')
    payment.state = 'paid'
    await passAndAsk(testApp, 1)
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['paid', '15'])
  },
)

unsignedShop('a stranger fills no disk with callbacks', async ({ boris, testApp }) => {
  const { payment } = await begin(boris, 'minutes', 15, 'paysafecard')
  const send = async (mtid: string) => {
    const body = new URLSearchParams({ mtid, more: 'x'.repeat(60_000) })
    const headers = { 'x-more': 'x'.repeat(4000) }
    const url = `${testApp.origin}/api/payment/notify/paysafecard?${'x'.repeat(5000)}`
    return (await fetch(url, { method: 'POST', body, headers })).status
  }
  await send('unknown')
  await send(payment.id)
  equal(await send(payment.id), 503)
  const kept = () => testApp.app.db.selectFrom('payment_callbacks').selectAll().execute()
  const rows = await kept()
  deepEqual(
    rows.map(({ body, query, headers, order_id }) => [
      ...[body.length, query.length, JSON.stringify(headers), order_id],
    ]),
    Array.from({ length: 3 }, () => [4096, 1024, '{}', null]),
  )
  await testApp.setting('stray_callback_kb_a_day', '17')
  await send('unknown')
  equal((await kept()).length, 3)
  testApp.clock.sleep(testApp.clock.now().add({ hours: 24 }))
  await send('unknown')
  equal((await kept()).length, 4)
  payment.state = 'paid'
  equal(await send(payment.id), 200)
  equal(await balance(boris), '15')
})

cryptoShop(
  'money that comes in after the invoice has ended waits for staff',
  async ({ boris, testApp }) => {
    const reported = await begin(boris, 'minutes', 15, 'crypto')
    await standIn.play(reported.payment.id, { type: 'failed' })
    equal((await readOrder(boris, reported.order_id)).status, 'failed')
    deepEqual(await standIn.play(reported.payment.id, { type: 'late' }), [200])
    const unreported = await begin(boris, 'minutes', 15, 'crypto')
    unreported.payment.state = 'late'
    await passAndAsk(testApp, 3)
    const waiting = await testApp.duet<{ order_id: number }[]>('orders', 'quarantined')
    deepEqual(
      waiting.map(({ order_id }) => order_id),
      [reported.order_id, unreported.order_id],
    )
    equal((await readOrder(boris, reported.order_id)).status, 'checking')
    equal(await balance(boris), '0')
  },
)

shop(
  'a refund takes back what is left, and the rest is a debt of the next purchase',
  async ({ boris, anna, testApp }) => {
    const { payment } = await buy(boris, 'minutes', 15)
    const { gifts } = await boris.get('gifts')
    const peony = gifts.find(({ price }) => price === '5')!
    const gift = { gift_id: peony.gift_id, recipient_id: anna.id }
    await boris.act('GIVE_GIFT', { ...gift, random_id: 'first' })
    equal(await balance(boris), '10')
    await standIn.play(payment.id, { type: 'refunded' })
    equal(await balance(boris), '0')
    const { user } = await boris.get('profile')
    deepEqual([user.debt, user.is_premium], [{ diamonds: '5', messages: 0 }, false])
    await testApp.duet('grant', boris.id, '8', 'diamond', '--reason', 'test')
    await boris.isRefused('no_balance', () =>
      boris.act('GIVE_GIFT', { ...gift, random_id: 'second' }),
    )
    await buy(boris, 'minutes', 15)
    equal(await balance(boris), '18')
    equal((await boris.get('profile')).user.debt, undefined)
    equal(await isConsistent(testApp), true)
  },
)

shop(
  'parts of a price that are given back take parts of the minutes',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await buy(boris, 'minutes', 15)
    await standIn.play(payment.id, { type: 'refunded', amount: 500n })
    const order = await readOrder(boris, order_id)
    deepEqual([order.status, order.returned], ['paid', '5.00'])
    equal(await balance(boris), '9.9966')
    await standIn.play(payment.id, { type: 'refunded', amount: 999n })
    equal((await readOrder(boris, order_id)).status, 'refunded')
    equal(await balance(boris), '0')
    equal(await isConsistent(testApp), true)
  },
)

shop('a chargeback ends the Premium of its purchase alone', async ({ boris, testApp }) => {
  const first = await buy(boris)
  await buy(boris, 'messages', 50)
  equal(await messages(boris), 50)
  testApp.clock.sleep(testApp.clock.now().add({ hours: 240 }))
  await standIn.play(first.payment.id, { type: 'charged_back' })
  equal((await readOrder(boris, first.order_id)).status, 'disputed')
  const { user } = await boris.get('profile')
  const left = Temporal.Instant.from(user.premium_until!).since(testApp.clock.now())
  equal(Math.round(left.total('hours')), 24 * 30)
})

unsignedShop(
  'the operator records a chargeback that the provider does not report, and the account is flagged',
  async ({ boris, testApp }) => {
    const { order_id } = await buy(boris, 'minutes', 15, 'paysafecard')
    const record = ['orders', 'chargeback', order_id] as const
    await rejects(testApp.duet(...record), /--comment/)
    await testApp.duet(...record, '--comment', 'the bank wrote')
    equal((await auditedActs(testApp))[0], 'order_chargeback')
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['disputed', '0'])
    deepEqual(await disputed(testApp), [
      { user_id: boris.id, same_instrument: [], chargebacks: 1, usd: '14.99' },
    ])
    const findings = await testApp.app.db
      .selectFrom('findings')
      .select(['user_id', 'kind'])
      .execute()
    deepEqual(findings, [{ user_id: boris.id, kind: 'chargeback' }])
    await rejects(testApp.duet(...record, '--comment', 'again'), /The order is charged_back/)
  },
)

cardShop('the doctor says that sales of CCBill are not confirmed', async ({ testApp }) => {
  const { billing } = await testApp.app.hooks.diagnosis()
  const { unconfirmed } = billing as { unconfirmed: Record<string, string> }
  deepEqual(unconfirmed, { ccbill: 'CCBILL_DATALINK_USERNAME, CCBILL_DATALINK_PASSWORD' })
})

const waitingCases = async ({ app }: TestApp) =>
  (
    await app.db
      .selectFrom('payment_callbacks')
      .select('why')
      .where('verdict', '=', 'refused')
      .where('settled_at', 'is', null)
      .orderBy('callback_id')
      .execute()
  ).map(({ why }) => why)

dataLinkShop(
  'DataLink confirms sales and returns of CCBill, which have no signature',
  async ({ boris, testApp }) => {
    const { billing } = await testApp.app.hooks.diagnosis()
    deepEqual((billing as { unconfirmed: object }).unconfirmed, {})
    const { order_id, payment } = await buy(boris, 'minutes', 15, 'ccbill')
    equal(await balance(boris), '15')
    for (const type of ['refunded', 'charged_back'] as const) {
      const [forged] = standIn.notices(payment.id, { type, step: 1 })
      const { url, ...request } = forged!
      equal((await fetch(url, request)).status, 503, type)
    }
    equal(await balance(boris), '15')
    deepEqual(await waitingCases(testApp), ['not_confirmed', 'not_confirmed'])
    deepEqual(await standIn.play(payment.id, { type: 'charged_back' }), [200])
    equal((await readOrder(boris, order_id)).status, 'disputed')
    deepEqual(await waitingCases(testApp), [])
  },
)

dataLinkShop(
  'a sale waits, and staff see it, while DataLink refuses to be asked',
  async ({ boris, testApp }) => {
    const { payment } = await begin(boris, 'minutes', 15, 'ccbill')
    // Each refusal that a person has to end, and an error that ends by itself.
    for (const code of ['-4', '-8', '-9', '-10', '-7', '0']) {
      standIn.faults = { datalink_code: code }
      deepEqual(await standIn.play(payment.id, { type: 'paid' }), [503], code)
    }
    deepEqual(await waitingCases(testApp), ['not_askable'])
    equal(await balance(boris), '0')
    standIn.faults = {}
    deepEqual(await standIn.play(payment.id, { type: 'paid' }), [200])
    equal(await balance(boris), '15')
    deepEqual(await waitingCases(testApp), [])
  },
)

dataLinkShop(
  'a sale of CCBill, and money that goes back, count once DataLink knows of them',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await begin(boris, 'minutes', 15, 'ccbill')
    const send = async (type: 'paid' | 'refunded', step: number) => {
      const { url, ...request } = standIn.notices(payment.id, { type, step })[0]!
      return (await fetch(url, request)).status
    }
    equal(await send('paid', 1), 503)
    equal(await balance(boris), '0')
    payment.state = 'paid'
    equal(await send('paid', 1), 200)
    equal(await balance(boris), '15')
    equal(await send('refunded', 2), 503)
    testApp.clock.sleep(testApp.clock.now().add({ minutes: 10 }))
    equal(await send('refunded', 2), 200)
    deepEqual([(await readOrder(boris, order_id)).status, await balance(boris)], ['paid', '15'])
    payment.state = 'refunded'
    equal(await send('refunded', 2), 200)
    equal((await readOrder(boris, order_id)).status, 'refunded')
    deepEqual(await verdicts(testApp), [
      'refused: not_confirmed',
      'accepted: credited',
      'refused: not_confirmed',
      'unavailable: not_confirmed',
      'accepted: refunded',
    ])
  },
)

/** Sends a notice of the stand-in without playing its step there. */
async function sendAs(
  payment: { id: string },
  type: 'paid' | 'refunded',
  { step, amount }: { step: number; amount?: bigint },
): Promise<number> {
  const [notice] = standIn.notices(payment.id, { type, step, ...(amount && { amount }) })
  const { url, ...request } = notice!
  return (await fetch(url, request)).status
}

dataLinkShop(
  'a refund that counts settles its own case and no other',
  async ({ boris, testApp }) => {
    const { order_id, payment } = await buy(boris, 'minutes', 15, 'ccbill')
    equal(await sendAs(payment, 'refunded', { step: 1, amount: 700n }), 503)
    payment.state = 'refunded'
    equal(await sendAs(payment, 'refunded', { step: 2, amount: 100n }), 200)
    equal((await readOrder(boris, order_id)).returned, '1.00')
    deepEqual(await waitingCases(testApp), ['not_confirmed'])
    // Its repetition is not asked about, and opens no case.
    standIn.faults = { datalink_code: '-4' }
    equal(await sendAs(payment, 'refunded', { step: 2, amount: 100n }), 200)
    deepEqual(await waitingCases(testApp), ['not_confirmed'])
    equal(await sendAs(payment, 'refunded', { step: 3, amount: 200n }), 503)
    deepEqual(await waitingCases(testApp), ['not_confirmed', 'not_askable'])
    standIn.faults = {}
    for (const [step, amount] of [
      [1, 700n],
      [3, 200n],
    ] as const)
      equal(await sendAs(payment, 'refunded', { step, amount }), 200)
    equal((await readOrder(boris, order_id)).returned, '10.00')
    deepEqual(await waitingCases(testApp), [])
  },
)

for (const [method, provided, status] of [
  ['ccbill', dataLinkShop, 503],
  ['fk', askedShop, 503],
  ['verotel', shop, 200],
] as const)
  provided(`a payment is a case while ${method} is down`, async ({ boris, testApp }) => {
    const { payment } = await begin(boris, 'minutes', 15, method)
    const [notice] = standIn.notices(payment.id, { type: 'paid', step: 1 })
    payment.state = 'paid'
    standIn.faults = { is_down: true }
    const { url, ...request } = notice!
    equal((await fetch(url, request)).status, status)
    // One failure ends by itself, where the provider sends the notice again.
    deepEqual(await waitingCases(testApp), status === 503 ? [] : ['not_askable'])
    equal((await fetch(url, request)).status, status)
    deepEqual(await waitingCases(testApp), ['not_askable'])
    equal(await balance(boris), '0')
    standIn.faults = {}
    equal((await fetch(url, request)).status, 200)
    equal(await balance(boris), '15')
    deepEqual(await waitingCases(testApp), [])
  })

const disputed = (testApp: TestApp) => testApp.duet<unknown>('payments', 'disputed')

cardShop('an account with a chargeback is listed for staff', async ({ boris, carl, testApp }) => {
  const { payment } = await buy(boris, 'minutes', 15, 'ccbill')
  await buy(carl, 'minutes', 15, 'ccbill')
  deepEqual(await disputed(testApp), [])
  await standIn.play(payment.id, { type: 'charged_back' })
  deepEqual(await disputed(testApp), [
    { user_id: boris.id, same_instrument: [carl.id], chargebacks: 1, usd: '14.99' },
  ])
})

shop('the last four digits of a card connect no accounts', async ({ boris, carl, testApp }) => {
  const { payment } = await buy(boris)
  await buy(carl)
  await standIn.play(payment.id, { type: 'charged_back' })
  deepEqual(await disputed(testApp), [
    { user_id: boris.id, same_instrument: [], chargebacks: 1, usd: '14.99' },
  ])
})

shop('a gift card is redeemed once', async ({ boris, carl, testApp }) => {
  const made = await testApp.duet<{ codes: string[] }>(
    ...(['giftcards', 'create', '--count', '2', '--minutes', '30'] as const),
  )
  const [code = '', other = ''] = made.codes
  const wrong = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0')
  await boris.isRefused('not_found', () => boris.post('gift-card/redeem', { code: wrong }))
  const order = await boris.post('gift-card/redeem', { code: code.toLowerCase() })
  deepEqual([order.status, order.value, order.method], ['paid', 30, 'giftcard'])
  equal((await boris.post('gift-card/redeem', { code })).order_id, order.order_id)
  await carl.isRefused('not_found', () => carl.post('gift-card/redeem', { code }))
  equal(await balance(boris), '30')
  const answers = await together(5, () =>
    boris.post('gift-card/redeem', { code: other }).catch((error: Error) => error),
  )
  ok(answers.length === 5)
  equal(await balance(boris), '60')
})

async function createCode(testApp: TestApp, ...price: readonly string[]): Promise<string> {
  const line = ['giftcards', 'create', '--count', '1', '--minutes', '15', ...price]
  return (await testApp.duet<{ codes: string[] }>(...line)).codes[0]!
}

async function goesOnAfter(
  { testApp, boris, anna }: { testApp: TestApp; boris: TestUser; anna: TestUser },
  addMinutes: () => Promise<unknown>,
): Promise<void> {
  const call = await paidCall(testApp, { guy: boris, girl: anna, minutes: '0.5' })
  await call.talk(26)
  await addMinutes()
  await call.talk(20)
  const { paid_seconds } = await boris.act('BREAK_SESSION', { session_id: call.session_id })
  equal(paid_seconds, 46)
  equal(await isConsistent(testApp), true)
}

shop(
  'minutes bought while the last ones run out keep the call',
  async ({ testApp, boris, anna }) => {
    await goesOnAfter({ testApp, boris, anna }, () => buy(boris))
  },
)

shop(
  'a gift card redeemed while the last minutes run out keeps the call',
  async ({ testApp, boris, anna }) => {
    await goesOnAfter({ testApp, boris, anna }, async () => {
      await boris.post('gift-card/redeem', { code: await createCode(testApp) })
    })
  },
)

shop('own limits hold, and are raised only after a day', async ({ boris, testApp }) => {
  await boris.post('account/limits', { daily_usd: '20' })
  await buy(boris, 'minutes', 15)
  const { package_id } = await findPackage(boris, 'minutes', 15)
  const wish = { package_id, method: 'verotel', place: 'billing' }
  const { left } = await boris.isRefused('spending_limit', () => boris.post('payment/start', wish))
  equal(left, '5.01')
  const raised = await boris.post('account/limits', { daily_usd: '100' })
  deepEqual([raised.daily_usd, raised.next?.daily_usd], ['20.00', '100.00'])
  await boris.isRefused('spending_limit', () => boris.post('payment/start', wish))
  testApp.clock.sleep(testApp.clock.now().add({ hours: 25 }))
  equal((await boris.get('account/limits')).daily_usd, '100.00')
  await boris.post('payment/start', wish)
  await boris.isRefused('invalid', () => boris.post('account/limits', { cool_off_hours: 9_000 }))
  const paused = await boris.post('account/limits', { cool_off_hours: 48 })
  ok(testApp.clock.now().add({ hours: 48 }).equals(paused.cool_off_until!))
  deepEqual(await boris.post('account/limits', { cool_off_hours: 24 }), paused)
  await boris.isRefused('spending_limit', () => boris.post('payment/start', wish))
})

shop(
  'messages and gift cards with a price count against the own limit, and a card without one does not',
  async ({ boris, testApp }) => {
    await boris.post('account/limits', { daily_usd: '25' })
    await buy(boris, 'messages', 200)
    equal((await boris.get('account/limits')).spent_today, '16.99')
    const { package_id } = await findPackage(boris, 'messages', 200)
    const wish = { package_id, method: 'verotel', place: 'composer' }
    await boris.isRefused('spending_limit', () => boris.post('payment/start', wish))
    const redeem = async (...price: readonly string[]) =>
      boris.post('gift-card/redeem', { code: await createCode(testApp, ...price) })
    await boris.isRefused('spending_limit', () => redeem('--price', '9.00'))
    await redeem('--price', '8.00')
    equal((await boris.get('account/limits')).spent_today, '24.99')
    equal((await redeem()).status, 'paid')
    for (const daily_usd of ['0', '-1', '1e3', '0.001', 'NaN'])
      await boris.isRefused('invalid', () => boris.post('account/limits', { daily_usd }))
  },
)

shop('payments that have begun count against the own limit', async ({ boris }) => {
  await boris.post('account/limits', { daily_usd: '20' })
  const { payment } = await begin(boris)
  const { package_id } = await findPackage(boris, 'minutes', 15)
  const wish = { package_id, method: 'verotel', place: 'billing' }
  await boris.isRefused('spending_limit', () => boris.post('payment/start', wish))
  await standIn.play(payment.id, { type: 'paid' })
  equal(await balance(boris), '15')
})

shop(
  'orders that were begun before the own limits are not credited beyond them',
  async ({ boris, testApp }) => {
    const begun = [await begin(boris), await begin(boris), await begin(boris)]
    await boris.post('account/limits', { daily_usd: '20' })
    const pay = (index: number) => standIn.play(begun[index]!.payment.id, { type: 'paid' })
    await Promise.all([pay(0), pay(1)])
    equal(await balance(boris), '15')
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 }))
    await boris.post('account/limits', { cool_off_hours: 48 })
    await pay(2)
    deepEqual((await boris.get('orders')).items.map(({ status }) => status).toSorted(), [
      ...['checking', 'checking', 'paid'],
    ])
    equal((await testApp.duet<unknown[]>('orders', 'quarantined')).length, 2)
    equal((await boris.get('account/limits')).spent_today, '0.00')
    equal(await isConsistent(testApp), true)
  },
)

shop('a buyer who begins many orders waits', async ({ boris, testApp }) => {
  await testApp.setting('orders_an_hour', '3')
  for (let time = 0; time < 3; time += 1) await begin(boris)
  const { package_id } = await findPackage(boris, 'minutes', 15)
  await boris.isRefused('too_many', () =>
    boris.post('payment/start', { package_id, method: 'verotel', place: 'billing' }),
  )
})

shop('girls buy nothing, and read no order of a guy', async ({ anna, boris, carl }) => {
  const { order_id } = await buy(boris)
  const { package_id } = await findPackage(boris, 'minutes', 15)
  await anna.isRefused('role_forbidden', () =>
    anna.post('payment/start', { package_id, method: 'verotel', place: 'billing' }),
  )
  for (const path of [`orders/${order_id}`, `orders/${order_id}/receipt`])
    await carl.isRefused('not_found', () => carl.get(path))
})

interface Evidence {
  readonly receipt: { readonly lines: [string, string][]; readonly pdf_base64: string }
}

shop(
  'the evidence of an order is a file with its receipt, its callbacks and the use of the account',
  async ({ boris, testApp }) => {
    const { order_id } = await buy(boris)
    const file = `${testApp.config.data_dir}/evidence.json`
    const written = await testApp.duet<{ callbacks: number; tables: string[] }>(
      ...(['orders', 'evidence', order_id, file] as const),
    )
    equal(written.callbacks, 1)
    equal((await auditedActs(testApp))[0], 'order_evidence')
    await testApp.duet('orders', 'show', order_id)
    equal((await auditedActs(testApp))[0], 'order_view')
    ok(written.tables.includes('transfers'))
    const { receipt } = JSON.parse(await readFile(file, 'utf8')) as Evidence
    match(Buffer.from(receipt.pdf_base64, 'base64').toString('latin1'), /^%PDF-/)
    ok(receipt.lines.some(([, text]) => text === '14.99 USD'))
    await testApp.duet('orders', 'refund', order_id, '--comment', 'the guy asked')
    equal((await auditedActs(testApp))[0], 'order_refund')
    // The act is kept as what it is: no callback was made up for it.
    equal((await verdicts(testApp)).length, 1)
    const later = `${testApp.config.data_dir}/later.json`
    await testApp.duet('orders', 'evidence', order_id, later)
    const { acts } = JSON.parse(await readFile(later, 'utf8')) as { acts: Record<string, string>[] }
    // The names of staff and their reasons are not for the bank.
    deepEqual(
      acts.map(({ at: _, ...act }) => act),
      [{ act: 'order_refund', place: 'shell' }],
    )
  },
)

widgetShop(
  'the page of a widget permits the provider alone, and is of no use to a stranger and after the order',
  async ({ boris, testApp }) => {
    origin = testApp.origin
    standIn.faults = {}
    const { package_id } = await findPackage(boris, 'minutes', 15)
    const wish = { package_id, method: 'cloudpayments', place: 'billing' }
    const started = await boris.post('payment/start', wish)
    const fetchPage = (url: string) => fetch(url, { redirect: 'manual' })
    const page = await fetchPage(started.url)
    const policy = page.headers.get('content-security-policy') ?? ''
    const { origin: provider } = new URL(cloud.base_url)
    match(policy, new RegExp(`^default-src 'none'; script-src 'nonce-[^']+' ${provider};`))
    const text = await page.text()
    match(text, /"amount":14\.99,"currency":"USD","invoiceId":"D[^"]+"/)
    equal((await fetchPage(started.url.replace(/key=./, 'key=_'))).status, 404)
    const plain = await fetchPage(`${started.url}&plain=1`)
    deepEqual([plain.status, plain.headers.get('location')?.startsWith(provider)], [303, true])
    await standIn.play(standIn.payments().at(-1)!.id, { type: 'paid' })
    equal(await balance(boris), '15')
    const over = await fetchPage(started.url)
    match(over.headers.get('location') ?? '', /^\/payment\/return\?/)
  },
)

formShop(
  'a second refund of the same amount waits for staff where the provider does not name the step',
  async ({ boris, testApp }) => {
    await testApp.setting('prime_form', SAMPLE_FORM)
    const { order_id, payment } = await buy(boris, 'minutes', 15, 'prime')
    for (const _refund of [1, 2]) {
      const [status] = await standIn.play(payment.id, { type: 'refunded', amount: 500n })
      equal(status, 200)
    }
    equal((await readOrder(boris, order_id)).returned, '5.00')
    deepEqual((await verdicts(testApp)).slice(1), ['accepted: refunded', 'refused: same_refund'])
  },
)

formShop('a provider that takes a form gets it from a page of ours', async ({ boris, testApp }) => {
  origin = testApp.origin
  standIn.faults = {}
  const form = { ...(JSON.parse(SAMPLE_FORM) as object), send: 'form' }
  await testApp.setting('prime_form', JSON.stringify(form))
  const { package_id } = await findPackage(boris, 'minutes', 15)
  const started = await boris.post('payment/start', { package_id, method: 'prime', place: 'gift' })
  const page = await fetch(started.url)
  match(page.headers.get('content-security-policy') ?? '', /form-action http:\/\/127\.0\.0\.1/)
  const text = await page.text()
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(text) ?? []
  const inputs = [...text.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
  const body = new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, value]))
  const provider = await fetch(action, { method: 'POST', body })
  match(await provider.text(), /press=pay/)
  await standIn.play(standIn.payments().at(-1)!.id, { type: 'paid' })
  equal((await readOrder(boris, started.order_id)).status, 'paid')
  // The page is of no use after the order.
  const over = await fetch(started.url, { redirect: 'manual' })
  match(over.headers.get('location') ?? '', /^\/payment\/return\?/)
})

widgetShop(
  'a browser without the widget learns that the page of the provider is down, and the order has failed',
  async ({ boris, testApp }) => {
    origin = testApp.origin
    standIn.faults = {}
    const { package_id } = await findPackage(boris, 'minutes', 15)
    const wish = { package_id, method: 'cloudpayments', place: 'billing' }
    const started = await boris.post('payment/start', wish)
    standIn.faults = { is_down: true }
    const shown = await fetch(`${started.url}&plain=1`)
    match(await shown.text(), /The payment did not go through/)
    equal((await readOrder(boris, started.order_id)).status, 'failed')
  },
)
