import { otherRole } from '@duet/protocol/kernel/roles.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from './meter.ts'
import { decide } from './decide.ts'
import { START_MS, simulatedRules } from '@duet/testkit/calls/simulated-call.ts'
import { A_LOT, ScriptedCall, has, getTypes } from '@duet/testkit/calls/scripted-call.ts'

test('either side requests, the other accepts, and the new price counts from that second', () => {
  for (const asker of ['guy', 'girl'] as const) {
    const talk = new ScriptedCall().start().until(30)
    const asked = talk.ask(asker)
    deepEqual(getTypes(asked).slice(0, 2), ['acknowledge_request', 'notify_private_request'])
    const accepted = talk.at(31).answer(otherRole(asker), true)
    ok(has(accepted, 'notify_new_session') && has(accepted, 'renew_hold'))
    talk.until(61).leaves('guy')
    deepEqual(talk.simulated.spent, 21_000n + 30n * 1500n)
    equal(talk.simulated.earned, (21n * 5_000_000_000n + 30n * 12_500_000_000n) / 60n)
  }
})

test('a private request lasts 15 s; then both are notified and the requester waits a minute', () => {
  const talk = new ScriptedCall().start().until(30)
  talk.ask('guy')
  talk.until(46)
  const closed = talk.simulated.commands.filter(
    (command) => command.type === 'notify_private_closed',
  )
  deepEqual(
    closed.map(({ to, reason }) => [to, reason]),
    [
      ['guy', 'expired'],
      ['girl', 'expired'],
    ],
  )
  deepEqual(talk.ask('guy'), [{ type: 'refuse', name: 'too_many', retry_after_seconds: 59 }])
  deepEqual(talk.answer('girl', true), [{ type: 'refuse', name: 'pair_over' }])
})

test('a request from both sides is an acceptance; a repeated one changes nothing', () => {
  const talk = new ScriptedCall().start().until(30)
  talk.ask('guy')
  const { ask } = talk.call
  deepEqual(getTypes(talk.at(31).ask('guy')), ['acknowledge_request'])
  deepEqual(talk.call.ask, ask)
  ok(has(talk.ask('girl'), 'notify_new_session'))
  equal(talk.call.state, 'private')
})

test('after a decline the requester waits 60 s, the other side does not', () => {
  const talk = new ScriptedCall().start().until(30)
  talk.ask('guy')
  deepEqual(talk.answer('girl', false), [
    { type: 'notify_private_closed', to: 'guy', reason: 'declined' },
  ])
  deepEqual(talk.until(60).ask('guy'), [
    { type: 'refuse', name: 'too_many', retry_after_seconds: 30 },
  ])
  ok(has(talk.ask('girl'), 'acknowledge_request'))
  talk.answer('guy', false)
  ok(has(talk.until(90).ask('guy'), 'acknowledge_request'))
})

test('a side cannot answer its own request, and a private call cannot be requested', () => {
  const talk = new ScriptedCall().start().until(30)
  talk.ask('guy')
  deepEqual(talk.answer('guy', true), [{ type: 'refuse', name: 'pair_over' }])
  talk.answer('girl', true)
  deepEqual(talk.ask('girl'), [{ type: 'refuse', name: 'not_found' }])
})

test('the guy needs 60 s at the private price when requesting and when accepting', () => {
  const talk = new ScriptedCall({}, 90_000n + 19_999n).start().until(30)
  deepEqual(talk.ask('guy'), [{ type: 'refuse', name: 'no_balance', missing_units: 1n }])
  deepEqual(talk.ask('girl'), [{ type: 'refuse', name: 'user_offline' }])
  const rich = new ScriptedCall({}, 90_000n + 25_000n).start().until(30)
  ok(has(rich.ask('girl'), 'notify_private_request'))
  deepEqual(rich.until(36).answer('guy', true), [
    { type: 'refuse', name: 'no_balance', missing_units: 1000n },
  ])
  equal(rich.call.state, 'public')
})

test('a private call uses its remaining free seconds first', () => {
  const talk = new ScriptedCall({ quota_seconds: 60 }).start().until(4)
  talk.ask('guy')
  talk.answer('girl', true)
  talk.until(30).leaves('guy')
  deepEqual([talk.sums, talk.simulated.spent], [[10, 0, 20, 0], 30_000n])
})

test('a private call uses no quota, and the rest of the quota remains', () => {
  const talk = new ScriptedCall({ quota_seconds: 60 }).start().until(30)
  talk.ask('girl')
  talk.answer('guy', true)
  talk.until(50).leaves('guy')
  deepEqual(
    [talk.sums, talk.simulated.spent, talk.simulated.quota_used],
    [[10, 20, 20, 0], 30_000n, 20],
  )
})

test('a hold at the public price covers only as many private seconds as it pays', () => {
  const talk = new ScriptedCall().start().until(30)
  talk.ask('guy')
  const answered = {
    type: 'private_answered',
    side: 'girl',
    accept: true,
    available_units: A_LOT,
  } as const
  const { call } = decide(talk.call, answered, toInstant(START_MS + 30_000), simulatedRules)
  // 60 seconds are held from the first paid second on. 20 of them were used, 40,000 units are left of the
  // hold.
  deepEqual([call.posted_seconds, call.funded_seconds], [20, 20 + 26])
})

test('an acceptance in the same second as a renewal holds once, at the new price', () => {
  const talk = new ScriptedCall().start().until(58)
  talk.ask('guy')
  talk.seconds = 60
  const commands = talk.answer('girl', true)
  deepEqual(
    commands.flatMap((command) => (command.type === 'renew_hold' ? [command.units] : [])),
    [2000n + 58n * 1500n],
  )
  talk.until(80).leaves('guy')
  equal(talk.simulated.spent, 50_000n + 20n * 1500n)
})
