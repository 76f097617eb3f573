import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { START_MS } from '@duet/testkit/calls/simulated-call.ts'
import { ScriptedCall, has, requeued } from '@duet/testkit/calls/scripted-call.ts'
import type { CloseReason } from '@duet/protocol/contracts/calls.ts'
import type { Side } from './call.ts'

const END_CASES: [string, CloseReason, number, (talk: ScriptedCall) => void][] = [
  [
    'no new frames of the girl for 15 s',
    'media_lost',
    35,
    (t) => t.until(60, { guy: { frames: false }, girl: { sends: false } }),
  ],
  [
    'the guy denies for 10 s what the girl proves',
    'media_lost',
    30,
    (t) => t.until(60, { guy: { frames: false } }),
  ],
  ['her camera is off for 60 s', 'media_lost', 82, (t) => t.until(90, { girl: { video: false } })],
  ['no report of the guy for 15 s', 'media_lost', 35, (t) => t.until(60, { guy: null })],
  [
    'the guy is absent for 10 s',
    'partner_lost',
    31,
    (t) => (t.at(21).does({ type: 'socket_lost', side: 'guy' }), t.at(40)),
  ],
  [
    'another tab takes over and does not join',
    'new_tab',
    31,
    (t) => (t.at(21).does({ type: 'taken_over', side: 'guy' }), t.at(40)),
  ],
  ['the girl leaves', 'left', 22, (t) => t.until(22).leaves('girl')],
  ['the guy leaves', 'left', 22, (t) => t.until(22).leaves('guy')],
  ['the girl leaves for a break', 'break', 22, (t) => t.until(22).leaves('girl', { break: true })],
  [
    'staff ends it for a complaint',
    'complaint',
    20,
    (t) => t.does({ type: 'ended_by_staff', reason: 'complaint' }),
  ],
  [
    'staff ends it for a ban',
    'banned',
    20,
    (t) => t.does({ type: 'ended_by_staff', reason: 'banned' }),
  ],
  [
    'a moderator ends it',
    'moderator',
    20,
    (t) => t.does({ type: 'ended_by_staff', reason: 'moderator' }),
  ],
  ['the guy may spend nothing more', 'no_balance', 70, spendsOnlyTheHold],
]
for (const [name, reason, closed_at, act] of END_CASES) {
  test(`a call ends as ${reason}: ${name}`, () => {
    const talk = new ScriptedCall().start().until(20)
    act(talk)
    deepEqual(talk.closedAt, [reason, closed_at])
    equal(talk.simulated.closes, 1)
  })
}

test('broken media of 60 s in total ends the call, however short each time', () => {
  const talk = new ScriptedCall({}, 1_000_000_000n).start().until(20)
  for (let stretch = 0; stretch < 6; stretch++) {
    talk.until(talk.seconds + 12, { guy: { frames: false }, girl: { sends: false } })
    talk.until(talk.seconds + 4)
  }
  // Five stretches of 14 s would be 70: the fifth ends it after its fourth second.
  deepEqual(talk.closedAt, ['media_lost', 20 + 4 * 16 + 4])
})

test('a guy who drops his socket again and again has one minute in all', () => {
  const talk = new ScriptedCall().start().until(20)
  drops(talk, { silentFor: 0, goneFor: 9 })
  // Six losses of nine seconds; the seventh ends with the rest of the minute.
  deepEqual(talk.closedAt, ['partner_lost', 80])
  equal(talk.simulated.spent, 10_000n)
})

test('the time that a loss takes from the meter counts with it, however short the loss', () => {
  const talk = new ScriptedCall().start().until(20)
  drops(talk, { silentFor: 4.5, goneFor: 0.5 })
  deepEqual(talk.closedAt, ['partner_lost', 80])
  equal(talk.simulated.spent, 10_000n)
})

test('losses of both sides are not added up, and the time of a restart is not in them', () => {
  const talk = new ScriptedCall({}, 1_000_000_000n).start().until(20)
  for (let times = 0; times < 5; times++) {
    for (const side of ['guy', 'girl'] as const) {
      talk.does({ type: 'socket_lost', side })
      talk.at(talk.seconds + 8).does({ type: 'socket_restored', side })
      talk.report('guy')
      talk.report('girl')
    }
  }
  talk.simulated.crash(START_MS + talk.seconds * 1000)
  talk.at(talk.seconds + 9)
  for (const side of ['guy', 'girl'] as const) talk.does({ type: 'socket_restored', side })
  talk.until(talk.seconds + 4)
  for (const side of ['guy', 'girl'] as const) talk.does({ type: 'socket_lost', side })
  talk.at(talk.seconds + 9)
  equal(talk.call.status, 'running')
})

