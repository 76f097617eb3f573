import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { parseTime } from './time.ts'

const NOON_UTC = Date.UTC(2026, 10, 21, 12)

test('a time with a zone is read in that zone', () => {
  for (const text of [
    '2026-11-21T12:00:00Z',
    '2026-11-21T12:00:00.000Z',
    '2026-11-21T15:00:00+03:00',
    '2026-11-21T07:00:00-0500',
  ])
    equal(parseTime(text), NOON_UTC, text)
})

test('a time without a zone is that of UTC+3, whatever the zone of the device', () => {
  for (const text of ['2026-11-21T15:00:00', '2026-11-21 15:00:00', '2026-11-21T15:00'])
    equal(parseTime(text), NOON_UTC, text)
  equal(parseTime('2026-11-21'), Date.UTC(2026, 10, 20, 21))
})

test('a text that is no time is no number', () => {
  ok(Number.isNaN(parseTime('yesterday')))
})
