import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, networkOf } from './client-address.ts'

const from = (remoteAddress: string, forwarded?: string) => ({
  socket: { remoteAddress },
  headers: { 'x-forwarded-for': forwarded },
})

test('without own proxies the forwarded address is ignored', () => {
  equal(addressOf(from('::ffff:192.0.2.1', '10.0.0.1'), 0), '192.0.2.1')
})

test('with proxies only the entry that the outermost proxy wrote is used', () => {
  equal(addressOf(from('10.0.0.9', '1.1.1.1, 2.2.2.2, 3.3.3.3'), 1), '3.3.3.3')
  equal(addressOf(from('10.0.0.9', '1.1.1.1, 2.2.2.2, 3.3.3.3'), 2), '2.2.2.2')
  equal(addressOf(from('10.0.0.9'), 1), '10.0.0.9')
  equal(addressOf(from('10.0.0.9', '3.3.3.3'), 2), '10.0.0.9')
})

test('a subscriber in IPv6 is a /64', () => {
  equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64')
  equal(networkOf('2001:db8::7'), '2001:db8:0:0::/64')
  equal(networkOf('::1'), '0:0:0:0::/64')
  equal(networkOf('192.0.2.1'), '192.0.2.1')
})
