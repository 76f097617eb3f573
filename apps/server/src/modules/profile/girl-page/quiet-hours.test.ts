import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { quietWindow } from './quiet-hours.ts'

const at = (time: string) => Temporal.Instant.from(time)
const ms = (time: string) => at(time).epochMilliseconds

test('quiet hours count in the girl’s own time zone and may include midnight', () => {
  const quiet = { from: '22:00', to: '07:00', zone: 'Asia/Tokyo' }
  const tonight = { from_ms: ms('2030-03-04T13:00:00Z'), until_ms: ms('2030-03-04T22:00:00Z') }
  for (const now of ['2030-03-04T01:00:00Z', '2030-03-04T13:00:00Z', '2030-03-04T21:59:59Z']) {
    deepEqual(quietWindow(quiet, at(now)), tonight)
  }
  equal(quietWindow(quiet, at('2030-03-04T22:00:00Z'))?.from_ms, ms('2030-03-05T13:00:00Z'))
})

test('quiet hours within a day begin and end on that day', () => {
  const quiet = { from: '12:00', to: '14:30', zone: 'UTC' }
  const today = { from_ms: ms('2030-03-04T12:00:00Z'), until_ms: ms('2030-03-04T14:30:00Z') }
  deepEqual(quietWindow(quiet, at('2030-03-04T13:00:00Z')), today)
  equal(quietWindow(quiet, at('2030-03-04T14:30:00Z'))?.from_ms, ms('2030-03-05T12:00:00Z'))
})

test('quiet hours end at the local time also in the night of a clock change', () => {
  const quiet = { from: '22:00', to: '07:00', zone: 'Europe/Berlin' }
  equal(quietWindow(quiet, at('2030-03-30T23:00:00Z'))?.until_ms, ms('2030-03-31T05:00:00Z'))
})

test('there are no quiet hours without the setting or in an unknown time zone', () => {
  equal(quietWindow(null, at('2030-03-04T13:00:00Z')), undefined)
  equal(
    quietWindow({ from: '22:00', to: '07:00', zone: 'Moon/Crater' }, at('2030-03-04T13:00:00Z')),
    undefined,
  )
})
