import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { toInstant } from './meter.ts'
import { readMeter } from './rules-review.ts'
import { START_MS } from './simulate.ts'
import { A_LOT, Talk, has, secondsOf } from './simulate-talk.ts'

test('the first hold stands before the first paid second, and is renewed when ten seconds are left', () => {
  const talk = new Talk({ quota_seconds: 20 }).start()
  equal(talk.live.held, 0n)
  talk.until(20)
  equal(talk.live.held, 60_000n)
  talk.until(78)
  equal(talk.live.effects.filter(({ kind }) => kind === 'renew_hold').length, 0)
  talk.until(80)
  const [renewal] = talk.live.effects.filter((effect) => effect.kind === 'renew_hold')
  equal(renewal!.post.paid_seconds, 48)
  equal(talk.live.posted_seconds, 48)
})

test('a call without money ends at the exact second, with refill_balance', () => {
  const talk = new Talk({}, 25_999n).start().until(60)
  deepEqual(talk.closedAt, ['no_balance', 35])
  deepEqual([talk.live.balance, talk.live.spent, talk.live.held], [999n, 25_000n, 0n])
  ok(has(talk.live.effects, 'refill_balance'))
})

test('the exact second holds also when nobody looked in time', () => {
  const talk = new Talk({}, 12_000n).start().until(20)
  talk.seconds = 23.9
  talk.leaves('guy')
  deepEqual(talk.closedAt, ['no_balance', 22])
  equal(talk.live.spent, 12_000n)
})

test('quota without money ends with the quota', () => {
  const talk = new Talk({ quota_seconds: 30 }, 0n).start().until(60)
  deepEqual(
    [talk.closedAt, talk.sums],
    [
      ['no_balance', 40],
      [10, 30, 0, 0],
    ],
  )
})

test('the meter says when the money ends once that is certain, and not while more can be held', () => {
  const ends = (talk: Talk) =>
    talk.live.effects.flatMap((e) => (e.kind === 'tell_meter' ? [e.reading.ends_at] : [])).at(-1)
  equal(ends(new Talk({}, A_LOT).start().until(90)), null)
  equal(secondsOf(ends(new Talk({}, 25_000n).start().until(30))!), 35)
})

test('money that comes in time lets the call go on', () => {
  const talk = new Talk({}, 25_000n).start().until(30)
  talk.live.balance += 100_000n
  talk.does({ kind: 'money_came' })
  talk.until(100)
  equal(talk.call.status, 'running')
  equal(readMeter(talk.call, toInstant(START_MS + 100_000)).ends_at, null)
})

test('totals are cumulative: an uneven price never drifts', () => {
  const talk = new Talk({ price_public: 60_001n, earn_public: 7n }, A_LOT).start().until(10 + 301)
  talk.leaves('guy')
  deepEqual([talk.live.spent, talk.live.earned], [(301n * 60_001n) / 60n, (301n * 7n) / 60n])
})
