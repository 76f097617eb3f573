import { beforeEach, expect, test } from 'vitest'
import { activate } from '../i18n.ts'
import { timeAgo, timeUntil } from './time-ago.ts'

beforeEach(() => activate('en'))

const NOW_MS = Date.parse('2026-11-25T12:00:00Z')

test.each([
  ['2026-11-25T11:55:00Z', '5m ago'],
  ['2026-11-25T09:00:00Z', '3h ago'],
  ['2026-11-23T11:00:00Z', '2d ago'],
  // Without a zone: that of UTC+3.
  ['2026-11-25T14:55:00', '5m ago'],
  ['2026-11-01T12:00:00Z', 'Nov 1, 2026'],
])('the age of %s is a number and a letter within a week: %s', (time, text) => {
  expect(timeAgo(time, NOW_MS)).toBe(text)
})

test('the time that is left is as short', () => {
  expect(timeUntil('2026-11-25T15:10:00Z', NOW_MS)).toBe('in 3h')
})
