import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { receipt } from './receipt.ts'
import { ScriptedCall, has, getSeconds } from '@duet/testkit/calls/scripted-call.ts'
import type { Side } from './call.ts'
import type { PauseReason } from '@duet/protocol/kernel/entities.ts'

test('the meter is sent at each change of phase, and every ten seconds while the guy pays', () => {
  const talk = new ScriptedCall({ quota_seconds: 5 }).start().until(40)
  deepEqual(talk.meters(), [
    ['free', 0],
    ['quota', 10],
    ['paid', 15],
    ['paid', 15],
    ['paid', 15],
  ])
})

const pauseCases: [string, PauseReason, number, (talk: ScriptedCall) => void][] = [
  ['no new frame of hers for 3 s', 'no_frames', 23, (t) => t.until(24, { guy: { frames: false } })],
  ['his reports fail to come for 5 s', 'no_report', 25, (t) => t.until(26, { guy: null })],
  ['her reports fail to come for 5 s', 'no_report', 25, (t) => t.until(26, { girl: null })],
  ['both are silent for 5 s', 'no_report', 25, (t) => t.at(26)],
  ['he is gone', 'gone', 21, (t) => t.at(21).does({ type: 'socket_lost', side: 'guy' })],
  ['she is gone', 'gone', 21, (t) => t.at(21).does({ type: 'socket_lost', side: 'girl' })],
  ['her camera is off', 'camera_off', 22, (t) => t.until(22, { girl: { video: false } })],
]
for (const [name, why, established_at, act] of pauseCases) {
  test(`the meter stands from the last good report on: ${name}`, () => {
    const talk = new ScriptedCall().start().until(20)
    act(talk)
    equal(talk.call.why, why)
    deepEqual(talk.meters().at(-1), [why, 20])
    const wakes = talk.simulated.commands.flatMap((e) =>
      e.type === 'notify_meter' ? [e.reading.paid_seconds] : [],
    )
    equal(wakes.at(-1), 10)
    ok(established_at <= talk.seconds)
    talk.leaves('guy')
    deepEqual(talk.sums.slice(0, 3), [10, 0, 10])
  })
}

test('just under three seconds without a frame, or five without a report, do not pause the meter', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.until(22, { guy: { frames: false } })
  talk.at(22.9).report('guy')
  equal(talk.call.why, null)
  talk.until(24.9).at(29.7)
  equal(talk.call.why, null)
  talk.report('girl')
  talk.hangsUp('guy')
  deepEqual(talk.sums, [10, 0, 19, 0])
})

test("the guy's own camera off does not pause the meter", () => {
  const talk = new ScriptedCall().start().until(40, { guy: { video: false } })
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 30, 0])
})

test('reports of an older peer connection do not count', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(30, { guy: { session_guid: 'guid-old' } })
  equal(talk.call.why, 'no_report')
})

test('while paused no second passes in any phase', () => {
  const talk = new ScriptedCall({ quota_seconds: 20 }).start().until(4)
  for (const goneAt of [4, 14, 40]) {
    talk.until(goneAt).does({ type: 'socket_lost', side: 'girl' })
    talk.at(goneAt + 6).does({ type: 'socket_restored', side: 'girl' })
    talk.report('guy')
    talk.report('girl')
    equal(talk.call.why, null)
  }
  talk.until(60).leaves('guy')
  deepEqual(talk.sums, [10, 20, 12, 18])
})

test('the meter resumes with fresh reports of both sides, not with a socket alone', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.does({ type: 'socket_lost', side: 'guy' })
  talk.at(27).does({ type: 'socket_restored', side: 'guy' })
  equal(talk.call.why, 'no_report')
  talk.report('girl')
  equal(talk.call.why, 'no_report')
  talk.at(28).report('guy')
  equal(talk.call.why, null)
  deepEqual(talk.meters().at(-1), ['paid', 28])
})

test("the meter resumes after the girl's camera is on again and the guy reports new frames", () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(30, { girl: { video: false }, guy: { frames: false } })
  talk.at(31).report('girl')
  equal(talk.call.why, 'no_frames')
  talk.at(32).report('guy')
  equal(talk.call.why, null)
})

