import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from './meter.ts'
import { receipt } from './receipt.ts'
import { decide, round, roundRow, roundSuffices } from './rules.ts'
import { START_MS, simulatedRules } from './simulate.ts'
import { Talk, secondsOf } from './simulate-talk.ts'
import type { Effect, Happened } from './call-events.ts'
import type { Opening } from './call.ts'

test('the clock starts when both sides reported that they are connected, not before', () => {
  const talk = new Talk()
  talk.does({ kind: 'peer_connected', side: 'guy', session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
  talk.at(4).does({ kind: 'peer_connected', side: 'girl', session_guid: 'guid-0' })
  equal(secondsOf(talk.call.connected_at!), 4)
})

test('without both connections nobody ever pays', () => {
  const talk = new Talk()
  talk.does({ kind: 'peer_connected', side: 'girl', session_guid: 'guid-0' })
  talk.until(20)
  deepEqual(talk.closedAt, ['not_connected', 15])
  deepEqual([talk.sums, talk.live.spent, talk.live.earned], [[0, 0, 0, 0], 0n, 0n])
})

test('a connection of an old peer connection does not start the clock', () => {
  const talk = new Talk()
  talk.does({ kind: 'joined', side: 'guy', session_guid: 'guid-1' })
  for (const side of ['guy', 'girl'] as const)
    talk.does({ kind: 'peer_connected', side, session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
})

const shareCases: [string, Partial<Opening>, number, number[]][] = [
  ['ten free seconds, then paid', {}, 24, [10, 0, 14, 0]],
  ['ten free seconds, then quota, then paid', { quota_seconds: 8 }, 24, [10, 8, 6, 0]],
  ['quota that is not used up', { quota_seconds: 60 }, 24, [10, 14, 0, 0]],
  ['no free start: paid from the first second', { free_start: false }, 24, [0, 0, 24, 0]],
  ['no free start, quota first', { free_start: false, quota_seconds: 8 }, 24, [0, 8, 16, 0]],
  ['a direct call has no quota', { kind: 'direct', quota_seconds: 60 }, 24, [10, 0, 14, 0]],
  ['left within the free seconds', {}, 9.9, [9, 0, 0, 0]],
]
for (const [name, opening, ends, sums] of shareCases) {
  test(`seconds are shared: ${name}`, () => {
    const talk = new Talk(opening).start().until(ends)
    talk.leaves('guy')
    deepEqual(talk.sums, sums)
  })
}

test('a minute of public video costs one diamond and earns 50 coins, exactly', () => {
  const talk = new Talk().start().until(70)
  talk.leaves('guy')
  deepEqual([talk.live.spent, talk.live.earned], [60_000n, 5_000_000_000n])
})

test('a minute of a private call costs one and a half diamonds and earns 125 coins, exactly', () => {
  const talk = new Talk({ kind: 'direct' }).start().until(70)
  talk.leaves('guy')
  deepEqual([talk.live.spent, talk.live.earned], [90_000n, 12_500_000_000n])
})

test('quota earns her nothing and costs him nothing', () => {
  const talk = new Talk({ quota_seconds: 60 }).start().until(70)
  talk.leaves('guy')
  deepEqual([talk.live.spent, talk.live.earned, talk.live.quota_used], [0n, 0n, 60])
})

test('a free start is used up when the clock starts, once', () => {
  const uses = (talk: Talk) =>
    talk.live.effects.filter(({ kind }) => kind === 'use_free_start').length
  equal(uses(new Talk()), 0)
  equal(uses(new Talk().start().until(30)), 1)
  equal(uses(new Talk({ free_start: false }).start().until(30)), 0)
})

test('quota is taken from his account when it has run out, and the rest of it at the end', () => {
  const taken = (talk: Talk) =>
    talk.live.effects.flatMap((e) => (e.kind === 'use_quota' ? [e.seconds] : []))
  deepEqual(taken(new Talk({ quota_seconds: 8 }).start().until(24)), [8])
  const talk = new Talk({ quota_seconds: 60 }).start().until(24)
  deepEqual(taken(talk), [])
  talk.leaves('girl')
  deepEqual(taken(talk), [14])
})

test('a round leaves a call alone in which nothing is due, and stores what reports bear out', () => {
  const talk = new Talk().start().until(21)
  const { call, effects } = round(talk.call, toInstant(START_MS + 21_100), simulatedRules)
  equal(call, talk.call)
  deepEqual(effects, [])
  const { good_ms, free_used, paid_seconds, phase } = roundRow(call)
  deepEqual([good_ms, free_used, paid_seconds, phase], [20_000, 10, 10, 'paid'])
})

test('a decision changes nothing of the call it was asked about', () => {
  const talk = new Talk({ quota_seconds: 5 }).start().until(20)
  const before = talk.call
  const text = JSON.stringify(before, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  for (const happened of [
    { kind: 'socket_lost', side: 'guy' },
    { kind: 'left', side: 'girl', break: true },
    { kind: 'server_back' },
    { kind: 'time_came' },
  ] as const) {
    notEqual(decide(before, happened, toInstant(START_MS + 90_000), simulatedRules).call, before)
    equal(
      JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      text,
    )
  }
})

test('a clock that steps back takes nothing back', () => {
  const talk = new Talk().start().until(20)
  talk.seconds = 10
  talk.report('guy')
  talk.report('girl')
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 0])
  equal(receipt(talk.call, 'guy').seconds, 20)
})

test('wake_at is stored with the call, and is never later than what is due', () => {
  const talk = new Talk()
  equal(secondsOf(talk.call.wake_at!), 15)
  talk.start()
  equal(secondsOf(talk.call.wake_at!), 5)
  talk.does({ kind: 'socket_lost', side: 'guy' })
  equal(secondsOf(talk.call.wake_at!), 10)
  talk.at(10)
  equal(talk.call.wake_at, null)
})

test('reports alone need no more than the round; whatever a crash must not forget is stored at once', () => {
  const talk = new Talk({ quota_seconds: 5 }).start().until(20)
  const now = toInstant(START_MS + 20_500)
  const suffices = (happened: Happened) =>
    roundSuffices(talk.call, decide(talk.call, happened, now, simulatedRules).call)
  const counters = { frames_decoded: 9999, frames_sent: 9999, reports_received: 9999, audio: true }
  const report = { kind: 'reported', session_guid: 'guid-0', ...counters } as const
  ok(suffices({ ...report, side: 'guy', video: false }))
  ok(suffices({ ...report, side: 'girl', video: true }))
  ok(suffices({ kind: 'round' }))
  for (const happened of [
    { ...report, side: 'girl', video: false },
    { kind: 'joined', side: 'guy', session_guid: 'guid-1' },
    { kind: 'socket_lost', side: 'guy' },
    { kind: 'break_set', on: true },
    { kind: 'asked_private', side: 'girl', available_units: 1_000_000n },
    { kind: 'left', side: 'girl' },
    { kind: 'server_back' },
  ] as const) {
    equal(suffices(happened), false, happened.kind)
  }
  const fresh = new Talk()
  const connected = { kind: 'peer_connected', side: 'guy', session_guid: 'guid-0' } as const
  equal(
    roundSuffices(
      fresh.call,
      decide(fresh.call, connected, toInstant(START_MS), simulatedRules).call,
    ),
    false,
  )
})

test('whoever only sets the timers that he is told to set never sleeps through a due', () => {
  const talk = new Talk()
  let rings = Infinity
  const hear = (effects: Effect[]) => {
    for (const effect of effects) if (effect.kind === 'wake_at') rings = secondsOf(effect.at)
  }
  hear(talk.live.effects)
  for (const side of ['guy', 'girl'] as const)
    hear(talk.does({ kind: 'peer_connected', side, session_guid: 'guid-0' }))
  for (let tenth = 1; tenth <= 600 && talk.call.status !== 'closed'; tenth++) {
    talk.seconds = tenth / 10
    if (rings <= talk.seconds) {
      rings = Infinity
      hear(talk.does({ kind: 'time_came' }))
    }
    if (tenth % 20 === 0 && tenth <= 300)
      for (const side of ['guy', 'girl'] as const) hear(talk.report(side))
    ok(talk.call.wake_at === null || rings <= secondsOf(talk.call.wake_at))
  }
  deepEqual(talk.closedAt, ['media_lost', 45])
})
