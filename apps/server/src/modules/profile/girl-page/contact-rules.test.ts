import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { refusals, type RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { type ContactFacts, getCallPermission, getWritePermission } from './contact-rules.ts'

const READY: ContactFacts = {
  viewer: 'guy',
  is_premium: true,
  premium_calls_only: true,
  takes_calls: true,
  is_in_private_call: false,
  can_pay: true,
}
const NOT_BUILT = 'unknown_call'

test('a call is refused by the first reason that the viewer can do something about', () => {
  const cases: [Partial<ContactFacts>, RefusalName][] = [
    [{}, NOT_BUILT],
    [{ viewer: 'visitor' }, 'registered_only'],
    [{ viewer: 'girl' }, 'role_forbidden'],
    [{ is_premium: false }, 'premium_only'],
    [{ is_premium: false, premium_calls_only: false }, NOT_BUILT],
    [{ takes_calls: false, can_pay: false }, 'user_offline'],
    [{ is_in_private_call: true }, 'in_call'],
    [{ can_pay: false }, 'no_balance'],
  ]
  for (const [change, name] of cases)
    deepEqual(
      getCallPermission({ ...READY, ...change }),
      { allowed: false, code: refusals[name].code, name },
      JSON.stringify(change),
    )
})

test('the messenger decides who of the guys may write', () => {
  deepEqual(getWritePermission(READY, { allowed: true }), { allowed: true })
  const premiumOnly = { allowed: false, code: 302, name: 'premium_only' } as const
  deepEqual(getWritePermission(READY, premiumOnly), premiumOnly)
  for (const viewer of ['visitor', 'girl'] as const)
    deepEqual(getWritePermission({ ...READY, viewer }, { allowed: true }).allowed, false)
})