test('a contradiction that is proved for ten seconds ends the call, costs nothing and is flagged', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(60, { guy: { frames: false } })
  deepEqual(talk.closedAt, ['media_lost', 30])
  const flags = talk.simulated.commands.filter(({ type }) => type === 'flag')
  deepEqual(flags, [{ type: 'flag', about: 'contradiction' }])
  deepEqual(talk.sums, [10, 0, 10, 10])
})

test('a guy who admits a frame now and then to keep the call gains no more than one who admits none', () => {
  const talk = new ScriptedCall().start().until(20)
  // A new frame every 4.5 s: never a full pause of 15 s, and nothing to pay.
  for (let at = 20.5; talk.call.status !== 'closed' && at < 90; at += 0.5) {
    talk.at(at)
    if ((at - 20) % 1.5 === 0) talk.report('guy', { frames: (at - 20) % 4.5 === 0 })
    if (at % 2 === 0) talk.report('girl')
  }
  equal(talk.call.reason, 'media_lost')
  ok(talk.call.flagged)
  const [, , paid, paused] = talk.sums
  ok(paused! <= 20, `${paused} s of video for nothing`)
  equal(paid, 10)
})

test('the contradictions of several pauses are one sum; time without proof is not in it', () => {
  const talk = new ScriptedCall({}, 1_000_000_000n).start().until(20)
  talk.until(26, { guy: { frames: false } }).until(40)
  equal(talk.call.contradicted_ms, 6000)
  talk.until(52, { guy: { frames: false }, girl: { sends: false } }).until(60)
  equal(talk.call.contradicted_ms, 6000)
  talk.until(63.9, { guy: { frames: false } })
  equal(talk.call.status, 'running')
  talk.at(64).report('guy', { frames: false })
  talk.report('girl')
  deepEqual(talk.closedAt, ['media_lost', 64])
})

test('short interruptions that pause nothing contradict no one, however many', () => {
  const talk = new ScriptedCall({}, 1_000_000_000n).start().until(20)
  for (let times = 0; times < 20; times++) {
    talk.until(talk.seconds + 2, { guy: { frames: false } })
    talk.at(talk.seconds + 0.5).report('guy')
    talk.report('girl')
    talk.until(talk.seconds + 2)
  }
  deepEqual([talk.call.status, talk.call.contradicted_ms], ['running', 0])
})

test('the proof of the girl runs the meter where the word of the guy does not count', () => {
  const denied = new ScriptedCall({ guy_trusted: false })
    .start()
    .until(40, { guy: { frames: false } })
  denied.leaves('guy')
  deepEqual(denied.sums, [10, 0, 30, 0])
  const silent = new ScriptedCall({ guy_trusted: false }).start().until(40, { guy: null })
  silent.leaves('guy')
  deepEqual(silent.sums, [10, 0, 30, 0])
})

test('without her proof no second passes, also where the word of the guy does not count', () => {
  const unproved = new ScriptedCall({ guy_trusted: false })
    .start()
    .until(20)
    .until(34, { girl: { sends: false } })
  equal(unproved.call.why, 'no_frames')
  unproved.leaves('guy')
  deepEqual(unproved.sums, [10, 0, 10, 14])
})

test('a picture that really stopped is not a contradiction', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(34, { guy: { frames: false, sends: false }, girl: { sends: false } })
  equal(has(talk.simulated.commands, 'flag'), false)
})

test('two false reports cost nothing', () => {
  const talk = new ScriptedCall({ free_start: false })
    .start()
    .until(14, { guy: { frames: false }, girl: { frames: false } })
  talk.leaves('girl')
  deepEqual(
    [talk.sums.slice(0, 3), talk.simulated.spent, talk.simulated.earned],
    [[0, 0, 0], 0n, 0n],
  )
})

test('the receipt shows why paid seconds differ from seconds', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.does({ type: 'socket_lost', side: 'girl' })
  talk.at(25).does({ type: 'socket_restored', side: 'girl' })
  talk.until(30)
  talk.at(32.5).report('guy')
  talk.hangsUp('girl')
  const { seconds, paused, paid_seconds } = receipt(talk.call, 'guy')
  deepEqual([seconds, paid_seconds], [32, 15])
  deepEqual(
    paused.map(({ from, seconds, why }) => [getSeconds(from), seconds, why]),
    [
      [20, 5, 'gone'],
      [25, 2, 'no_report'],
    ],
  )
})