const LOSS_CASES: [name: string, losses: number, side: Side, isFlagged: boolean][] = [
  ['the guy lost his socket twice for a second less than ten together', 2, 'guy', false],
  ['the guy lost his socket again and again for ten seconds together', 3, 'guy', true],
  ['the girl lost hers as long', 3, 'girl', false],
]
for (const [name, losses, side, isFlagged] of LOSS_CASES) {
  test(`a call in which ${name} ${isFlagged ? 'is flagged once' : 'is not flagged'}`, () => {
    const talk = new ScriptedCall().start().until(20)
    for (let times = 0; times < losses; times++) {
      talk.does({ type: 'socket_lost', side })
      talk.at(talk.seconds + 4).does({ type: 'socket_restored', side })
      talk.report('guy')
      talk.report('girl')
    }
    talk.leaves('girl')
    deepEqual(
      talk.simulated.commands.filter(({ type }) => type === 'flag'),
      isFlagged ? [{ type: 'flag', about: 'loss' }] : [],
    )
  })
}

test('a single loss that ends the call is not flagged', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.does({ type: 'socket_lost', side: 'guy' })
  talk.at(40)
  deepEqual([talk.call.reason, has(talk.simulated.commands, 'flag')], ['partner_lost', false])
})

test('a camera that was off before a restart has its time from the return of both on', () => {
  const talk = new ScriptedCall()
    .start()
    .until(20)
    .until(30, { girl: { video: false } })
  talk.simulated.crash(START_MS + 30_000)
  for (const side of ['guy', 'girl'] as const) talk.at(35).does({ type: 'socket_restored', side })
  equal(talk.call.why, 'camera_off')
  talk.at(200)
  deepEqual(talk.closedAt, ['media_lost', 95])
})

test('a camera that the girl switches on in time ends no call, however often, and costs nothing', () => {
  const talk = new ScriptedCall().start().until(20)
  for (let times = 0; times < 3; times++) {
    talk.until(talk.seconds + 58, { girl: { video: false }, guy: { frames: false } })
    talk.until(talk.seconds + 2)
  }
  equal(talk.call.status, 'running')
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 180])
})

test('a camera that is off before the connection has its time from the connection on', () => {
  const talk = new ScriptedCall()
  talk.at(8).report('girl', { video: false })
  talk
    .at(10)
    .start()
    .until(69, { girl: { video: false } })
  equal(talk.call.status, 'running')
  talk.at(70)
  deepEqual(talk.closedAt, ['media_lost', 70])
})

test('a party that returns within the grace time keeps the call', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.does({ type: 'taken_over', side: 'girl' })
  talk.at(29.9).does({ type: 'joined', side: 'girl', session_guid: 'guid-1' })
  talk.guid = 'guid-1'
  talk.decoded.guy = 0
  talk.until(50)
  deepEqual([talk.call.status, talk.call.why], ['running', null])
})

test('a failed connection of both pages ends the call at once; of one page alone, at the timeout', () => {
  const talk = new ScriptedCall()
  talk.at(3).does({ type: 'peer_not_connected', side: 'guy', session_guid: 'guid-0' })
  equal(talk.call.status, 'waiting')
  talk.does({ type: 'peer_not_connected', side: 'girl', session_guid: 'guid-0' })
  deepEqual(talk.closedAt, ['not_connected', 3])
})

test('if the girl decoded frames of a guy who never reported, a free start is used and the guy is flagged', () => {
  const silent = new ScriptedCall()
  silent.at(2).report('girl')
  silent.at(20)
  equal(has(silent.simulated.commands, 'use_free_start'), true)
  equal(has(silent.simulated.commands, 'flag'), true)
  const apart = new ScriptedCall()
  apart.at(2).report('guy')
  apart.at(20)
  deepEqual(
    [has(apart.simulated.commands, 'use_free_start'), has(apart.simulated.commands, 'flag')],
    [false, false],
  )
})

test('one report of a page that is not connected does not hide that its browser confirmed her frames', () => {
  const recorder = new ScriptedCall()
  recorder.at(2).report('girl')
  recorder.report('guy')
  recorder.at(20)
  equal(has(recorder.simulated.commands, 'flag'), true)
  deepEqual(requeued(recorder.simulated.commands), ['girl'])
})

test('a guy who never reported and whose browser confirmed her frames is flagged and not put back into search', () => {
  const recorder = new ScriptedCall()
  for (const second of [2, 4]) recorder.at(second).report('girl', { frames: false })
  recorder.at(20)
  equal(recorder.call.reason, 'not_connected')
  equal(has(recorder.simulated.commands, 'use_free_start'), true)
  equal(has(recorder.simulated.commands, 'flag'), true)
  deepEqual(requeued(recorder.simulated.commands), ['girl'])
})

