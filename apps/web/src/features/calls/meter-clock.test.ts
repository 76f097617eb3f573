import type { Meter, Session } from '@duet/protocol'
import { describe, expect, test } from 'vitest'
import type { RunningCall } from './calls-state.ts'
import { talkSeconds } from '../../shared/amounts.ts'
import { syncClock, applyMeter, readMeter } from './meter-clock.ts'
import { clockText } from '../../shared/texts/durations.ts'

const START = Date.parse('2026-11-21T20:00:00Z')
const time = (seconds: number) => new Date(START + seconds * 1000).toISOString()
const session = {
  id: 7,
  state: 'public',
  price: '1',
  free_seconds: 10,
  quota_seconds: 60,
} as Session
const exact = { offset_ms: 0, is_sure: true }

type MeterReadingAt = Pick<Meter, 'phase'> & Partial<Meter> & { since: number; received?: number }

/** A call after these readings of the meter, each at its beginning unless `received` names another second. */
function callAfter(readings: MeterReadingAt[], part: Partial<Session> = {}): RunningCall {
  const of = { ...session, ...part }
  const meter = readings.reduce<RunningCall['meter']>(
    (before, { since, received = since, ...reading }) =>
      applyMeter(
        before,
        { session_id: 7, paid_seconds: 0, ...reading, phase_since: time(since) },
        of,
        START + received * 1000,
      ),
    null,
  )
  return { session: of, meter } as RunningCall
}

const read = (call: RunningCall, seconds: number, balance = '10') =>
  readMeter(call, exact, balance, START + seconds * 1000)

describe('what the meter shows', () => {
  test('before both see each other nothing runs', () => {
    expect(read(callAfter([]), 5)).toMatchObject({
      phase: 'waiting',
      seconds: 0,
      free_left: 10,
      quota_left: 60,
      talk_left: 600,
    })
  })

  test('free seconds run down', () => {
    const call = callAfter([{ phase: 'free', since: 0 }])
    expect(read(call, 4)).toMatchObject({ phase: 'free', free_left: 6, seconds: 4 })
    expect(read(call, 14)).toMatchObject({ free_left: 0, seconds: 10 })
  })

  test('a pause takes nothing of the free seconds', () => {
    const call = callAfter([
      { phase: 'free', since: 0 },
      { phase: 'paused', since: 4, why: 'camera_off' },
      { phase: 'free', since: 20 },
    ])
    expect(read(call, 20)).toMatchObject({ free_left: 6, seconds: 4 })
    expect(read(call, 23)).toMatchObject({ free_left: 3, seconds: 7 })
  })

  test('while paused the clock stands still and says why', () => {
    const call = callAfter([
      { phase: 'free', since: 0 },
      { phase: 'paused', since: 4, why: 'no_frames' },
    ])
    expect(read(call, 9)).toMatchObject({ phase: 'paused', why: 'no_frames', seconds: 4 })
  })

  test('the quota comes before money, and a private call has none', () => {
    const readings: MeterReadingAt[] = [
      { phase: 'free', since: 0 },
      { phase: 'quota', since: 10 },
    ]
    expect(read(callAfter(readings), 22)).toMatchObject({
      quota_left: 48,
      seconds: 22,
      talk_left: 600,
      left: 648,
    })
    expect(read(callAfter(readings, { state: 'private' }), 22)).toMatchObject({ quota_left: 0 })
  })

  test('paid seconds run on from what was told, and the talk time that is left runs down with them', () => {
    const call = callAfter([
      { phase: 'free', since: 0 },
      { phase: 'paid', since: 10 },
      { phase: 'paid', since: 10, received: 40, paid_seconds: 30, balance: '2' },
    ])
    expect(read(call, 40)).toMatchObject({ seconds: 40, talk_left: 120, minute_share: 0.5 })
    expect(read(call, 45)).toMatchObject({ seconds: 45, talk_left: 115 })
  })

  test('a pause reaches back to the last good report, also before the phase that it ends', () => {
    const call = callAfter([
      { phase: 'free', since: 0 },
      { phase: 'paid', since: 10 },
      { phase: 'paused', since: 9, received: 12, why: 'camera_off' },
    ])
    expect(read(call, 20)).toMatchObject({ phase: 'paused', why: 'camera_off', seconds: 10 })
  })

  test('stops the clock when no event of the server arrives', () => {
    const call = callAfter([{ phase: 'paid', since: 0, paid_seconds: 5 }])
    expect(read(call, 600).seconds).toBe(read(call, 15).seconds)
  })

  test('after a reload in a paid minute the free part counts as used', () => {
    const call = callAfter([{ phase: 'paid', since: 70, received: 100, paid_seconds: 30 }])
    expect(read(call, 100)).toMatchObject({ free_left: 0, quota_left: 0, seconds: 100 })
  })

  test('what she earns grows by the second at her rate', () => {
    const call = callAfter(
      [{ phase: 'paid', since: 10, received: 40, paid_seconds: 30, earned: '25' }],
      { price: '50' },
    )
    expect(read(call, 46).earned).toBeCloseTo(30)
  })

  test('she has no talk time: it is not her balance that runs down', () => {
    expect(readMeter(callAfter([{ phase: 'paid', since: 0 }]), exact, null, START)).toMatchObject({
      talk_left: null,
      left: null,
    })
  })
})

describe('talk time', () => {
  test.each([
    ['10', '1', 600],
    ['1.5', '1.5', 60],
    ['0.1', '1', 6],
    ['0.0166', '1', 0],
    ['0', '1', 0],
    ['77.4', '1', 4644],
    ['1.2833', '1', 76],
  ])('%s diamonds at %s a minute last %i seconds', (balance, price, seconds) => {
    expect(talkSeconds(balance, price)).toBe(seconds)
  })
})

describe('two clocks that disagree', () => {
  test('the quickest news says how far apart they are', () => {
    let clock = { offset_ms: 0, is_sure: false }
    for (const [server, own] of [
      [1000, 61_200],
      [2000, 62_050],
      [3000, 63_900],
    ] as const)
      clock = syncClock(clock, server, own)
    expect(clock).toEqual({ offset_ms: 60_050, is_sure: true })
  })

  test('a device that is an hour ahead still shows ten free seconds', () => {
    const call = callAfter([{ phase: 'free', since: 0 }])
    const clock = syncClock({ offset_ms: 0, is_sure: false }, START, START + 3_600_000)
    expect(readMeter(call, clock, '10', START + 3_604_000)).toMatchObject({ free_left: 6 })
  })
})

test.each([
  [0, '00:00'],
  [252, '04:12'],
  [3852, '1:04:12'],
])('%i seconds are written %s', (seconds, written) => expect(clockText(seconds)).toBe(written))
