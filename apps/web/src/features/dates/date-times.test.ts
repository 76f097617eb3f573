import { expect, test } from 'vitest'
import { activate } from '../../shared/i18n.ts'
import { toDay, formatClock, formatCountdown, startsWithin } from './date-times.ts'
import { toCell, countHours, toCells, toWindows, withCell } from './hour-cells.ts'

const ms = (text: string) => Date.parse(text)

test('a date fits into an open span from its half hours on', () => {
  const spans = [{ from: '2027-01-13T10:10:00Z', until: '2027-01-13T12:00:00Z' }]
  const starts = (minutes: number, now = '2027-01-13T00:00:00Z') =>
    startsWithin(spans, { minutes, nowMs: ms(now), zone: 'Europe/Berlin' }).map((at) =>
      new Date(at).toISOString().slice(11, 16),
    )
  expect(starts(30)).toEqual(['10:30', '11:00', '11:30'])
  expect(starts(60)).toEqual(['10:30', '11:00'])
  expect(starts(15, '2027-01-13T11:01:00Z')).toEqual(['11:30'])
  expect(starts(60, '2027-01-13T11:01:00Z')).toEqual([])
})

test('a date begins at half hours of her clock, also where it is not at half hours of UTC', () => {
  const starts = (zone: string, from: string, until: string) =>
    startsWithin([{ from, until }], { minutes: 60, nowMs: 0, zone }).map((at) =>
      new Date(at).toISOString().slice(11, 16),
    )
  // 18:00 to 20:00 in Nepal, then in India, and from a moment that is no minute of a clock.
  expect(starts('Asia/Kathmandu', '2027-01-13T12:15:00Z', '2027-01-13T14:15:00Z')).toEqual([
    '12:15',
    '12:45',
    '13:15',
  ])
  expect(starts('Asia/Kolkata', '2027-01-13T12:30:00Z', '2027-01-13T14:30:00Z')).toEqual([
    '12:30',
    '13:00',
    '13:30',
  ])
  expect(starts('Asia/Kathmandu', '2027-01-13T12:16:07.5Z', '2027-01-13T14:15:00Z')).toEqual([
    '12:45',
    '13:15',
  ])
})

test('a moment has its own day and clock in each zone, also around summer time', async () => {
  await activate('en')
  const at = ms('2027-03-28T01:30:00Z')
  expect(toDay(ms('2027-03-27T23:30:00Z'), 'Europe/Berlin')).toBe('2027-03-28')
  expect(toDay(at, 'America/New_York')).toBe('2027-03-27')
  expect(formatClock(at, 'Europe/Berlin').replace('\u202f', ' ')).toBe('3:30 AM')
  expect(formatClock(at - 3_600_000, 'Europe/Berlin').replace('\u202f', ' ')).toBe('1:30 AM')
})

test('a countdown gets finer near its end', async () => {
  await activate('en')
  const minute = 60_000
  expect([
    formatCountdown(51 * 60 * minute),
    formatCountdown(200 * minute),
    formatCountdown(9 * minute + 5000),
    formatCountdown(-1),
  ]).toEqual(['2d 3h', '3h 20m', '9:05', '0:00'])
})

test('hours become windows, and windows become the same hours', () => {
  const windows = [
    { weekday: 1, from_minute: 0, until_minute: 120 },
    { weekday: 1, from_minute: 1380, until_minute: 1440 },
    { weekday: 7, from_minute: 600, until_minute: 660 },
  ]
  const cells = toCells(windows)
  expect(countHours(cells)).toBe(4)
  expect(toWindows(cells)).toEqual(windows)
  // Another client may have stored parts of hours.
  const parts = [
    { weekday: 2, from_minute: 30, until_minute: 150 },
    { weekday: 2, from_minute: 165, until_minute: 166 },
  ]
  expect(toWindows(toCells(parts.toReversed()))).toEqual(parts)
  expect(toWindows(withCell(toCells(parts), toCell(2, 2), true))).toEqual([
    { weekday: 2, from_minute: 30, until_minute: 180 },
  ])
  expect(toWindows(withCell(cells, toCell(7, 10), false))).toEqual(windows.slice(0, 2))
})