const REACHED_CASES: [name: string, isSilent: boolean, act: (talk: ScriptedCall) => void][] = [
  ['sends nothing more', true, () => {}],
  [
    'sends nothing more after a restart of the server',
    true,
    (talk) => {
      talk.simulated.crash(START_MS + 2000)
      for (const side of ['guy', 'girl'] as const) talk.does({ type: 'socket_restored', side })
    },
  ],
  ['reports that no frame came', true, (talk) => talk.report('guy', { frames: false })],
  [
    'makes both start a new connection',
    true,
    (talk) => talk.does({ type: 'joined', side: 'guy', session_guid: 'guid-1' }),
  ],
  [
    'says that it is connected',
    false,
    (talk) => talk.does({ type: 'peer_connected', side: 'guy', session_guid: 'guid-0' }),
  ],
  [
    "is connected before the girl's page reloads",
    false,
    (talk) => (
      talk.does({ type: 'peer_connected', side: 'guy', session_guid: 'guid-0' }),
      talk.does({ type: 'joined', side: 'girl', session_guid: 'guid-1' })
    ),
  ],
  [
    'learns that her camera is off',
    false,
    (talk) => talk.report('girl', { frames: false, sends: false, video: false }),
  ],
]
for (const [name, isSilent, act] of REACHED_CASES) {
  test(`a guy whose page reached hers and ${name} is ${isSilent ? 'flagged and not put' : 'put'} back into search`, () => {
    const talk = new ScriptedCall()
    talk.at(1).does({ type: 'joined', side: 'girl', session_guid: 'guid-0' })
    talk.at(2).does({ type: 'reached', side: 'guy' })
    act(talk)
    talk.at(60)
    equal(talk.call.reason, 'not_connected')
    equal(has(talk.simulated.commands, 'use_free_start'), isSilent)
    equal(has(talk.simulated.commands, 'flag'), isSilent)
    deepEqual(requeued(talk.simulated.commands).toSorted(), isSilent ? ['girl'] : ['girl', 'guy'])
  })
}

const PREPARED_CASES: [name: string, isFlagged: boolean, act: (talk: ScriptedCall) => void][] = [
  ['her page has sent frames', true, (talk) => talk.report('girl', { frames: false })],
  ['her page never sent a frame', false, () => {}],
  [
    'her page reports that it sends none',
    false,
    (talk) => talk.report('girl', { frames: false, sends: false }),
  ],
]
for (const [name, isFlagged, act] of PREPARED_CASES)
  test(`a guy with a prepared connection who says nothing is ${isFlagged ? '' : 'not '}flagged if ${name}`, () => {
    const talk = new ScriptedCall({ is_prepared: true })
    for (const side of ['guy', 'girl'] as const)
      talk.does({ type: 'joined', side, session_guid: 'guid-0' })
    act(talk)
    talk.at(60)
    equal(talk.call.reason, 'not_connected')
    equal(has(talk.simulated.commands, 'flag'), isFlagged)
  })

test('a closed call does not change', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.leaves('guy')
  const { call } = talk
  for (const side of ['guy', 'girl'] as const) {
    deepEqual(talk.leaves(side), [])
    deepEqual(talk.report(side), [])
    deepEqual(talk.does({ type: 'server_restarted' }), [])
    deepEqual(talk.ask(side), [{ type: 'refuse', name: 'not_found' }])
  }
  equal(talk.call, call)
})

type RequeueCase = [string, (talk: ScriptedCall) => void, Side[]]
const REQUEUE_CASES: RequeueCase[] = [
  ['the guy left', (t) => t.leaves('guy'), ['girl']],
  ['the guy left for the next girl', (t) => t.leaves('guy', { next: true }), ['girl', 'guy']],
  ['the girl left', (t) => t.leaves('girl'), ['girl']],
  ['the girl left for a break', (t) => t.leaves('girl', { break: true }), []],
  [
    'the girl had set her break',
    (t) => (t.does({ type: 'break_changed', on: true }), t.leaves('guy')),
    [],
  ],
  [
    'the girl had set her break and cleared it',
    (t) => {
      t.does({ type: 'break_changed', on: true })
      t.does({ type: 'break_changed', on: false })
      t.leaves('guy')
    },
    ['girl'],
  ],
  ['the money ended', spendsOnlyTheHold, ['girl']],
  ['the guy was lost', (t) => (t.does({ type: 'socket_lost', side: 'guy' }), t.at(60)), ['girl']],
  ['media was lost', (t) => t.until(80, { guy: { frames: false } }), ['girl']],
  ['the server was lost', (t) => (t.simulated.crash(START_MS + 21_000), t.at(60)), ['girl']],
  ['another tab took over', (t) => (t.does({ type: 'taken_over', side: 'guy' }), t.at(60)), []],
  ['there was a complaint', (t) => t.does({ type: 'ended_by_staff', reason: 'complaint' }), []],
]
for (const [name, act, back] of REQUEUE_CASES) {
  test(`when ${name}, ${back.join(' and ') || 'no side'} is put back into search`, () => {
    const talk = new ScriptedCall().start().until(20)
    act(talk)
    equal(talk.call.status, 'closed')
    deepEqual(requeued(talk.simulated.commands), back)
  })
}

