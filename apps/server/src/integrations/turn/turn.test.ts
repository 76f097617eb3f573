import { deepEqual, equal, rejects } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createTurnRelay } from './turn.ts'

const now = Temporal.Instant.from('2026-01-02T00:00:00Z')

test('without a relay the browsers connect directly', () => {
  const relay = createTurnRelay(undefined)
  deepEqual(relay.paramsFor('42', now), { iceServers: [], iceTransportPolicy: 'all' })
  equal(relay.isOwnAddress, undefined)
})

test('with a relay only the relay is used, with credentials that expire in ten minutes', () => {
  const relay = { urls: ['turn:turn.example.com:3478?transport=udp'], secret: 'TURN_SECRET' }
  const username = '1767312600:42'
  const credential = createHmac('sha1', 'TURN_SECRET').update(username).digest('base64')
  deepEqual(createTurnRelay(relay).paramsFor('42', now), {
    iceServers: [{ urls: relay.urls, username, credential }],
    iceTransportPolicy: 'relay',
  })
})

test('the addresses of the relay are those of its names, and stay when a name cannot be resolved', async () => {
  let isReachable = true
  const urls = [
    'turn:turn.example:3478?transport=udp',
    'turns:turn.example:5349?transport=tcp',
    'turn:[2001:DB8::9]:3478',
    'turn:198.51.100.4',
  ]
  const relay = createTurnRelay({ urls, secret: 'TURN_SECRET' }, async (host) => {
    equal(host, 'turn.example')
    if (!isReachable) throw new Error('no such name')
    return [{ address: '192.0.2.9' }]
  })
  const isOwn = (address: string) => relay.isOwnAddress!(address)
  equal(isOwn('192.0.2.9'), false)
  await relay.refreshAddresses()
  for (const address of ['192.0.2.9', '2001:db8:0::9', '198.51.100.4']) equal(isOwn(address), true)
  for (const address of ['192.0.2.10', 'turn.example', '', '::1']) equal(isOwn(address), false)
  isReachable = false
  await rejects(relay.refreshAddresses())
  equal(isOwn('192.0.2.9'), true)
})

test('an operator may name the addresses of relayed candidates', async () => {
  const access = { urls: ['turn:turn.example'], secret: 'TURN_SECRET' }
  const relay = createTurnRelay({ ...access, addresses: ['192.0.2.15', '2001:db8::9'] }, () =>
    Promise.reject(new Error('no name is resolved')),
  )
  await relay.refreshAddresses()
  equal(relay.isOwnAddress!('192.0.2.15'), true)
  equal(relay.isOwnAddress!('192.0.2.16'), false)
  equal(relay.isOwnAddress!('2001:db8::9'), true)
})
