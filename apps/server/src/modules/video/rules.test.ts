import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Effect, Happened } from './call-events.ts'
import { otherSide } from './call.ts'
import type { CloseReason, Opening, PauseReason, Side } from './call.ts'
import { toInstant } from './meter.ts'
import { receipt } from './receipt.ts'
import { decide, round, roundRow } from './rules.ts'
import { readMeter } from './rules-review.ts'
import { LiveCall, START_MS, simulatedOpening, simulatedRules } from './simulate.ts'

const A_LOT = 10_000_000n

/** A call acted out in seconds from its opening; both pages report well unless told otherwise. */
class Talk {
  readonly live: LiveCall
  seconds = 0
  decoded = { guy: 0, girl: 0 }
  sent = { guy: 0, girl: 0 }
  guid = 'guid-0'

  constructor(over: Partial<Opening> = {}, balance = A_LOT) {
    this.live = new LiveCall({ ...simulatedOpening, ...over }, balance)
  }

  get call() {
    return this.live.call
  }

  at(seconds: number): this {
    for (let next = Math.floor(this.seconds) + 1; next <= seconds; next++) this.live.round(START_MS + next * 1000)
    this.seconds = seconds
    return this
  }

  does(happened: Happened): Effect[] {
    return this.live.feed(happened, START_MS + this.seconds * 1000)
  }

  start(): this {
    for (const side of ['guy', 'girl'] as const) this.does({ kind: 'joined', side, session_guid: this.guid })
    for (const side of ['guy', 'girl'] as const) this.does({ kind: 'peer_connected', side, session_guid: this.guid })
    return this
  }

  report(
    side: Side,
    over: { frames?: boolean; video?: boolean; sends?: boolean; session_guid?: string } = {},
  ): Effect[] {
    const { frames = true, video = true, sends = true, session_guid = this.guid } = over
    if (frames) this.decoded[side] += 30
    if (sends) this.sent[side] += 30
    const frames_sent = this.sent[side]
    const counters = { frames_decoded: this.decoded[side], frames_sent, reports_received: frames_sent / 30 }
    return this.does({ kind: 'reported', side, session_guid, ...counters, audio: true, video })
  }

  /** Both report every 2 s until that second, from now on. */
  until(seconds: number, over: { guy?: object | null; girl?: object | null } = {}): this {
    while (this.seconds + 2 <= seconds && this.call.status !== 'closed') {
      this.at(this.seconds + 2)
      if (over.guy !== null) this.report('guy', over.guy)
      if (over.girl !== null) this.report('girl', over.girl)
    }
    if (this.call.status !== 'closed') this.at(seconds)
    return this
  }

  leaves(side: Side, how: { break?: boolean; next?: boolean } = {}): Effect[] {
    return this.does({ kind: 'left', side, ...how })
  }

  ask(side: Side): Effect[] {
    return this.does({ kind: 'asked_private', side, available_units: this.live.available })
  }

  answer(side: Side, accept: boolean): Effect[] {
    return this.does({ kind: 'answered_private', side, accept, available_units: this.live.available })
  }

  told(): [string, number][] {
    const tells = this.live.effects.filter((effect) => effect.kind === 'tell_meter')
    return tells.map(({ reading }) => [reading.why ?? reading.phase, secondsOf(reading.phase_since)])
  }

  /** Where the seconds went: free, quota, paid, paused. */
  get sums() {
    const { free_seconds, quota_seconds, paid_seconds, paused } = receipt(this.call, 'guy')
    return [free_seconds, quota_seconds, paid_seconds, paused.reduce((sum, { seconds }) => sum + seconds, 0)]
  }

  get closedAt() {
    return [this.call.reason, this.call.closed_at && secondsOf(this.call.closed_at)]
  }
}

