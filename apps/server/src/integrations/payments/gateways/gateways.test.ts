import { deepEqual, equal, ok } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { SAMPLE_FORM } from '../../../lib/payments/sample-form.ts'
import type { Gateway, PayableOrder, ProviderRequest } from '../gateway.ts'
import { btcPaySignature, createBtcPay } from './btcpay.ts'
import { ccbillDigest, createCcbill } from './ccbill.ts'
import { cloudPaymentsSignature, createCloudPayments } from './cloud-payments.ts'
import { createFreeKassa, freeKassaSignature, md5 } from './free-kassa.ts'
import { createNowPayments, nowPaymentsSignature } from './nowpayments.ts'
import { createSignedRedirect, readForm } from './signed-redirect.ts'
import { createVerotel, verotelSignature } from './verotel.ts'

/** No test of this file sends a request. */
const AT = { base_url: 'https://provider.example' }
const order: PayableOrder = {
  reference: 'order-1001',
  buyer_key: 'u42',
  price: 999n,
  currency: 'EUR',
  description: '100 minutes',
  locale: 'en',
  email: undefined,
  return_url: 'https://duet.example/return',
  notify_url: 'https://duet.example/notify',
  expires_at: Temporal.Instant.from('2026-01-01T00:00:00Z'),
}

function request(of: Partial<ProviderRequest> & { text?: string }): ProviderRequest {
  const body = Buffer.from(of.text ?? '')
  return { method: 'POST', query: '', headers: {}, address: '203.0.113.7', body, ...of }
}

function readKind(gateway: Gateway, of: Parameters<typeof request>[0]) {
  const reading = gateway.read(request(of))
  return reading.type === 'notice' ? reading.notice.kind : reading.type
}

test('Verotel: requests, postbacks and status queries are signed as in the worked examples', () => {
  const common = { shopID: '12345', type: 'purchase' }
  const purchase = {
    ...common,
    custom1: 'u42',
    description: '100 minutes',
    priceAmount: '9.99',
    priceCurrency: 'EUR',
    referenceID: 'order-1001',
    version: '4',
  }
  equal(
    verotelSignature('SECRET', purchase),
    'c9efcded32b7cf8fbc5ef1f4a9f9ac3a9f05df6ad249f82f3c9c45cce351b866',
  )
  equal(
    verotelSignature('SECRET', { referenceID: 'order-1001', shopID: '12345', version: '4' }),
    '89926f1c45dbe145e81092aa948058d5efabb2f9a8e6c8be3ea7007331c6366a',
  )
  const postback = {
    ...common,
    custom1: 'u42',
    event: 'initial',
    paymentMethod: 'CC',
    priceAmount: '9.99',
    priceCurrency: 'EUR',
    referenceID: 'order-1001',
    saleID: '7001',
    signature: '8974d6ac09be50ff5cb18d30a46987e8e11c4d0dac0b4433213adfcee17a0394',
  }
  const gateway = createVerotel({ shop_id: '12345', signature_key: 'SECRET', ...AT })
  const query = (changed: object) =>
    new URLSearchParams({ ...postback, ...changed } as Record<string, string>).toString()
  equal(readKind(gateway, { query: query({}) }), 'paid')
  equal(readKind(gateway, { query: query({ priceAmount: '0.99' }) }), 'unverified')
  equal(readKind(gateway, { query: query({ referenceID: 'order-1002' }) }), 'unverified')
  equal(readKind(gateway, { query: `${query({})}&saleID=7002` }), 'unverified')
  equal(readKind(gateway, { query: '' }), 'unverified')
})

