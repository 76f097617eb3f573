import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '@duet/testkit/test-app.ts'
import { createConnectionLimiter } from '../realtime/socket-server.ts'
import { getAddress, getClientAddress, identifyClient, toNetwork } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
})

test('without own proxies the forwarded address is ignored', () => {
  equal(getAddress(from('::ffff:192.0.2.1', '10.0.0.1'), 0), '192.0.2.1')
})

test('with proxies only the entry that the outermost proxy wrote is used', () => {
  equal(getAddress(from('10.0.0.9', '1.1.1.1, 2.2.2.2, 3.3.3.3'), 1), '3.3.3.3')
  equal(getAddress(from('10.0.0.9', '1.1.1.1, 2.2.2.2, 3.3.3.3'), 2), '2.2.2.2')
  equal(getAddress(from('10.0.0.9'), 1), '10.0.0.9')
  equal(getAddress(from('10.0.0.9', '3.3.3.3'), 2), '10.0.0.9')
})

test('an entry with a port is its address, and one that is no address is not believed', () => {
  for (const [entry, address] of [
    ['198.51.100.7:4711', '198.51.100.7'],
    ['[2001:db8::7]:4711', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['2001:0DB8:0000::0007', '2001:db8::7'],
    ['::FFFF:198.51.100.7', '198.51.100.7'],
    ['::ffff:c633:6407', '198.51.100.7'],
    ['unknown', '10.0.0.9'],
    ['_hidden', '10.0.0.9'],
    ['boris from 127.0.0.1', '10.0.0.9'],
    ['198.51.100.7:port', '10.0.0.9'],
    ['198.51.100.700', '10.0.0.9'],
  ] as const)
    equal(getAddress(from('10.0.0.9', entry), 1), address, entry)
  equal(getAddress(from('fe80::1%eth0'), 0), 'fe80::1')
})

story.with({ env: { TRUSTED_PROXIES: '0' } })(
  'a proxy that is not believed is reported once',
  async ({ testApp }) => {
    const warnings: unknown[] = []
    const app = { ...testApp.app, log: { warn: (text: unknown) => warnings.push(text) } as never }
    equal(getClientAddress(app, from('127.0.0.1')), '127.0.0.1')
    equal(warnings.length, 0)
    for (let time = 0; time < 3; time += 1)
      equal(getClientAddress(app, from('127.0.0.1', '198.51.100.7')), '127.0.0.1')
    equal(warnings.length, 1)
    match(String(warnings[0]), /TRUSTED_PROXIES is 0/)
  },
)

story('the networks of one site share the sockets of ten networks', async ({ testApp }) => {
  const { app } = testApp
  const limiter = createConnectionLimiter({
    ...app,
    config: { ...app.config, sockets_max: 100, sockets_per_address_max: 2 },
  })
  const addresses = Array.from({ length: 20 }, (_, index) => `2001:db8:1:${index}::1`)
  for (const address of addresses) {
    equal(limiter.isFull(address), false)
    limiter.take(address)
  }
  equal(limiter.isFull('2001:db8:1:99::1'), true)
  equal(limiter.isFull('2001:db8:2::1'), false)
  equal(limiter.isReserved(), false)
  limiter.free(addresses[0]!)
  equal(limiter.isFull('2001:db8:1:99::1'), false)
})

story('the last sockets are for networks from which a member logged in', async ({ testApp }) => {
  const { app } = testApp
  const limiter = createConnectionLimiter({ ...app, config: { ...app.config, sockets_max: 40 } })
  limiter.rememberMember('192.0.2.1')
  limiter.rememberMember('2001:db8:1:1::1')
  for (let socket = 0; socket < 38; socket += 1) {
    equal(limiter.isFull('198.51.100.1'), false)
    limiter.take(`203.0.113.${socket}`)
  }
  const open = ['192.0.2.1', '2001:db8:1:1::2', '2001:db8:1:2::1', '198.51.100.1'].filter(
    (address) => !limiter.isFull(address),
  )
  deepEqual(open, ['192.0.2.1', '2001:db8:1:1::2'])
  for (let socket = 0; socket < 2; socket += 1) limiter.take('192.0.2.1')
  equal(limiter.isFull('192.0.2.1'), true)
})

story('the machine itself is limited outside the demo', async ({ testApp }) => {
  const { app } = testApp
  const getLimiter = (demo: boolean) =>
    createConnectionLimiter({
      ...app,
      config: { ...app.config, demo, sockets_per_address_max: 2 },
    })
  for (const [demo, isFull] of [
    [true, false],
    [false, true],
  ] as const) {
    const limiter = getLimiter(demo)
    for (let socket = 0; socket < 2; socket += 1) limiter.take('127.0.0.1')
    equal(limiter.isFull('127.0.0.1'), isFull)
    equal(limiter.isFull('198.51.100.7'), false)
  }
})

test('a subscriber in IPv6 is a /64', () => {
  equal(toNetwork('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  equal(toNetwork('2001:db8::7'), '2001:db8:0:0::/64')
  equal(toNetwork('::1'), '0:0:0:0::/64')
  equal(toNetwork('192.0.2.1'), '192.0.2.1')
})

story.with({ env: { TRUSTED_PROXIES: '2', COUNTRY_HEADER: 'X-Country' } })(
  'the header of the country is believed only in a request that came through all trusted proxies',
  async ({ testApp }) => {
    const getCountry = (forwarded: string | undefined) =>
      identifyClient(testApp.app, {
        socket: { remoteAddress: '90.0.0.1' },
        headers: { 'x-forwarded-for': forwarded, 'x-country': 'GB' },
      }).country
    for (const forged of [undefined, '', '91.10.1.1', 'unknown, 91.10.1.1'])
      equal(getCountry(forged), null, String(forged))
    equal(getCountry('91.10.1.1, 81.2.69.142'), 'GB')
    equal(getCountry('192.168.1.1, 81.2.69.142'), null, 'a private address has no country')
  },
)