const secondsOf = (at: Temporal.Instant) => (at.epochMilliseconds - START_MS) / 1000
const kinds = (effects: Effect[]) => effects.map(({ kind }) => kind)
const has = (effects: Effect[], kind: Effect['kind']) => kinds(effects).includes(kind)
const requeued = (effects: Effect[]) => effects.flatMap((e) => (e.kind === 'requeue' ? [e.side] : []))

// The clock

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
  for (const side of ['guy', 'girl'] as const) talk.does({ kind: 'peer_connected', side, session_guid: 'guid-0' })
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
  const uses = (talk: Talk) => talk.live.effects.filter(({ kind }) => kind === 'use_free_start').length
  equal(uses(new Talk()), 0)
  equal(uses(new Talk().start().until(30)), 1)
  equal(uses(new Talk({ free_start: false }).start().until(30)), 0)
})

test('quota is taken from his account when it has run out, and the rest of it at the end', () => {
  const taken = (talk: Talk) => talk.live.effects.flatMap((e) => (e.kind === 'use_quota' ? [e.seconds] : []))
  deepEqual(taken(new Talk({ quota_seconds: 8 }).start().until(24)), [8])
  const talk = new Talk({ quota_seconds: 60 }).start().until(24)
  deepEqual(taken(talk), [])
  talk.leaves('girl')
  deepEqual(taken(talk), [14])
})

// The fair meter

test('the meter tells each change of phase, and each ten seconds while he pays', () => {
  const talk = new Talk({ quota_seconds: 5 }).start().until(40)
  deepEqual(talk.told(), [
    ['free', 0],
    ['quota', 10],
    ['paid', 15],
    ['paid', 15],
    ['paid', 15],
  ])
})

const pauseCases: [string, PauseReason, number, (talk: Talk) => void][] = [
  ['no new frame of hers for 3 s', 'no_frames', 23, (t) => t.until(24, { guy: { frames: false } })],
  ['his reports fail to come for 5 s', 'no_report', 25, (t) => t.until(26, { guy: null })],
  ['her reports fail to come for 5 s', 'no_report', 25, (t) => t.until(26, { girl: null })],
  ['both are silent for 5 s', 'no_report', 25, (t) => t.at(26)],
  ['he is gone', 'gone', 21, (t) => t.at(21).does({ kind: 'socket_lost', side: 'guy' })],
  ['she is gone', 'gone', 21, (t) => t.at(21).does({ kind: 'socket_lost', side: 'girl' })],
  ['her camera is off', 'camera_off', 22, (t) => t.until(22, { girl: { video: false } })],
]
for (const [name, why, established_at, act] of pauseCases) {
  test(`the meter stands from the last good report on: ${name}`, () => {
    const talk = new Talk().start().until(20)
    act(talk)
    equal(talk.call.why, why)
    deepEqual(talk.told().at(-1), [why, 20])
    const wakes = talk.live.effects.flatMap((e) => (e.kind === 'tell_meter' ? [e.reading.paid_seconds] : []))
    equal(wakes.at(-1), 10)
    ok(established_at <= talk.seconds)
    talk.leaves('guy')
    deepEqual(talk.sums.slice(0, 3), [10, 0, 10])
  })
}

test('just under three seconds without a frame, or five without a report, pause nothing', () => {
  const talk = new Talk().start().until(20)
  talk.until(22, { guy: { frames: false } })
  talk.at(22.9).report('guy')
  equal(talk.call.why, null)
  talk.until(24.9).at(29.7)
  equal(talk.call.why, null)
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 19, 0])
})

test('his own camera off pauses nothing', () => {
  const talk = new Talk().start().until(40, { guy: { video: false } })
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 30, 0])
})

test('reports of an older peer connection speak for nothing', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(30, { guy: { session_guid: 'guid-old' } })
  equal(talk.call.why, 'no_report')
})