test('CCBill: form digests and sale digests are those of the worked examples', () => {
  equal(
    ccbillDigest('10.00', '30', '840', '7d901dad245fd0ff6bc20d06'),
    'a7459445d0e5dc0963fe736dc5cf900b',
  )
  equal(ccbillDigest('9.99', '30', '978', 'SALT'), '8fdbd54e7fe4568e4da243ba82090dd5')
  equal(
    ccbillDigest('9.99', '30', '9.99', '30', '99', '978', 'SALT'),
    '283e820fbd8790815f5368aae4defc9f',
  )
  const access = { account: '1', subaccount: '0000', form_id: 'f', salt: 'SALT', ...AT }
  const gateway = createCcbill(access)
  const sale = {
    eventType: 'NewSaleSuccess',
    clientAccnum: '1',
    clientSubacc: '0000',
    subscriptionId: '0123456789012345678',
    transactionId: 't1',
    billedInitialPrice: '9.99',
    billedCurrencyCode: '978',
    'X-reference': 'order-1001',
    dynamicPricingValidationDigest: '4e7f284459feabcc0673cff3f2045fa0',
  }
  const text = (changed: object) =>
    new URLSearchParams({ ...sale, ...changed } as Record<string, string>).toString()
  const address = '64.38.240.9'
  equal(readKind(gateway, { text: text({}), address }), 'paid')
  equal(readKind(gateway, { text: JSON.stringify(sale), address }), 'paid')
  const failure = {
    eventType: 'NewSaleFailure',
    dynamicPricingValidationDigest: '9f526f9aa5c801880d528ab413a76b7e',
  }
  equal(readKind(gateway, { text: text(failure), address }), 'failed')
  equal(readKind(gateway, { text: text({ eventType: 'NewSaleFailure' }), address }), 'unverified')
  equal(readKind(gateway, { text: text({ clientAccnum: '2' }), address }), 'unverified')
  const refund = text({ eventType: 'Refund', amount: '9.99', currency: 'EUR' })
  equal(readKind(gateway, { text: refund }), 'unverified')
  equal(readKind(gateway, { text: refund, address }), 'refunded')
  // Neither the order nor the amount is in the digest of a sale.
  for (const stranger of ['203.0.113.5', '2001:db8::1'])
    equal(readKind(gateway, { text: text({}), address: stranger }), 'unverified')
})

test('FreeKassa: the redirect and the notice are signed as in the worked examples', async () => {
  equal(md5('777', '499.00', 'SECRET1', 'RUB', 'order-1001'), '3c072a6ffe71ddd0a127d43a60a7c2dc')
  equal(
    freeKassaSignature('APIKEY', {
      amount: '499.00',
      currency: 'RUB',
      email: 'u42@example.com',
      i: '4',
      ip: '203.0.113.7',
      nonce: '1700000000001',
      paymentId: 'order-1001',
      shopId: '777',
    }),
    'f236e7a3d0bc43825265715a7a93e02c0c01f6870868001e671265e0d8e5e6e8',
  )
  const access = { merchant_id: '777', secret_1: 'SECRET1', secret_2: 'SECRET2', ...AT }
  const gateway = createFreeKassa(access)
  const { url } = await gateway.start({ ...order, price: 49_900n, currency: 'RUB' })
  equal(new URL(url).searchParams.get('s'), '3c072a6ffe71ddd0a127d43a60a7c2dc')
  const text = (amount: string) =>
    `MERCHANT_ID=777&AMOUNT=${amount}&intid=9&MERCHANT_ORDER_ID=order-1001&SIGN=463c86c4cf086aca1b17aa50578972c5`
  equal(readKind(gateway, { text: text('499.00') }), 'paid')
  equal(readKind(gateway, { text: text('499.01') }), 'unverified')
  equal(readKind(gateway, { method: 'GET', query: text('499.00') }), 'paid')
})

test('CloudPayments: the HMAC is taken over the raw body or the decoded body, as in the worked example', () => {
  const text =
    'TransactionId=100200300&Amount=499.00&Currency=RUB&DateTime=2026-01-01%2012%3A00%3A00&InvoiceId=order-1001&AccountId=u42&Status=Completed&TestMode=1'
  equal(cloudPaymentsSignature('API_SECRET', text), 'zacP89m1rvEmRnbgRt2wYhUYQ+vdxu3piylCETlqMH0=')
  const gateway = createCloudPayments({ public_id: 'pk', api_secret: 'API_SECRET', ...AT })
  const query = 'notice=pay'
  for (const hmac of [
    'zacP89m1rvEmRnbgRt2wYhUYQ+vdxu3piylCETlqMH0=',
    'Bpx22wq/xE1n5y4yj8OPuaHw9dmuUMp50lIyJKRCRAI=',
  ]) {
    const reading = gateway.read(request({ text, query, headers: { 'content-hmac': hmac } }))
    ok(reading.type === 'notice')
    deepEqual(
      [reading.notice.kind, reading.notice.is_test, reading.notice.amount],
      ['paid', true, 49_900n],
    )
    const changed = text.replace('499.00', '1.00')
    equal(
      readKind(gateway, { text: changed, query, headers: { 'content-hmac': hmac } }),
      'unverified',
    )
  }
  equal(readKind(gateway, { text, query }), 'unverified')
  const inAddress = `notice=pay&${text}`
  const headers = { 'x-content-hmac': cloudPaymentsSignature('API_SECRET', inAddress) }
  equal(readKind(gateway, { method: 'GET', query: inAddress, headers }), 'paid')
  equal(readKind(gateway, { method: 'GET', query: `${inAddress}0`, headers }), 'unverified')
  deepEqual(JSON.parse(gateway.answer('refused', request({}), 'wrong_amount').body), { code: 12 })
})

