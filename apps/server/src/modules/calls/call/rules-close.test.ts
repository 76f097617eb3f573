import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { START_MS } from './simulate.ts'
import { Talk, has, requeued } from './simulate-talk.ts'
import type { CloseReason, Side } from './call.ts'

const endCases: [string, CloseReason, number, (talk: Talk) => void][] = [
  ['media broken 15 s in a row', 'media_lost', 35, (t) => t.until(60, { guy: { frames: false } })],
  ['his reports missing 15 s in a row', 'media_lost', 35, (t) => t.until(60, { guy: null })],
  [
    'gone for 10 s',
    'partner_lost',
    31,
    (t) => (t.at(21).does({ kind: 'socket_lost', side: 'guy' }), t.at(40)),
  ],
  [
    'taken over by another tab',
    'new_tab',
    31,
    (t) => (t.at(21).does({ kind: 'taken_over', side: 'guy' }), t.at(40)),
  ],
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
  deepEqual(
    [has(honest.live.effects, 'use_free_start'), has(honest.live.effects, 'flag')],
    [false, false],
  )
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
  deepEqual(
    requeued(new Talk({ guy_from_search: false, girl_from_search: false }).at(20).live.effects),
    [],
  )
})

test('a break is hers: her close says break, his says left, and she is out of search', () => {
  const talk = new Talk().start().until(20)
  const effects = talk.leaves('girl', { break: true })
  const close = effects.find((effect) => effect.kind === 'close')!
  deepEqual([close.guy.reason, close.girl.reason], ['left', 'break'])
  ok(has(effects, 'begin_break'))
})

test('a crash keeps what the last round stored, and the time without the server is paid by nobody', () => {
  const talk = new Talk().start().until(30).at(31)
  talk.live.crash(START_MS + 31_500)
  talk.seconds = 31.5
  equal(talk.call.why, 'server')
  for (const side of ['guy', 'girl'] as const)
    talk.at(36).does({ kind: 'joined', side, session_guid: 'guid-0' })
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
  for (const side of ['guy', 'girl'] as const)
    talk.at(20).does({ kind: 'joined', side, session_guid: 'guid-0' })
  talk.at(34).start()
  equal(talk.call.status, 'running')
})

test('media broken by one thing and then another is broken in a row', () => {
  const talk = new Talk()
    .start()
    .until(20)
    .until(26, { guy: { frames: false } })
  talk.until(60, { guy: null })
  deepEqual(talk.closedAt, ['media_lost', 35])
  deepEqual(
    talk.call.paused.map(({ why }) => why),
    ['no_frames', 'no_report'],
  )
})