test('while paused no second passes in any phase', () => {
  const talk = new Talk({ quota_seconds: 20 }).start().until(4)
  for (const gone_at of [4, 14, 40]) {
    talk.until(gone_at).does({ kind: 'socket_lost', side: 'girl' })
    talk.at(gone_at + 6).does({ kind: 'socket_back', side: 'girl' })
    talk.report('guy')
    talk.report('girl')
    equal(talk.call.why, null)
  }
  talk.until(60).leaves('guy')
  deepEqual(talk.sums, [10, 20, 12, 18])
})

test('the meter goes on with fresh reports of both, not with a socket alone', () => {
  const talk = new Talk().start().until(20)
  talk.does({ kind: 'socket_lost', side: 'guy' })
  talk.at(27).does({ kind: 'socket_back', side: 'guy' })
  equal(talk.call.why, 'no_report')
  talk.report('girl')
  equal(talk.call.why, 'no_report')
  talk.at(28).report('guy')
  equal(talk.call.why, null)
  deepEqual(talk.told().at(-1), ['paid', 28])
})

test('her camera on again lets the meter go on when he sees new frames', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(30, { girl: { video: false }, guy: { frames: false } })
  talk.at(31).report('girl')
  equal(talk.call.why, 'no_frames')
  talk.at(32).report('guy')
  equal(talk.call.why, null)
})

test('a contradiction pays nothing and is flagged once', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(34, { guy: { frames: false } })
  const flags = talk.live.effects.filter(({ kind }) => kind === 'flag')
  deepEqual(flags, [{ kind: 'flag', about: 'contradiction', user_id: 7 }])
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 14])
})

test('a picture that really stopped is no contradiction', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(34, { guy: { frames: false, sends: false }, girl: { sends: false } })
  equal(has(talk.live.effects, 'flag'), false)
})

test('both lying pays nothing', () => {
  const talk = new Talk({ free_start: false }).start().until(14, { guy: { frames: false }, girl: { frames: false } })
  talk.leaves('girl')
  deepEqual([talk.sums.slice(0, 3), talk.live.spent, talk.live.earned], [[0, 0, 0], 0n, 0n])
})

test('the receipt says why paid seconds differ from seconds', () => {
  const talk = new Talk().start().until(20)
  talk.does({ kind: 'socket_lost', side: 'girl' })
  talk.at(25).does({ kind: 'socket_back', side: 'girl' })
  talk.until(30)
  talk.at(32.5).leaves('girl')
  const { seconds, paused, paid_seconds } = receipt(talk.call, 'guy')
  deepEqual([seconds, paid_seconds], [32, 15])
  deepEqual(
    paused.map(({ from, seconds, why }) => [secondsOf(from), seconds, why]),
    [
      [20, 5, 'gone'],
      [25, 2, 'no_report'],
    ],
  )
})

// Ends

const endCases: [string, CloseReason, number, (talk: Talk) => void][] = [
  ['media broken 15 s in a row', 'media_lost', 35, (t) => t.until(60, { guy: { frames: false } })],
  ['his reports missing 15 s in a row', 'media_lost', 35, (t) => t.until(60, { guy: null })],
  ['gone for 10 s', 'partner_lost', 31, (t) => (t.at(21).does({ kind: 'socket_lost', side: 'guy' }), t.at(40))],
  ['taken over by another tab', 'new_tab', 31, (t) => (t.at(21).does({ kind: 'taken_over', side: 'guy' }), t.at(40))],
  ['she leaves', 'left', 22, (t) => t.until(22).leaves('girl')],
  ['he leaves', 'left', 22, (t) => t.until(22).leaves('guy')],
  ['she leaves for a break', 'break', 22, (t) => t.until(22).leaves('girl', { break: true })],
  ['a complaint', 'complaint', 20, (t) => t.does({ kind: 'staff_ended', reason: 'complaint' })],
  ['a ban', 'banned', 20, (t) => t.does({ kind: 'staff_ended', reason: 'banned' })],
  ['nudity', 'moderator', 20, (t) => t.does({ kind: 'staff_ended', reason: 'moderator' })],
  ['he may spend no more', 'no_balance', 20, (t) => t.does({ kind: 'money_ended' })],
]
for (const [name, reason, closed_at, act] of endCases) {
  test(`a call ends as ${reason}: ${name}`, () => {
    const talk = new Talk().start().until(20)
    act(talk)
    deepEqual(talk.closedAt, [reason, closed_at])
    equal(talk.live.closes, 1)
  })
}