test('after a failed connection both sides are put back into search, if they came from search', () => {
  deepEqual(requeued(new ScriptedCall().at(20).simulated.commands), ['girl', 'guy'])
  deepEqual(
    requeued(
      new ScriptedCall({ guy_from_search: false, girl_from_search: false }).at(20).simulated
        .commands,
    ),
    [],
  )
})

test('only the girl sees the reason break; the guy sees left, and the girl stays out of search', () => {
  const talk = new ScriptedCall().start().until(20)
  const commands = talk.leaves('girl', { break: true })
  const close = commands.find((command) => command.type === 'close')!
  deepEqual([close.guy.reason, close.girl.reason], ['left', 'break'])
  ok(close.begin_break)
})

test('a crash keeps what the last tick stored, and the time without the server is not paid', () => {
  const talk = new ScriptedCall().start().until(30).at(31)
  talk.simulated.crash(START_MS + 31_500)
  talk.seconds = 31.5
  equal(talk.call.why, 'server')
  for (const side of ['guy', 'girl'] as const)
    talk.at(36).does({ type: 'joined', side, session_guid: 'guid-0' })
  equal(talk.call.why, 'no_report')
  talk.report('guy')
  talk.report('girl')
  talk.until(56).leaves('guy')
  deepEqual(talk.sums, [10, 0, 40, 6])
  equal(talk.simulated.spent, 40_000n)
})

test('if one side does not return within the grace time, the call closes as server and nothing is charged twice', () => {
  const talk = new ScriptedCall().start().until(30).at(31)
  talk.simulated.crash(START_MS + 31_000)
  talk.at(35).does({ type: 'socket_restored', side: 'guy' })
  talk.at(60)
  deepEqual(
    [talk.closedAt, talk.simulated.spent, talk.simulated.held],
    [['server', 41], 20_000n, 0n],
  )
})

test('the time of a restart counts in no other time limit', () => {
  const talk = new ScriptedCall().start().until(20)
  talk.until(30, { guy: { frames: false }, girl: { sends: false } })
  talk.simulated.crash(START_MS + 60_000)
  talk.seconds = 60
  equal(talk.call.status, 'running')
  for (const side of ['guy', 'girl'] as const) talk.at(69).does({ type: 'socket_restored', side })
  talk.at(83.9)
  equal(talk.call.status, 'running')
  talk.at(84)
  deepEqual(talk.closedAt, ['media_lost', 84])
})

test('a call that was still connecting gets its full connection time after a restart', () => {
  const talk = new ScriptedCall()
  talk.simulated.crash(START_MS + 14_000)
  talk.seconds = 14
  for (const side of ['guy', 'girl'] as const)
    talk.at(20).does({ type: 'joined', side, session_guid: 'guid-0' })
  talk.at(34).start()
  equal(talk.call.status, 'running')
})

test('media broken for two reasons in sequence counts as broken without interruption', () => {
  const talk = new ScriptedCall()
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

/** The guy's page is silent, loses its socket, returns and reports once, for up to an hour; the girl reports each second. */
function drops(
  talk: ScriptedCall,
  { silentFor, goneFor }: Record<'silentFor' | 'goneFor', number>,
) {
  const wait = (seconds: number) => {
    const end = talk.seconds + seconds
    while (talk.seconds < end && talk.call.status !== 'closed') {
      talk.at(Math.min(end, talk.seconds + 0.5))
      talk.report('girl')
    }
  }
  for (let times = 0; times < 600 && talk.call.status !== 'closed'; times++) {
    wait(silentFor)
    talk.does({ type: 'socket_lost', side: 'guy' })
    wait(goneFor)
    talk.does({ type: 'socket_restored', side: 'guy' })
    talk.report('guy')
  }
}

/** The guy can pay for no second after the hold of the call. */
function spendsOnlyTheHold(talk: ScriptedCall): void {
  talk.simulated.balance = talk.simulated.held
  talk.until(90)
}
