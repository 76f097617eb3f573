import { equal } from 'node:assert/strict'
import { argon2Sync } from 'node:crypto'
import { test } from 'node:test'
import { hashPassword, NO_PASSWORD, verifyPassword } from './passwords.ts'

test('a password that was stored at another cost still opens its account', async () => {
  const nonce = Buffer.alloc(16, 7)
  const message = 'a former secret'
  const digest = argon2Sync('argon2id', {
    message,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 8192,
    passes: 3,
  })
  const stored = `argon2id$8192$3$${nonce.toString('base64url')}$${digest.toString('base64url')}`
  equal(await verifyPassword(message, stored, 'known'), true)
  equal(await verifyPassword('another secret', stored, 'known'), false)
})

test('a password is verified against its own hash, and no password opens an account without one', async () => {
  const stored = await hashPassword('a present secret', 'known')
  equal(await verifyPassword('a present secret', stored, 'known'), true)
  equal(await verifyPassword('', NO_PASSWORD, 'known'), false)
  equal(await verifyPassword('a present secret', undefined, 'known'), false)
})
