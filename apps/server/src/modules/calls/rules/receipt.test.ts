import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from './meter.ts'
import { readMeter } from './review.ts'
import { START_MS } from '@duet/testkit/calls/simulated-call.ts'
import { A_LOT, ScriptedCall, has, getSeconds } from '@duet/testkit/calls/scripted-call.ts'

test('the first hold stands before the first paid second, and is renewed when ten seconds are left', () => {
  const talk = new ScriptedCall({ quota_seconds: 20 }).start()
  equal(talk.simulated.held, 0n)
  talk.until(20)
  equal(talk.simulated.held, 60_000n)
  talk.until(78)
  equal(talk.simulated.commands.filter(({ type }) => type === 'renew_hold').length, 0)
  talk.until(80)
  const [renewal] = talk.simulated.commands.filter((command) => command.type === 'renew_hold')
  equal(renewal!.post.paid_seconds, 48)
  equal(talk.simulated.posted_seconds, 48)
})

test('a call without money ends at the exact second, with refill_balance', () => {
  const talk = new ScriptedCall({}, 25_999n).start().until(60)
  deepEqual(talk.closedAt, ['no_balance', 35])
  deepEqual(
    [talk.simulated.balance, talk.simulated.spent, talk.simulated.held],
    [999n, 25_000n, 0n],
  )
  ok(has(talk.simulated.commands, 'refill_balance'))
})

test('a late event does not change the exact second of the end', () => {
  const talk = new ScriptedCall({}, 12_000n).start().until(20)
  talk.seconds = 23.9
  talk.report('girl')
  talk.hangsUp('guy')
  deepEqual(talk.closedAt, ['no_balance', 22])
  equal(talk.simulated.spent, 12_000n)
})

test('the end of the money is the last second that reports prove, not one that nothing proves', () => {
  const talk = new ScriptedCall({}, 12_000n).start().until(20)
  talk.at(24).leaves('guy')
  deepEqual(talk.closedAt, ['left', 24])
  deepEqual(talk.sums, [10, 0, 10, 4])
  equal(talk.simulated.spent, 10_000n)
})

test('quota without money ends with the quota', () => {
  const talk = new ScriptedCall({ quota_seconds: 30 }, 0n).start().until(60)
  deepEqual(
    [talk.closedAt, talk.sums],
    [
      ['no_balance', 40],
      [10, 30, 0, 0],
    ],
  )
})

test('the meter shows when the money ends once that is certain, not while more can be held', () => {
  const ends = (talk: ScriptedCall) =>
    talk.simulated.commands
      .flatMap((e) => (e.type === 'notify_meter' ? [e.reading.ends_at] : []))
      .at(-1)
  equal(ends(new ScriptedCall({}, A_LOT).start().until(90)), null)
  equal(getSeconds(ends(new ScriptedCall({}, 25_000n).start().until(30))!), 35)
})

test('funds added in time continue the call', () => {
  const talk = new ScriptedCall({}, 25_000n).start().until(30)
  talk.simulated.balance += 100_000n
  talk.does({ type: 'funds_added' })
  talk.until(100)
  equal(talk.call.status, 'running')
  equal(readMeter(talk.call, toInstant(START_MS + 100_000)).ends_at, null)
})

test('totals are cumulative, so an uneven price never drifts', () => {
  const talk = new ScriptedCall({ price_public: 60_001n, earn_public: 7n }, A_LOT)
    .start()
    .until(10 + 301)
  talk.hangsUp('guy')
  deepEqual(
    [talk.simulated.spent, talk.simulated.earned],
    [(301n * 60_001n) / 60n, (301n * 7n) / 60n],
  )
})