test('NOWPayments: the keys are sorted at every level, as in the worked example', () => {
  const text =
    '{"payment_id":5077125051,"payment_status":"finished","pay_address":"TAddr","price_amount":9.99,"price_currency":"usd","pay_amount":10.01,"actually_paid":10.01,"pay_currency":"usdttrc20","order_id":"order-1001","fee":{"serviceFee":0.05,"currency":"usdttrc20","depositFee":0}}'
  const signature =
    '1a9cd8908a4b6435ef0c34263ebf8266c8bf11b73975e13ee3c0946e3c4bf6d1b4ef06737d707c2b2ccac1398f9e0bb95f175e269f68e1583280c7f023640865'
  equal(nowPaymentsSignature('IPN_SECRET', JSON.parse(text)), signature)
  equal(
    nowPaymentsSignature('IPN_SECRET', Object.assign(JSON.parse(text) as object, { fee: {} })),
    '02c7e4b8670a67129c1bf183af8cdae6282d6af2ce2005404435b4415ef170d394fb288c48023109612e9db02440edbc196367b3c5469af7cf41ea81ca0c3da6',
  )
  const gateway = createNowPayments({ api_key: 'k', ipn_secret: 'IPN_SECRET', ...AT })
  const headers = { 'x-nowpayments-sig': signature }
  equal(readKind(gateway, { text, headers }), 'paid')
  equal(
    readKind(gateway, { text: text.replace('"price_amount":9.99', '"price_amount":1'), headers }),
    'unverified',
  )
  equal(readKind(gateway, { text }), 'unverified')
})

test('BTCPay: the webhook is signed over its bytes, as in the worked example', () => {
  const text =
    '{"deliveryId":"D1","webhookId":"W1","originalDeliveryId":"D1","isRedelivery":false,"type":"InvoiceSettled","timestamp":1767225600,"storeId":"S1","invoiceId":"I1","metadata":{"orderId":"order-1001"}}'
  const signature = 'sha256=7cbbb74941fd1f6d4d8ae27ae5522307537744e3846f6f0bc32b846bcce48086'
  equal(btcPaySignature('WEBHOOK_SECRET', text), signature)
  const access = { store_id: 'S1', api_key: 'k', webhook_secret: 'WEBHOOK_SECRET', ...AT }
  const gateway = createBtcPay(access)
  equal(readKind(gateway, { text, headers: { 'btcpay-sig': signature } }), 'paid')
  equal(readKind(gateway, { text: `${text} `, headers: { 'btcpay-sig': signature } }), 'unverified')
})

test('a form signs as PrimePayments does in its worked examples', async () => {
  const form = JSON.stringify({
    url: '{base_url}/pay',
    fields: {
      action: 'initPayment',
      project: '{merchant_id}',
      sum: '499',
      currency: 'RUB',
      innerID: '{reference}',
      email: 'u42@example.com',
      payWay: 'card',
    },
    signature: {
      algorithm: 'md5',
      text: '{secret_1}{action}{project}{sum}{currency}{innerID}{email}{payWay}',
      field: 'sign',
    },
    notice: {
      signature: {
        algorithm: 'md5',
        text: '{secret_2}{orderID}{payWay}{innerID}{sum}{webmaster_profit}',
        field: 'sign',
      },
      reference: 'innerID',
      payment_id: 'orderID',
      amount: 'sum',
    },
  })
  const access = { secret_1: 'SECRET1', secret_2: 'SECRET2', merchant_id: '55', ...AT }
  const gateway = createSignedRedirect('prime', access)
  equal(gateway.configure?.(form), true)
  const { url } = await gateway.start(order)
  equal(new URL(url).searchParams.get('sign'), 'e8d9f6cab563837d65eaa06c60a9c298')
  const preview = gateway.preview?.(form, order)
  ok(preview && 'signed' in preview && preview.signed.startsWith('{secret_1}initPayment55499RUB'))
  const text =
    'orderID=9001&payWay=card&innerID=order-1001&sum=499&webmaster_profit=450&sign=d99688636e2458258d89d785e8649c14'
  equal(readKind(gateway, { text }), 'paid')
  equal(readKind(gateway, { text: text.replace('sum=499', 'sum=1') }), 'unverified')
  equal(gateway.configure?.('none'), false)
})