for (const gap of [6, 8, 10, 14, Infinity]) {
  test(`a guy who reports every ${gap} s while her proof goes on is in contradiction`, () => {
    const talk = new ScriptedCall().start()
    for (let at = 1; talk.call.status !== 'closed' && at <= 90; at++) {
      talk.at(at)
      if (at % 2 === 0) talk.report('girl')
      if (at % gap === 0) talk.report('guy')
    }
    equal(talk.call.reason, 'media_lost')
    ok(talk.seconds <= 20, `${talk.seconds} s of video for nothing`)
    deepEqual(
      talk.simulated.commands.filter(({ type }) => type === 'flag'),
      [{ type: 'flag', about: 'contradiction' }],
    )
  })
}

test('a guy who leaves before his silence ends the call is in contradiction', () => {
  const talk = new ScriptedCall().start().until(20).until(34, { guy: null })
  talk.leaves('guy')
  deepEqual([talk.call.reason, talk.call.flagged], ['left', true])
})

test('a guy whose socket is lost is gone and not in contradiction, although her proof goes on', () => {
  const talk = new ScriptedCall({}, 1_000_000_000n).start()
  for (let times = 0; times < 5; times++) {
    talk.until(talk.seconds + 20)
    // The silence before the loss is noticed, the absence, and the first moments after the return.
    talk.until(talk.seconds + 8, { guy: null })
    talk.does({ type: 'socket_lost', side: 'guy' })
    talk.until(talk.seconds + 6, { guy: null })
    talk.does({ type: 'socket_restored', side: 'guy' })
    talk.until(talk.seconds + 2)
  }
  deepEqual([talk.call.status, talk.call.contradicted_ms], ['running', 0])
})

test('a guy who stops reporting is not in contradiction while her page proves nothing', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(40, { guy: null, girl: { sends: false } })
  deepEqual([talk.call.reason, talk.call.contradicted_ms], ['media_lost', 0])
})

type Leaving = [Side, (talk: ScriptedCall, at: number) => void]
const bothInStep: Leaving[] = (['guy', 'girl'] as const).map((side) => [
  side,
  (talk, at) => void talk.until(at),
])
/** The page of the girl reports half an interval after that of the guy. */
const outOfStep: Leaving[] = (['guy', 'girl'] as const).map((side) => [
  side,
  (talk, at) => {
    for (let next = 1; next <= at; next++) talk.at(next).report(next % 2 === 0 ? 'guy' : 'girl')
  },
])
for (const [side, talkUntil] of [...bothInStep, ...outOfStep]) {
  test(`an honest call pays each whole second after the free ones when the ${side} leaves`, () => {
    for (let ends = 1; ends <= 75; ends++) {
      const talk = new ScriptedCall().start()
      talkUntil(talk, ends)
      talk.hangsUp(side)
      deepEqual(talk.sums, [Math.min(10, ends), 0, Math.max(0, ends - 10), 0], `${ends} s`)
    }
  })
}

test('time that only the page of the leaving side reports counts for one interval at most', () => {
  const his = new ScriptedCall().start().until(20)
  his.at(24.5).hangsUp('guy')
  deepEqual(his.sums, [10, 0, 12, 2])
  const hers = new ScriptedCall().start().until(20)
  hers.at(24.5).hangsUp('girl')
  deepEqual(hers.sums, [10, 0, 12, 2])
})

test('time that no page reports does not count at the close in any way of ending a call', () => {
  const ends: ((talk: ScriptedCall) => void)[] = [
    (talk) => talk.leaves('guy'),
    (talk) => talk.leaves('girl', { break: true }),
    (talk) => talk.does({ type: 'ended_by_staff', reason: 'moderator' }),
  ]
  for (const end of ends) {
    const talk = new ScriptedCall().start().until(20).at(24.9)
    end(talk)
    deepEqual(talk.sums, [10, 0, 10, 4])
    equal(talk.simulated.spent, 10_000n)
  }
})

test('time that the guy denies does not count at the close, although the girl reports once more', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(22, { guy: { frames: false } })
  talk.hangsUp('girl')
  deepEqual(talk.sums, [10, 0, 10, 2])
})

test('the last report of the girl counts only with her proof that he receives', () => {
  const talk = new ScriptedCall().start().until(20).at(22)
  talk.report('girl', { sends: false })
  talk.leaves('girl')
  deepEqual(talk.sums, [10, 0, 10, 2])
})
