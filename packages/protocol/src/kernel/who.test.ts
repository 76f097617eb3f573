import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from './contract.ts'
import { principals } from '../reference/permissions-reference.ts'
import { mayRequest, type Principal, type Verdict } from './who.ts'

const table: Record<Who, readonly Verdict[]> = {
  //         no token           guest               guy                premium            girl                    verified           moderator          manager            finance            owner
  any: [null, null, null, null, null, null, null, null, null, null],
  guest: ['session_invalid', null, null, null, null, null, ...staff('role_forbidden')],
  member: [
    'session_invalid',
    'registered_only',
    null,
    null,
    null,
    null,
    ...staff('role_forbidden'),
  ],
  guy: [
    'session_invalid',
    'registered_only',
    null,
    null,
    'role_forbidden',
    'role_forbidden',
    ...staff('role_forbidden'),
  ],
  premium: [
    'session_invalid',
    'registered_only',
    'premium_only',
    null,
    'role_forbidden',
    'role_forbidden',
    ...staff('role_forbidden'),
  ],
  girl: [
    'session_invalid',
    'registered_only',
    'role_forbidden',
    'role_forbidden',
    null,
    null,
    ...staff('role_forbidden'),
  ],
  verified: [
    'session_invalid',
    'registered_only',
    'role_forbidden',
    'role_forbidden',
    'verification_required',
    null,
    ...staff('role_forbidden'),
  ],
  staff: ['session_invalid', ...users('role_forbidden'), ...staff(null)],
  moderator: ['session_invalid', ...users('role_forbidden'), null, null, 'role_forbidden', null],
  manager: [
    'session_invalid',
    ...users('role_forbidden'),
    'role_forbidden',
    null,
    'role_forbidden',
    null,
  ],
  finance: [
    'session_invalid',
    ...users('role_forbidden'),
    'role_forbidden',
    'role_forbidden',
    null,
    null,
  ],
  owner: [
    'session_invalid',
    ...users('role_forbidden'),
    'role_forbidden',
    'role_forbidden',
    'role_forbidden',
    null,
  ],
}

function staff(verdict: Verdict): Verdict[] {
  return [verdict, verdict, verdict, verdict]
}
function users(verdict: Verdict): Verdict[] {
  return [verdict, verdict, verdict, verdict, verdict]
}

const unbanned = Object.entries<Principal>(principals).filter(([, principal]) => !principal.banned)

for (const [who, verdicts] of Object.entries(table) as [Who, Verdict[]][]) {
  test(`${who}: every other caller gets the refusal that applies`, () => {
    equal(unbanned.length, verdicts.length)
    unbanned.forEach(([name, principal], at) =>
      equal(mayRequest(principal, { who }), verdicts[at], name),
    )
  })
}

test('a banned user is refused by every contract that does not admit banned users', () => {
  for (const who of Object.keys(table) as Who[])
    equal(mayRequest(principals['banned girl'], { who }), 'banned')
  equal(mayRequest(principals['banned girl'], { who: 'girl', banned: true }), null)
  equal(mayRequest(principals['banned guy'], { who: 'girl', banned: true }), 'role_forbidden')
})

test('one of several callers suffices; a caller who is none of them gets the nearest refusal', () => {
  const who = ['premium', 'girl'] as const
  equal(mayRequest(principals.guy, { who }), 'premium_only')
  equal(mayRequest(principals['premium guy'], { who }), null)
  equal(mayRequest(principals.girl, { who }), null)
  equal(mayRequest(principals.guest, { who }), 'registered_only')
  equal(mayRequest(principals['no token'], { who }), 'session_invalid')
})

test('staff without a role and a member without a gender are refused', () => {
  equal(mayRequest({ kind: 'staff' }, { who: 'staff' }), 'role_forbidden')
  equal(mayRequest({ kind: 'member', role: null }, { who: 'girl' }), 'role_forbidden')
  equal(
    mayRequest({ kind: 'guest', role: 'girl', verified: true }, { who: 'verified' }),
    'registered_only',
  )
})
