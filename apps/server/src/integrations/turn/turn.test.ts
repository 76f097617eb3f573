import { deepEqual } from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createTurnRelay } from './turn.ts'

const now = Temporal.Instant.from('2026-01-02T00:00:00Z')

test('without a relay the browsers connect directly', () => {
  deepEqual(createTurnRelay(undefined).paramsFor('u42', now), {
    iceServers: [],
    iceTransportPolicy: 'all',
  })
})

test('with a relay only the relay is used, with credentials that expire in ten minutes', () => {
  const relay = { urls: ['turn:turn.example.com:3478?transport=udp'], secret: 'TURN_SECRET' }
  const username = '1767312600:u42'
  const credential = createHmac('sha1', 'TURN_SECRET').update(username).digest('base64')
  deepEqual(createTurnRelay(relay).paramsFor('u42', now), {
    iceServers: [{ urls: relay.urls, username, credential }],
    iceTransportPolicy: 'relay',
  })
})
