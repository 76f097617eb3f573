import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { receipt } from './receipt.ts'
import { ScriptedCall, has, secondsOf } from './scripted-call.ts'
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
  talk.leaves('guy')
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

test('contradicting reports cost nothing and are flagged once', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(34, { guy: { frames: false } })
  const flags = talk.simulated.commands.filter(({ type }) => type === 'flag')
  deepEqual(flags, [{ type: 'flag', about: 'contradiction', user_id: 7 }])
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 14])
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

test('a guy who stops reporting is not a contradiction', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(22, { guy: { frames: false } })
    .until(34, { guy: null })
  equal(has(talk.simulated.commands, 'flag'), false)
})
