import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { chooseCalls, countShown, type RatedCall, rateRisk, readReasons } from './wall-rules.ts'

const QUIET: RatedCall = {
  session_id: 1,
  guy_id: 10,
  girl_id: 20,
  is_private: false,
  opened_ms: 1000,
  weak: false,
  complaint: 0,
  accused: 0,
  nudity: 0,
  checked: false,
  no_face: false,
  frames_missing: false,
  camera_off: false,
  earlier: false,
  new_account: false,
}
const call = (part: Partial<RatedCall>): RatedCall => ({ ...QUIET, ...part })

test('each reason adds its points, and a complaint counts by the reliability of its reporters', () => {
  equal(rateRisk(QUIET), 0)
  const cases: [Partial<RatedCall>, number][] = [
    [{ complaint: 1 }, 100],
    [{ complaint: 7 }, 100],
    [{ complaint: 0.01 }, 31],
    [{ accused: 0.6 }, 36],
    [{ checked: true, new_account: true }, 62],
    [{ nudity: 0.8, earlier: true }, 85],
    [{ weak: true }, 0],
  ]
  deepEqual(
    cases.map(([part]) => rateRisk(call(part))),
    cases.map(([, risk]) => risk),
  )
  ok(rateRisk(call({ checked: true })) > rateRisk(call({ complaint: 0.05 })))
  deepEqual(readReasons(call({ new_account: true, complaint: 0.4, nudity: 0.5 })), [
    'complaint',
    'nudity',
    'new_account',
  ])
})

test('the filters, the orders and the search choose calls, and each filter is counted', () => {
  const calls = [
    call({ session_id: 1, guy_id: 11, opened_ms: 3000 }),
    call({ session_id: 2, guy_id: 12, opened_ms: 1000, is_private: true, no_face: true }),
    call({ session_id: 3, guy_id: 13, opened_ms: 2000, weak: true, new_account: true }),
  ]
  deepEqual(countShown(calls), { all: 3, flagged: 1, new_accounts: 1, private: 1, weak: 1 })
  const ids = (
    ...given: Parameters<typeof chooseCalls> extends [unknown, ...infer R] ? R : never
  ) => chooseCalls(calls, ...given).map(({ session_id }) => session_id)
  deepEqual(ids('all', 'risk', undefined), [2, 3, 1])
  deepEqual(ids('all', 'longest', undefined), [2, 3, 1])
  deepEqual(ids('all', 'newest', undefined), [1, 3, 2])
  deepEqual(ids('flagged', 'risk', undefined), [2])
  deepEqual(ids('weak', 'risk', undefined), [3])
  deepEqual(ids('all', 'risk', new Set([11, 3])), [3, 1])
  deepEqual(ids('private', 'risk', new Set([11])), [])
})
