import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from './meter.ts'
import { receipt } from './receipt.ts'
import { decide, tickRow, tickSuffices } from './decide.ts'
import { START_MS, simulatedRules } from '@duet/testkit/calls/simulated-call.ts'
import { ScriptedCall, getSeconds } from '@duet/testkit/calls/scripted-call.ts'
import type { CallEvent } from './call-events.ts'
import type { CallOpening } from './call.ts'

test('the meter starts when both sides have reported that they are connected, not before', () => {
  const talk = new ScriptedCall()
  talk.does({ type: 'peer_connected', side: 'guy', session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
  talk.at(4).does({ type: 'peer_connected', side: 'girl', session_guid: 'guid-0' })
  equal(getSeconds(talk.call.connected_at!), 4)
})

test('without both connections no second is paid', () => {
  const talk = new ScriptedCall()
  talk.does({ type: 'peer_connected', side: 'girl', session_guid: 'guid-0' })
  talk.until(20)
  deepEqual(talk.closedAt, ['not_connected', 15])
  deepEqual([talk.sums, talk.simulated.spent, talk.simulated.earned], [[0, 0, 0, 0], 0n, 0n])
})

test('a report of an old peer connection does not start the meter', () => {
  const talk = new ScriptedCall()
  talk.does({ type: 'joined', side: 'guy', session_guid: 'guid-1' })
  for (const side of ['guy', 'girl'] as const)
    talk.does({ type: 'peer_connected', side, session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
})

const shareCases: [string, Partial<CallOpening>, number, number[]][] = [
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
    const talk = new ScriptedCall(opening).start().until(ends)
    talk.hangsUp('guy')
    deepEqual(talk.sums, sums)
  })
}

test('a minute of public video costs one diamond and earns 50 coins, exactly', () => {
  const talk = new ScriptedCall().start().until(70)
  talk.leaves('guy')
  deepEqual([talk.simulated.spent, talk.simulated.earned], [60_000n, 5_000_000_000n])
})

test('a minute of a private call costs one and a half diamonds and earns 125 coins, exactly', () => {
  const talk = new ScriptedCall({ kind: 'direct' }).start().until(70)
  talk.leaves('guy')
  deepEqual([talk.simulated.spent, talk.simulated.earned], [90_000n, 12_500_000_000n])
})

test('quota seconds cost the guy nothing and earn the girl nothing', () => {
  const talk = new ScriptedCall({ quota_seconds: 60 }).start().until(70)
  talk.leaves('guy')
  deepEqual([talk.simulated.spent, talk.simulated.earned, talk.simulated.quota_used], [0n, 0n, 60])
})

test('a free start is used once, when the meter starts', () => {
  const uses = (talk: ScriptedCall) =>
    talk.simulated.commands.filter(({ type }) => type === 'use_free_start').length
  equal(uses(new ScriptedCall()), 0)
  equal(uses(new ScriptedCall().start().until(30)), 1)
  equal(uses(new ScriptedCall({ free_start: false }).start().until(30)), 0)
})

test("used quota is taken from the guy's quota when it runs out, and the rest at the end", () => {
  const taken = (talk: ScriptedCall) =>
    talk.simulated.commands.flatMap((e) => (e.type === 'use_quota' ? [e.seconds] : []))
  deepEqual(taken(new ScriptedCall({ quota_seconds: 8 }).start().until(24)), [8])
  const talk = new ScriptedCall({ quota_seconds: 60 }).start().until(24)
  deepEqual(taken(talk), [])
  talk.leaves('girl')
  deepEqual(taken(talk), [14])
})

test('a wake-up with nothing due changes nothing, and a tick stores what reports confirm', () => {
  const talk = new ScriptedCall().start().until(21)
  const now = toInstant(START_MS + 21_100)
  const { call, commands } = decide(talk.call, { type: 'wake_up' }, now, simulatedRules)
  equal(call, talk.call)
  deepEqual(commands, [])
  const { good_ms, free_used, paid_seconds, phase } = tickRow(call)
  deepEqual([good_ms, free_used, paid_seconds, phase], [20_000, 10, 10, 'paid'])
})

test('a decision does not change the call that it is given', () => {
  const talk = new ScriptedCall({ quota_seconds: 5 }).start().until(20)
  const before = talk.call
  const text = JSON.stringify(before, (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  )
  for (const event of [
    { type: 'socket_lost', side: 'guy' },
    { type: 'left', side: 'girl', break: true },
    { type: 'server_restarted' },
    { type: 'wake_up' },
  ] as const) {
    notEqual(decide(before, event, toInstant(START_MS + 90_000), simulatedRules).call, before)
    equal(
      JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
      text,
    )
  }
})

test('a clock that steps back does not reduce counted time', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.seconds = 10
  talk.report('guy')
  talk.report('girl')
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 0])
  equal(receipt(talk.call, 'guy').seconds, 20)
})

test('wake_at is stored with the call and is never later than the next due event', () => {
  const talk = new ScriptedCall()
  equal(getSeconds(talk.call.wake_at!), 15)
  talk.start()
  equal(getSeconds(talk.call.wake_at!), 5)
  talk.does({ type: 'socket_lost', side: 'guy' })
  equal(getSeconds(talk.call.wake_at!), 10)
  talk.at(10)
  equal(talk.call.wake_at, null)
})

test('reports alone need only the tick; everything that a crash must not lose is stored at once', () => {
  const talk = new ScriptedCall({ quota_seconds: 5 }).start().until(20)
  const now = toInstant(START_MS + 20_500)
  const suffices = (event: CallEvent) =>
    tickSuffices(talk.call, decide(talk.call, event, now, simulatedRules).call)
  const counters = { frames_decoded: 9999, frames_sent: 9999, reports_received: 9999, audio: true }
  const report = { type: 'reported', session_guid: 'guid-0', ...counters } as const
  ok(suffices({ ...report, side: 'guy', video: false }))
  ok(suffices({ ...report, side: 'girl', video: true }))
  ok(suffices({ type: 'wake_up' }))
  for (const event of [
    { ...report, side: 'girl', video: false },
    { type: 'joined', side: 'guy', session_guid: 'guid-1' },
    { type: 'socket_lost', side: 'guy' },
    { type: 'break_changed', on: true },
    { type: 'private_requested', side: 'girl', available_units: 1_000_000n },
    { type: 'left', side: 'girl' },
    { type: 'server_restarted' },
  ] as const) {
    equal(suffices(event), false, event.type)
  }
  const fresh = new ScriptedCall()
  const connected = { type: 'peer_connected', side: 'guy', session_guid: 'guid-0' } as const
  equal(
    tickSuffices(
      fresh.call,
      decide(fresh.call, connected, toInstant(START_MS), simulatedRules).call,
    ),
    false,
  )
})

test('a caller that sets a timer for wake_at only never misses a due event', () => {
  const talk = new ScriptedCall()
  for (const side of ['guy', 'girl'] as const)
    talk.does({ type: 'peer_connected', side, session_guid: 'guid-0' })
  for (let tenth = 1; tenth <= 600 && talk.call.status !== 'closed'; tenth++) {
    talk.seconds = tenth / 10
    if (talk.call.wake_at !== null && getSeconds(talk.call.wake_at) <= talk.seconds)
      talk.does({ type: 'wake_up' })
    if (tenth % 20 === 0 && tenth <= 300)
      for (const side of ['guy', 'girl'] as const) talk.report(side)
    ok(talk.call.wake_at === null || getSeconds(talk.call.wake_at) > talk.seconds)
  }
  deepEqual(talk.closedAt, ['media_lost', 45])
})
