import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedError } from '../call-errors.ts'
import { memoryStore, persistence } from '../storage.ts'
import { Authentication, type AuthAnswer } from './authentication.ts'

test('a login with a one-time code is not repeated with the code', async () => {
  const sent: unknown[] = []
  const authentication = new Authentication(persistence(memoryStore()), async (identity) => {
    sent.push(identity)
    if (identity.token !== undefined) throw new RefusedError('AUTH', 'session_invalid')
    return { token: 'hers' } as AuthAnswer
  })
  const given = { login: 'a@example.org', password: 'long enough', otp: '123456' }
  await authentication.authenticate(given)
  await authentication.authenticate()
  deepEqual(sent, [given, { token: 'hers' }, {}])
})
