import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { PAYMENT_VARIABLES, readPayments } from './payments-config.ts'
import { readStandIn } from './stand-in/stand-in-config.ts'

type Given = Parameters<typeof readPayments>[0]

const installation = { production: false, data_dir: '/data' }
const read = (given: Record<string, string>, production = false) =>
  readPayments(given as Given, { ...installation, production })
const verotel = { VEROTEL_SHOP_ID: '1', VEROTEL_SIGNATURE_KEY: 'key' }
const nowpayments = { NOWPAYMENTS_API_KEY: 'key', NOWPAYMENTS_IPN_SECRET: 'secret' }

test('the variables have the names that an operator knows from the providers', () => {
  const names = Object.keys(PAYMENT_VARIABLES)
  for (const name of [
    'VEROTEL_SHOP_ID',
    'VEROTEL_SIGNATURE_KEY',
    'CCBILL_ACCOUNT',
    'CCBILL_SUBACCOUNT',
    'CCBILL_FORM_ID',
    'CCBILL_SALT',
    'PAYSAFECARD_API_KEY',
    'CLOUDPAYMENTS_PUBLIC_ID',
    'CLOUDPAYMENTS_API_SECRET',
    'FK_MERCHANT_ID',
    'FK_SECRET_1',
    'FK_SECRET_2',
    'NOWPAYMENTS_API_KEY',
    'NOWPAYMENTS_IPN_SECRET',
    'BTCPAY_STORE_ID',
    'BTCPAY_API_KEY',
    'BTCPAY_WEBHOOK_SECRET',
  ])
    equal(names.includes(name), true, name)
  for (const method of ['VEROTEL', 'CCBILL', 'FK', 'BTCPAY', 'PRIME', 'CONTACT', 'PAYSELECT'])
    equal(names.includes(`${method}_BASE_URL`), true, method)
})

test('a provider is on with all its credentials, and a missing one of several is named', () => {
  const { access, missing: none } = read({})
  deepEqual([access, none], [{}, []])
  deepEqual(read(verotel).access, {
    verotel: { shop_id: '1', signature_key: 'key', base_url: 'https://secure.verotel.com' },
  })
  for (const [given, missing] of [
    [{ VEROTEL_SHOP_ID: '1' }, ['VEROTEL_SIGNATURE_KEY']],
    [{ VEROTEL_BASE_URL: 'https://pay.example' }, ['VEROTEL_SHOP_ID', 'VEROTEL_SIGNATURE_KEY']],
    [{ NOWPAYMENTS_API_KEY: 'key' }, ['NOWPAYMENTS_IPN_SECRET']],
    [
      { NOWPAYMENTS_EMAIL: 'a@b.example' },
      ['NOWPAYMENTS_API_KEY', 'NOWPAYMENTS_IPN_SECRET', 'NOWPAYMENTS_PASSWORD'],
    ],
    [{ PRIME_MERCHANT_ID: '5' }, ['PRIME_SECRET_1', 'PRIME_SECRET_2', 'PRIME_BASE_URL']],
    [
      { BTCPAY_BASE_URL: 'https://btc.example' },
      ['BTCPAY_STORE_ID', 'BTCPAY_API_KEY', 'BTCPAY_WEBHOOK_SECRET'],
    ],
  ] as const)
    deepEqual([read(given).access, read(given).missing], [{}, missing])
})

test('half a pair of optional credentials is named, and the provider stays on', () => {
  for (const [half, missing] of [
    [{ NOWPAYMENTS_EMAIL: 'a@b.example' }, 'NOWPAYMENTS_PASSWORD'],
    [{ NOWPAYMENTS_PASSWORD: 'word' }, 'NOWPAYMENTS_EMAIL'],
  ] as const) {
    const found = read({ ...nowpayments, ...half })
    deepEqual([found.missing, found.access.nowpayments?.api_key], [[missing], 'key'])
  }
  const fk = { FK_MERCHANT_ID: '7', FK_SECRET_1: 'one', FK_SECRET_2: 'two' }
  deepEqual(read({ ...fk, FK_API_URL: 'https://api.example/v1' }).missing, ['FK_API_KEY'])
  deepEqual(read({ ...fk, FK_API_KEY: 'key' }).missing, [])
})

test('production sells over TLS, and not through a program that plays the provider', () => {
  for (const [url, sentence] of [
    ['http://pay.example', /VEROTEL_BASE_URL must be an https:/],
    ['http://127.0.0.1:3001/verotel', /VEROTEL_BASE_URL must be the address of the provider/],
    ['http://localhost:3001/verotel', /VEROTEL_BASE_URL must be the address of the provider/],
    ['https://localhost.:3001', /VEROTEL_BASE_URL must be the address of the provider/],
    ['https://pay.localhost', /VEROTEL_BASE_URL must be the address of the provider/],
    ['https://[::]', /VEROTEL_BASE_URL must be the address of the provider/],
    ['https://10.0.0.8', /VEROTEL_BASE_URL must be the address of the provider/],
    ['https://0.0.0.0', /VEROTEL_BASE_URL must be the address of the provider/],
  ] as const)
    throws(() => read({ ...verotel, VEROTEL_BASE_URL: url }, true), sentence)
  const btcpay = {
    BTCPAY_STORE_ID: 's',
    BTCPAY_API_KEY: 'k',
    BTCPAY_WEBHOOK_SECRET: 'w',
    BTCPAY_BASE_URL: 'http://127.0.0.1:23000',
  }
  equal(read(btcpay, true).access.btcpay?.store_id, 's')
})

test('the stand-in plays the providers without credentials of their own', () => {
  const standIn = readStandIn(
    { DEMO_PAYMENTS_PORT: undefined, DEMO_PAYMENTS_ORIGIN: undefined },
    { port: 3000, origin: 'http://localhost:3000' },
  )!
  equal(standIn.port, 3001)
  const { access } = readPayments(verotel as Given, installation, standIn.access)
  equal(access.verotel?.base_url, 'https://secure.verotel.com')
  equal(access.fk?.base_url, 'http://localhost:3001/fk')
})