test('a form is posted, and its notices come from the networks of the provider', async () => {
  const form = {
    ...(JSON.parse(SAMPLE_FORM) as { notice: object }),
    send: 'form',
    currencies: ['EUR'],
  }
  const notice = { ...form.notice, senders: ['203.0.113.0/24', '2001:db8::7'] }
  const gateway = createSignedRedirect('expay', { secret_1: 'a', secret_2: 'b', ...AT })
  equal(gateway.configure?.(JSON.stringify({ ...form, notice })), true)
  const started = await gateway.start(order)
  equal(started.url, 'https://provider.example/pay')
  deepEqual(Object.keys(started.fields ?? {}).toSorted(), [
    ...['back', 'currency', 'description', 'notify', 'order', 'sign', 'sum'],
  ])
  const fields = 'order=order-1001&payment=7&sum=9.99&currency=EUR&status=paid'
  const sign = createHmac('sha256', 'b').update('order-1001:7:9.99:EUR:paid').digest('hex')
  const text = `${fields}&sign=${sign}`
  for (const [address, kind] of [
    ['203.0.113.9', 'paid'],
    ['::ffff:203.0.113.9', 'paid'],
    ['2001:db8::7', 'paid'],
    ['2001:db8::8', 'unverified'],
    ['203.0.114.9', 'unverified'],
    ['unknown', 'unverified'],
  ] as const)
    equal(readKind(gateway, { text, address }), kind, address)
  for (const network of ['203.0.113.0/33', 'everywhere', '1.2.3.4/8/8', '']) {
    const wrong = { ...form, notice: { ...notice, senders: [network] } }
    const mistake = 'notice.senders.0: is no network like 203.0.113.0/24'
    deepEqual(gateway.preview?.(JSON.stringify(wrong), order), { mistakes: [mistake] })
  }
})

test('a form whose notice would leave the amount unsigned is refused', () => {
  const form = {
    url: 'https://p.example',
    fields: {},
    signature: { algorithm: 'md5', text: '{secret_1}', field: 's' },
    notice: {
      signature: { algorithm: 'md5', text: '{secret_2}{id}{payment}', field: 's' },
      reference: 'id',
      payment_id: 'payment',
      amount: 'sum',
    },
  }
  deepEqual(readForm(JSON.stringify(form)), ['notice: sum must be signed'])
  deepEqual(readForm('{'), ['The form is not readable as JSON.'])
  const whole = JSON.parse(SAMPLE_FORM) as { notice: object }
  const unsigned = { ...whole, notice: { ...whole.notice, step_id: 'refund' } }
  deepEqual(readForm(JSON.stringify(unsigned)), ['notice: refund must be signed'])
})

test('a form leads buyers over TLS, or to the address of the environment', () => {
  const whole = JSON.parse(SAMPLE_FORM) as object
  for (const url of [
    ...['http://pay.example', 'javascript:alert(1)', '//pay.example', '{merchant_id}'],
    ...['{base_url}.evil.example/pay', '{base_url}javascript:alert(1)'],
  ])
    deepEqual(readForm(JSON.stringify({ ...whole, url })), [
      'url: must begin with https:// or {base_url}',
    ])
})

test('a refund has the name of its step where the form names its field', () => {
  const whole = JSON.parse(SAMPLE_FORM) as { notice: { signature: { text: string } } }
  const signature = { ...whole.notice.signature, text: `${whole.notice.signature.text}:{step}` }
  const notice = { ...whole.notice, signature, step_id: 'step' }
  const gateway = createSignedRedirect('expay', { secret_1: 'a', secret_2: 'b', ...AT })
  equal(gateway.configure?.(JSON.stringify({ ...whole, notice })), true)
  const steps = ['r1', 'r2'].map((step) => {
    const signed = `order-1001:7:9.99:EUR:refunded:${step}`
    const sign = createHmac('sha256', 'b').update(signed).digest('hex')
    const text = `order=order-1001&payment=7&sum=9.99&currency=EUR&status=refunded&step=${step}&sign=${sign}`
    const reading = gateway.read(request({ text }))
    return reading.type === 'notice' ? [reading.notice.step_id, reading.notice.is_unnamed] : []
  })
  deepEqual(steps, [
    ['7:refunded:r1', false],
    ['7:refunded:r2', false],
  ])
})
