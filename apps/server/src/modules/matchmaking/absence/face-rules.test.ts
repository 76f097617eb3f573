import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { isAbsence } from './face-rules.ts'

const NOW = 1_000_000
const facts = { is_expected: true, recorded_at_ms: undefined, now_ms: NOW }
const absent = (since_ms: number) => ({ present: false, since_ms })

const cases = [
  ['20 seconds without a face', absent(20_000), {}, true],
  ['less than 20 seconds', absent(19_999), {}, false],
  ['a face', { present: true, since_ms: 60_000 }, {}, false],
  ['neither a search nor a call', absent(20_000), { is_expected: false }, false],
  [
    'a repeated report of the same stretch',
    absent(60_000),
    { recorded_at_ms: NOW - 40_000 },
    false,
  ],
  ['a report that arrives twice', absent(20_000), { recorded_at_ms: NOW }, false],
  ['a new stretch', absent(20_000), { recorded_at_ms: NOW - 20_001 }, true],
] as const

for (const [name, report, changed, expected] of cases)
  test(`${name}: ${expected ? 'an absence' : 'no absence'}`, () => {
    equal(isAbsence(report, { ...facts, ...changed }, 20_000), expected)
  })

test('no report is an absence while faces are not looked for', () => {
  equal(isAbsence(absent(3_600_000), facts, 0), false)
})
