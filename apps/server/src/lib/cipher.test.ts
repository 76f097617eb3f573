import { deepEqual, equal, notEqual, throws } from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { KEY_BYTES, open, seal } from './cipher.ts'

const key = randomBytes(KEY_BYTES)
const TEXT_LENGTH_MAX = 64 * 1024

/** Any value that JSON can carry, up to the size of a packet. */
const sendable = fc.jsonValue().filter((value) => value !== null && value !== '')

test('opens a sealed value unchanged, with its own key only', () => {
  fc.assert(
    fc.property(sendable, (value) => {
      const packet = seal(key, value)
      deepEqual(open(key, packet, TEXT_LENGTH_MAX), JSON.parse(JSON.stringify(value)))
      equal(open(randomBytes(KEY_BYTES), packet, TEXT_LENGTH_MAX), undefined)
    }),
    { seed: testSeed() },
  )
})

test('rejects a packet with one changed bit or one missing byte', () => {
  const packet = Buffer.from(seal(key, { action: 'MESSAGE', data: { message: 'hello' } }), 'base64')
  for (let at = 0; at < packet.length; at += 1) {
    const changed = Buffer.from(packet)
    changed[at]! ^= 1
    equal(open(key, changed.toString('base64'), TEXT_LENGTH_MAX), undefined)
    equal(open(key, packet.subarray(0, at).toString('base64'), TEXT_LENGTH_MAX), undefined)
  }
})

test('a thousand packets of one value share no nonce and can all be opened', () => {
  const packets = Array.from({ length: 1000 }, () => seal(key, { action: 'TYPING' }))
  const nonces = packets.map((packet) => Buffer.from(packet, 'base64').toString('hex', 0, 12))
  equal(new Set(nonces).size, packets.length)
  for (const packet of packets) deepEqual(open(key, packet, TEXT_LENGTH_MAX), { action: 'TYPING' })
})

test('a packet is nonce, body and tag in base64, readable by any other implementation', () => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update('{"text":"grüße 👋"}'), cipher.final()])
  const packet = Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64')
  deepEqual(open(key, packet, TEXT_LENGTH_MAX), { text: 'grüße 👋' })
})

test('rejects a packet above the size limit', () => {
  const packet = seal(key, 'x'.repeat(98))
  notEqual(open(key, packet, 100), undefined)
  equal(open(key, packet, 99), undefined)
})

test('rejects an empty packet', () => {
  for (const nothing of [undefined, null, '']) throws(() => seal(key, nothing))
  for (const nothing of [undefined, null, '', 7, {}, 'A'.repeat(37)])
    equal(open(key, nothing, TEXT_LENGTH_MAX), undefined)
})
