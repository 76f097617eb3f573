import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { countLoad, type CountedDecision } from './load-rules.ts'

const NOW = Temporal.Instant.from('2030-01-07T12:00:00Z')
const LIMITS = { severe_hour_max: 2, severe_shift_max: 3, break_minutes: 50 }
const ago = (minutes: number, isSevere = false): CountedDecision => ({
  at: NOW.subtract({ minutes }),
  is_severe: isSevere,
})

test('severe cases count for an hour and for a shift, and either limit is enough', () => {
  const cases: [CountedDecision[], boolean][] = [
    [[ago(1), ago(2), ago(3), ago(4)], false],
    [[ago(1, true)], false],
    [[ago(1, true), ago(59, true)], true],
    [[ago(1, true), ago(60, true)], false],
    [[ago(100, true), ago(200, true), ago(300, true)], true],
  ]
  for (const [decisions, isLimited] of cases)
    equal(countLoad(decisions, NOW, LIMITS).is_limited, isLimited, JSON.stringify(decisions))
})

test('a limit of nothing is no limit', () => {
  const none = { severe_hour_max: 0, severe_shift_max: 0, break_minutes: 0 }
  const load = countLoad([ago(0, true), ago(9, true), ago(18, true)], NOW, none)
  deepEqual([load.is_limited, load.is_break_due, load.severe_hour], [false, false, 3])
})

test('deciding without ten minutes between ends in a break', () => {
  const busy = Array.from({ length: 11 }, (_, index) => ago(index * 5))
  deepEqual(countLoad(busy, NOW, LIMITS).deciding_minutes, 50)
  equal(countLoad(busy, NOW, LIMITS).is_break_due, true)
  const withPause = busy.filter((_, index) => index !== 4)
  deepEqual(countLoad(withPause, NOW, LIMITS).deciding_minutes, 15)
  deepEqual(countLoad([ago(10), ago(12)], NOW, LIMITS).deciding_minutes, 0)
})
