import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedError } from '../call-errors.ts'
import { memoryStore, persistence } from '../storage.ts'
import { Authentication, type AuthAnswer } from './authentication.ts'

test('a login is not repeated when its token is refused', async () => {
  const sent: unknown[] = []
  const authentication = new Authentication(persistence(memoryStore()), async (identity) => {
    sent.push(identity)
    if (identity.token !== undefined) throw new RefusedError('AUTH', 'session_invalid')
    return { token: 'hers' } as AuthAnswer
  })
  const given = { login: 'a@example.org', password: 'long enough' }
  await authentication.authenticate(given)
  await authentication.authenticate()
  deepEqual(sent, [given, { token: 'hers' }, {}])
})
