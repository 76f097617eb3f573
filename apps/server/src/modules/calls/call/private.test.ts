import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { otherSide } from './call.ts'
import { toInstant } from './meter.ts'
import { decide } from './rules.ts'
import { START_MS, simulatedRules } from './simulate.ts'
import { A_LOT, Talk, has, kinds } from './simulate-talk.ts'

test('either asks, the other accepts, and the new price counts from that second', () => {
  for (const asker of ['guy', 'girl'] as const) {
    const talk = new Talk().start().until(30)
    const asked = talk.ask(asker)
    deepEqual(kinds(asked).slice(0, 2), ['asked', 'tell_ask'])
    const accepted = talk.at(31).answer(otherSide(asker), true)
    ok(has(accepted, 'tell_new_session') && has(accepted, 'renew_hold'))
    talk.until(61).leaves('guy')
    deepEqual(talk.live.spent, 21_000n + 30n * 1500n)
    equal(talk.live.earned, (21n * 5_000_000_000n + 30n * 12_500_000_000n) / 60n)
  }
})

test('an asking lives 15 s, then both are told and the asker waits a minute', () => {
  const talk = new Talk().start().until(30)
  talk.ask('guy')
  talk.until(46)
  const closed = talk.live.effects.filter((effect) => effect.kind === 'tell_ask_closed')
  deepEqual(
    closed.map(({ to, reason }) => [to, reason]),
    [
      ['guy', 'expired'],
      ['girl', 'expired'],
    ],
  )
  deepEqual(talk.ask('guy'), [{ kind: 'refuse', name: 'too_many', retry_after_seconds: 59 }])
  deepEqual(talk.answer('girl', true), [{ kind: 'refuse', name: 'pair_over' }])
})

test('a crossed asking accepts, a repeated one changes nothing', () => {
  const talk = new Talk().start().until(30)
  talk.ask('guy')
  const { ask } = talk.call
  deepEqual(kinds(talk.at(31).ask('guy')), ['asked'])
  deepEqual(talk.call.ask, ask)
  ok(has(talk.ask('girl'), 'tell_new_session'))
  equal(talk.call.state, 'private')
})

test('after a decline the asker waits 60 s, the other does not', () => {
  const talk = new Talk().start().until(30)
  talk.ask('guy')
  deepEqual(talk.answer('girl', false), [
    { kind: 'tell_ask_closed', to: 'guy', reason: 'declined' },
  ])
  deepEqual(talk.until(60).ask('guy'), [
    { kind: 'refuse', name: 'too_many', retry_after_seconds: 30 },
  ])
  ok(has(talk.ask('girl'), 'asked'))
  talk.answer('guy', false)
  ok(has(talk.until(90).ask('guy'), 'asked'))
})

test('nobody answers his own asking, and a private call cannot be asked', () => {
  const talk = new Talk().start().until(30)
  talk.ask('guy')
  deepEqual(talk.answer('guy', true), [{ kind: 'refuse', name: 'pair_over' }])
  talk.answer('girl', true)
  deepEqual(talk.ask('girl'), [{ kind: 'refuse', name: 'not_found' }])
})

test('he needs 60 s at the private price at the asking and at the accepting', () => {
  const talk = new Talk({}, 90_000n + 19_999n).start().until(30)
  deepEqual(talk.ask('guy'), [{ kind: 'refuse', name: 'no_balance', missing_units: 1n }])
  deepEqual(talk.ask('girl'), [{ kind: 'refuse', name: 'user_offline' }])
  const rich = new Talk({}, 90_000n + 25_000n).start().until(30)
  ok(has(rich.ask('girl'), 'tell_ask'))
  deepEqual(rich.until(36).answer('guy', true), [
    { kind: 'refuse', name: 'no_balance', missing_units: 1000n },
  ])
  equal(rich.call.state, 'public')
})

test('inside the free seconds they are finished first', () => {
  const talk = new Talk({ quota_seconds: 60 }).start().until(4)
  talk.ask('guy')
  talk.answer('girl', true)
  talk.until(30).leaves('guy')
  deepEqual([talk.sums, talk.live.spent], [[10, 0, 20, 0], 30_000n])
})

test('a running quota stops, and the rest of it is kept', () => {
  const talk = new Talk({ quota_seconds: 60 }).start().until(30)
  talk.ask('girl')
  talk.answer('guy', true)
  talk.until(50).leaves('guy')
  deepEqual([talk.sums, talk.live.spent, talk.live.quota_used], [[10, 20, 20, 0], 30_000n, 20])
})

test('what is held at the public price is not taken for more private seconds than it pays', () => {
  const talk = new Talk().start().until(30)
  talk.ask('guy')
  const answered = {
    kind: 'answered_private',
    side: 'girl',
    accept: true,
    available_units: A_LOT,
  } as const
  const { call } = decide(talk.call, answered, toInstant(START_MS + 30_000), simulatedRules)
  // 60 seconds are held from the first paid one; 20 of them were used, 40,000 units are left of the hold.
  deepEqual([call.posted_seconds, call.funded_seconds], [20, 20 + 26])
})

test('an acceptance in the very second of a renewal holds once, at the new price', () => {
  const talk = new Talk().start().until(58)
  talk.ask('guy')
  talk.seconds = 60
  const effects = talk.answer('girl', true)
  deepEqual(
    effects.flatMap((effect) => (effect.kind === 'renew_hold' ? [effect.units] : [])),
    [2000n + 58n * 1500n],
  )
  talk.until(80).leaves('guy')
  equal(talk.live.spent, 50_000n + 20n * 1500n)
})
