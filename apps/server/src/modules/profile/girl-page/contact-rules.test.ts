import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { type ContactFacts, mayCall, mayWrite } from './contact-rules.ts'

const READY: ContactFacts = {
  viewer: 'guy',
  is_premium: true,
  premium_calls_only: true,
  takes_calls: true,
  is_in_private_call: false,
  can_pay: true,
}
const NOT_BUILT = 901

test('a call is refused by the first reason that the viewer can do something about', () => {
  const cases: [Partial<ContactFacts>, number][] = [
    [{}, NOT_BUILT],
    [{ viewer: 'visitor' }, 109],
    [{ viewer: 'girl' }, 904],
    [{ is_premium: false }, 302],
    [{ is_premium: false, premium_calls_only: false }, NOT_BUILT],
    [{ takes_calls: false, can_pay: false }, 311],
    [{ is_in_private_call: true }, 304],
    [{ can_pay: false }, 301],
  ]
  for (const [change, code] of cases)
    deepEqual(mayCall({ ...READY, ...change }), { allowed: false, code }, JSON.stringify(change))
})

test('the messenger decides who of the guys may write', () => {
  deepEqual(mayWrite(READY, { allowed: true }), { allowed: true })
  deepEqual(mayWrite(READY, { allowed: false, code: 302 }), { allowed: false, code: 302 })
  for (const viewer of ['visitor', 'girl'] as const)
    deepEqual(mayWrite({ ...READY, viewer }, { allowed: true }).allowed, false)
})