test('media broken for 60 s in all ends the call, however short each time', () => {
  const talk = new Talk({}, 1_000_000_000n).start().until(20)
  for (let turn = 0; turn < 6; turn++) {
    talk.until(talk.seconds + 12, { guy: { frames: false } })
    talk.until(talk.seconds + 4)
  }
  // Five stretches of 14 s would be 70: the fifth ends it after its fourth second.
  deepEqual(talk.closedAt, ['media_lost', 20 + 4 * 16 + 4])
})

test('a girl who keeps her camera off ends nothing: nobody pays, and either may leave', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(200, { girl: { video: false }, guy: { frames: false } })
  equal(talk.call.status, 'running')
})

test('who comes back within the grace time keeps the call', () => {
  const talk = new Talk().start().until(20)
  talk.does({ kind: 'taken_over', side: 'girl' })
  talk.at(29.9).does({ kind: 'joined', side: 'girl', session_guid: 'guid-1' })
  talk.guid = 'guid-1'
  talk.decoded.guy = 0
  talk.until(50)
  deepEqual([talk.call.status, talk.call.why], ['running', null])
})

test('both page failures end the attempt at once, one alone waits for the time-out', () => {
  const talk = new Talk()
  talk.at(3).does({ kind: 'peer_not_connected', side: 'guy', session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
  talk.does({ kind: 'peer_not_connected', side: 'girl', session_guid: 'guid-0' })
  deepEqual(talk.closedAt, ['not_connected', 3])
})

test('if her page decoded his frames and he never reported, it uses a free start of his and is flagged', () => {
  const silent = new Talk()
  silent.at(2).report('girl')
  silent.at(20)
  equal(has(silent.live.effects, 'use_free_start'), true)
  equal(has(silent.live.effects, 'flag'), true)
  const honest = new Talk()
  honest.at(2).report('girl')
  honest.report('guy')
  honest.at(20)
  deepEqual([has(honest.live.effects, 'use_free_start'), has(honest.live.effects, 'flag')], [false, false])
})

test('nothing happens to a closed call', () => {
  const talk = new Talk().start().until(20)
  talk.leaves('guy')
  const { call } = talk
  for (const side of ['guy', 'girl'] as const) {
    deepEqual(talk.leaves(side), [])
    deepEqual(talk.report(side), [])
    deepEqual(talk.does({ kind: 'server_back' }), [])
    deepEqual(talk.ask(side), [{ kind: 'refuse', name: 'not_found' }])
  }
  equal(talk.call, call)
})

// After

type After = [string, (talk: Talk) => void, Side[]]
const afterCases: After[] = [
  ['he left', (t) => t.leaves('guy'), ['girl']],
  ['he left for the next one', (t) => t.leaves('guy', { next: true }), ['girl', 'guy']],
  ['she left', (t) => t.leaves('girl'), ['girl']],
  ['she left for a break', (t) => t.leaves('girl', { break: true }), []],
  ['she had set her break', (t) => (t.does({ kind: 'break_set', on: true }), t.leaves('guy')), []],
  [
    'she had set her break and cleared it',
    (t) => {
      t.does({ kind: 'break_set', on: true })
      t.does({ kind: 'break_set', on: false })
      t.leaves('guy')
    },
    ['girl'],
  ],
  ['the money ended', (t) => t.does({ kind: 'money_ended' }), ['girl']],
  ['he was lost', (t) => (t.does({ kind: 'socket_lost', side: 'guy' }), t.at(60)), ['girl']],
  ['media was lost', (t) => t.until(80, { guy: { frames: false } }), ['girl']],
  ['the server was lost', (t) => (t.live.crash(START_MS + 21_000), t.at(60)), ['girl']],
  ['another tab took over', (t) => (t.does({ kind: 'taken_over', side: 'guy' }), t.at(60)), []],
  ['there was a complaint', (t) => t.does({ kind: 'staff_ended', reason: 'complaint' }), []],
]
for (const [name, act, back] of afterCases) {
  test(`put back into search when ${name}: ${back.join(' and ') || 'nobody'}`, () => {
    const talk = new Talk().start().until(20)
    act(talk)
    equal(talk.call.status, 'closed')
    deepEqual(requeued(talk.live.effects), back)
  })
}

test('after a failed connection both go on searching, and who did not come from search does not', () => {
  deepEqual(requeued(new Talk().at(20).live.effects), ['girl', 'guy'])
  deepEqual(requeued(new Talk({ guy_from_search: false, girl_from_search: false }).at(20).live.effects), [])
})

test('a break is hers: her close says break, his says left, and she is out of search', () => {
  const talk = new Talk().start().until(20)
  const effects = talk.leaves('girl', { break: true })
  const close = effects.find((effect) => effect.kind === 'close')!
  deepEqual([close.guy.reason, close.girl.reason], ['left', 'break'])
  ok(has(effects, 'begin_break'))
})

// Money

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

// Going private

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
  deepEqual(talk.answer('girl', false), [{ kind: 'tell_ask_closed', to: 'guy', reason: 'declined' }])
  deepEqual(talk.until(60).ask('guy'), [{ kind: 'refuse', name: 'too_many', retry_after_seconds: 30 }])
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
  deepEqual(rich.until(36).answer('guy', true), [{ kind: 'refuse', name: 'no_balance', missing_units: 1000n }])
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

// After a crash

test('a crash keeps what the last round stored, and the time without the server is paid by nobody', () => {
  const talk = new Talk().start().until(30).at(31)
  talk.live.crash(START_MS + 31_500)
  talk.seconds = 31.5
  equal(talk.call.why, 'server')
  for (const side of ['guy', 'girl'] as const) talk.at(36).does({ kind: 'joined', side, session_guid: 'guid-0' })
  equal(talk.call.why, 'no_report')
  talk.report('guy')
  talk.report('girl')
  talk.until(56).leaves('guy')
  deepEqual(talk.sums, [10, 0, 40, 6])
  equal(talk.live.spent, 40_000n)
})

test('if not both are back within the grace time it closes as server, and nothing is charged twice', () => {
  const talk = new Talk().start().until(30).at(31)
  talk.live.crash(START_MS + 31_000)
  talk.at(35).does({ kind: 'socket_back', side: 'guy' })
  talk.at(60)
  deepEqual([talk.closedAt, talk.live.spent, talk.live.held], [['server', 41], 20_000n, 0n])
})

test('the time of a restart counts in no other budget', () => {
  const talk = new Talk().start().until(20)
  talk.until(30, { guy: { frames: false } })
  talk.live.crash(START_MS + 60_000)
  talk.seconds = 60
  equal(talk.call.status, 'running')
  for (const side of ['guy', 'girl'] as const) talk.at(69).does({ kind: 'socket_back', side })
  talk.at(83.9)
  equal(talk.call.status, 'running')
  talk.at(84)
  deepEqual(talk.closedAt, ['media_lost', 84])
})

test('a call that was still connecting gets its time anew after a restart', () => {
  const talk = new Talk()
  talk.live.crash(START_MS + 14_000)
  talk.seconds = 14
  for (const side of ['guy', 'girl'] as const) talk.at(20).does({ kind: 'joined', side, session_guid: 'guid-0' })
  talk.at(34).start()
  equal(talk.call.status, 'running')
})

// The round, the row

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
  const text = JSON.stringify(before, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
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
