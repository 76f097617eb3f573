import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenHours } from '@duet/protocol'
import {
  isOpenFor,
  isZone,
  joinWindows,
  openSpans,
  quietSpans,
  type OpenSpan,
  type Week,
  withoutSpans,
} from './open-hours.ts'

const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds
const span = (from: string, until: string): OpenSpan => ({ from_ms: ms(from), until_ms: ms(until) })
const show = (spans: readonly OpenSpan[]) =>
  spans.map(({ from_ms, until_ms }) =>
    [from_ms, until_ms].map((at) =>
      Temporal.Instant.fromEpochMilliseconds(at).toString().slice(0, 16),
    ),
  )
const window = (weekday: number, from: string, until: string): OpenHours => {
  const [from_minute, until_minute] = [from, until].map((clock) => {
    const [hours, minutes] = clock.split(':').map(Number)
    return hours! * 60 + minutes!
  })
  return { weekday, from_minute: from_minute!, until_minute: until_minute! }
}
const week = (zone: string, ...hours: OpenHours[]): Week => ({ zone, hours })
const SUNDAY = 7

/** In Berlin 02:00 to 03:00 does not exist on 28 March 2027, and occurs twice on 31 October 2027. */
const SPRING = span('2027-03-27T23:00Z', '2027-03-28T22:00Z')
const AUTUMN = span('2027-10-30T22:00Z', '2027-10-31T23:00Z')

const CASES: readonly [string, Week, OpenSpan, string[][]][] = [
  [
    'a window of an ordinary week',
    week('Europe/Berlin', window(3, '18:00', '20:30')),
    span('2027-01-11T00:00Z', '2027-01-18T00:00Z'),
    [['2027-01-13T17:00', '2027-01-13T19:30']],
  ],
  [
    'windows that meet at midnight are one span',
    week('Europe/Berlin', window(3, '23:00', '24:00'), window(4, '00:00', '01:00')),
    span('2027-01-11T00:00Z', '2027-01-18T00:00Z'),
    [['2027-01-13T22:00', '2027-01-14T00:00']],
  ],
  [
    'the hour that summer time skips is never open',
    week('Europe/Berlin', window(SUNDAY, '02:00', '03:00')),
    SPRING,
    [],
  ],
  [
    'a window around the skipped hour is an hour shorter',
    week('Europe/Berlin', window(SUNDAY, '01:30', '03:30')),
    SPRING,
    [['2027-03-28T00:30', '2027-03-28T01:30']],
  ],
  [
    'a window that begins in the skipped hour begins after it',
    week('Europe/Berlin', window(SUNDAY, '02:30', '04:00')),
    SPRING,
    [['2027-03-28T01:00', '2027-03-28T02:00']],
  ],
  [
    'the hour that occurs twice is open twice, without a gap',
    week('Europe/Berlin', window(SUNDAY, '02:00', '03:00')),
    AUTUMN,
    [['2027-10-31T00:00', '2027-10-31T02:00']],
  ],
  [
    'half of the hour that occurs twice is open twice, with a gap',
    week('Europe/Berlin', window(SUNDAY, '02:00', '02:30')),
    AUTUMN,
    [
      ['2027-10-31T00:00', '2027-10-31T00:30'],
      ['2027-10-31T01:00', '2027-10-31T01:30'],
    ],
  ],
  [
    'the same window is an hour earlier in UTC after the clocks changed',
    week('Europe/Berlin', window(6, '12:00', '13:00')),
    span('2027-03-26T00:00Z', '2027-04-04T00:00Z'),
    [
      ['2027-03-27T11:00', '2027-03-27T12:00'],
      ['2027-04-03T10:00', '2027-04-03T11:00'],
    ],
  ],
  [
    'a zone whose clocks change by half an hour',
    week('Australia/Lord_Howe', window(SUNDAY, '01:00', '03:00')),
    span('2027-10-02T00:00Z', '2027-10-04T00:00Z'),
    [['2027-10-02T14:30', '2027-10-02T16:00']],
  ],
]

for (const [name, of, within, expected] of CASES)
  test(`open hours: ${name}`, () => deepEqual(show(openSpans(of, within)), expected))

test('every minute is open exactly while her clock shows a time of a window', () => {
  for (const zone of ['Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kathmandu', 'Africa/Casablanca'])
    for (const within of [SPRING, AUTUMN, span('2027-02-01T00:00Z', '2027-02-02T00:00Z')]) {
      const of = week(
        zone,
        ...[1, 2, 3, 4, 5, 6, 7].flatMap((day) => [
          window(day, '00:15', '02:20'),
          window(day, '02:40', '09:00'),
          window(day, '22:00', '24:00'),
        ]),
      )
      const spans = openSpans(of, within)
      for (let at = within.from_ms; at < within.until_ms; at += 60_000) {
        const clock = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
        const minute = clock.hour * 60 + clock.minute
        const isShown = of.hours.some(
          (one) =>
            one.weekday === clock.dayOfWeek &&
            minute >= one.from_minute &&
            minute < one.until_minute,
        )
        const isOpen = spans.some(({ from_ms, until_ms }) => at >= from_ms && at < until_ms)
        equal(isOpen, isShown, `${clock.toString()}`)
      }
    }
})

test('a date must lie within her hours as a whole, and outside of her quiet hours', () => {
  const of = week('Europe/Berlin', window(SUNDAY, '01:00', '04:00'))
  const open = (at: string, minutes: number) =>
    isOpenFor(
      of,
      { from: '03:00', to: '03:30', zone: 'Europe/Berlin' },
      {
        at: Temporal.Instant.from(at),
        minutes,
      },
    )
  // An hour of her clock from 01:00 on, and then 03:00, when it is quiet.
  equal(open('2027-03-28T00:00Z', 60), true)
  equal(open('2027-03-28T00:15Z', 60), false)
  equal(open('2027-03-28T01:30Z', 30), true)
  equal(open('2027-03-28T01:45Z', 30), false)
  equal(open('2027-03-27T23:45Z', 15), false)
})

test('what is taken and quiet is cut out of the open spans', () => {
  const open = [span('2027-01-13T10:00Z', '2027-01-13T14:00Z')]
  const taken = [
    span('2027-01-13T09:00Z', '2027-01-13T10:30Z'),
    span('2027-01-13T12:00Z', '2027-01-13T12:15Z'),
  ]
  deepEqual(show(withoutSpans(open, taken)), [
    ['2027-01-13T10:30', '2027-01-13T12:00'],
    ['2027-01-13T12:15', '2027-01-13T14:00'],
  ])
  const quiet = quietSpans(
    { from: '22:00', to: '06:00', zone: 'UTC' },
    span('2027-01-13T12:00Z', '2027-01-15T12:00Z'),
  )
  deepEqual(show(quiet), [
    ['2027-01-13T22:00', '2027-01-14T06:00'],
    ['2027-01-14T22:00', '2027-01-15T06:00'],
  ])
})

test('windows that touch become one, and only a place is a zone', () => {
  deepEqual(
    joinWindows([
      window(2, '12:00', '14:00'),
      window(1, '10:00', '11:00'),
      window(2, '10:00', '12:00'),
      window(2, '13:00', '13:30'),
    ]),
    [window(1, '10:00', '11:00'), window(2, '10:00', '14:00')],
  )
  for (const zone of ['Europe/Berlin', 'UTC']) equal(isZone(zone), true, zone)
  for (const zone of ['Moon/Base', '+03:00', '', '2020-01-01T00:00Z', '2020-01-01T00:00+01:00'])
    equal(isZone(zone), false, zone)
})
