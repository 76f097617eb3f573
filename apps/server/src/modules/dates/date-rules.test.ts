import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { answerUntil, type VirtualDateRecord } from './date-record.ts'
import type { DateEvent } from './date-events.ts'
import { decideDate, openDate } from './date-rules.ts'

const RULES = { noshow_percent: 20, up_since: Temporal.Instant.from('2027-01-01T00:00:00Z') }
const ASKED = Temporal.Instant.from('2027-03-01T10:00:00Z')
const AT = ASKED.add({ hours: 48 })
/** Fifteen minutes at 1.5 diamonds and 125 coins. */
const OPENING = {
  date_id: 1,
  guy_id: 2,
  girl_id: 3,
  at: AT,
  minutes: 15,
  price: 90_000n,
  earn: 12_500_000_000n,
  hold_id: 9,
  hold_units: 1_350_000n,
} as const
const requested = openDate(OPENING, ASKED).state
/** Minutes before the time; negative after it. */
const before = (minutes: number) => AT.add({ seconds: Math.round(-minutes * 60) })
const decide = (date: VirtualDateRecord, event: DateEvent, now: Temporal.Instant) =>
  decideDate(date, event, now, RULES)
const types = (commands: readonly { type: string }[]) => commands.map(({ type }) => type)
const accepted = decide(requested, { type: 'accepted' }, before(2000)).state
const press = (side: Role, isOtherReady = true) =>
  ({ type: 'pressed', side, is_other_ready: isOtherReady }) as const

test('she answers until ten minutes before the time, or within half of a short time', () => {
  equal(answerUntil(ASKED, AT).toString(), before(10).toString())
  equal(answerUntil(before(12), AT).toString(), before(6).toString())
  const { state, commands } = decide(requested, { type: 'time_came' }, before(10))
  deepEqual([state.state, types(commands)], ['expired', ['release_hold', 'announce']])
  deepEqual(decide(state, { type: 'accepted' }, before(9)).commands, [
    { type: 'refuse', name: 'pair_over' },
  ])
})

test('accepting twice and declining twice answer the same, and the other answer is refused', () => {
  deepEqual(decide(accepted, { type: 'accepted' }, before(1900)), { state: accepted, commands: [] })
  const declined = decide(requested, { type: 'declined' }, before(2000))
  deepEqual(
    [declined.state.state, types(declined.commands)],
    ['declined', ['release_hold', 'announce']],
  )
  deepEqual(decide(declined.state, { type: 'declined' }, before(1900)).commands, [])
  for (const [date, event] of [
    [declined.state, { type: 'accepted' }],
    [accepted, { type: 'declined' }],
    [declined.state, { type: 'cancelled', side: 'guy' }],
  ] as const)
    deepEqual(types(decide(date, event, before(1800)).commands), ['refuse'])
})

/** How long before the time a side cancels, and what it costs him and earns her. */
const CANCELLATIONS: readonly [string, VirtualDateRecord, Role, number, bigint, bigint][] = [
  ['over an hour before by him', accepted, 'guy', 60.1, 0n, 0n],
  ['an hour before by him', accepted, 'guy', 60, 270_000n, 37_500_000_000n],
  ['a minute before by him', accepted, 'guy', 1, 270_000n, 37_500_000_000n],
  ['after the time by him', accepted, 'guy', -5, 270_000n, 37_500_000_000n],
  ['a minute before by her', accepted, 'girl', 1, 0n, 0n],
  ['a request by him in the last hour', requested, 'guy', 30, 0n, 0n],
]

for (const [name, date, side, minutes, kept, earned] of CANCELLATIONS)
  test(`the money of a cancelled date: ${name}`, () => {
    const { state, commands } = decide(date, { type: 'cancelled', side }, before(minutes))
    deepEqual(
      [state.state, state.cancelled_by, state.kept_units, state.earned_units],
      ['cancelled', side, kept, earned],
    )
    equal(types(commands).includes('keep_part'), kept > 0n)
    equal(types(commands).includes('release_hold'), kept === 0n)
    deepEqual(decide(state, { type: 'cancelled', side }, before(minutes)).commands, [])
  })

test('pressing early or after ten minutes is refused', () => {
  deepEqual(types(decide(accepted, press('guy'), before(0.1)).commands), ['remind', 'refuse'])
  const late = decide(accepted, press('guy'), before(-10))
  deepEqual([late.state.state, types(late.commands).at(-1)], ['she_missed', 'refuse'])
  deepEqual(types(decide(requested, press('guy'), before(0)).commands).at(-1), 'refuse')
})

const reminded = { ...accepted, reminders: 2 }

test('the call opens with the second press, and a repeat opens no second one', () => {
  const first = decide(reminded, press('girl'), before(0))
  deepEqual(types(first.commands), ['announce', 'call_in'])
  deepEqual(decide(first.state, press('girl'), before(-1)).commands, [])
  const second = decide(first.state, press('guy'), before(-9.9))
  deepEqual([second.state.state, types(second.commands)], ['started', ['open_call', 'announce']])
  const opened = decide(second.state, { type: 'call_opened', session_id: 5 }, before(-9.9)).state
  for (const side of ['guy', 'girl'] as const)
    deepEqual(decide(opened, press(side), before(-30)).commands, [])
  deepEqual(types(decide(opened, { type: 'cancelled', side: 'guy' }, before(-9.9)).commands), [
    'refuse',
  ])
  const done = decide(opened, { type: 'call_closed', is_lost: false }, before(-30)).state
  deepEqual([done.state, done.wake_at, done.session_id], ['done', null, 5])
})

test('a call that never connected leaves its date open while there is time, with a new hold', () => {
  const called = {
    ...reminded,
    state: 'started',
    guy_pressed_at: before(0),
    girl_pressed_at: before(0),
    session_id: 5,
    wake_at: null,
  } as const
  const lost = { type: 'call_closed', is_lost: true } as const
  const closed = decide(called, lost, before(-9.9))
  deepEqual([closed.state.state, types(closed.commands)], ['started', ['hold_again']])
  const held = decide(closed.state, { type: 'held_again', hold_id: 9 }, before(-9.9))
  deepEqual(held.state, { ...reminded, hold_id: 9, wake_at: before(-10) })
  deepEqual(held.commands, [{ type: 'announce', news: 'again' }])
  const poor = decide(closed.state, { type: 'held_again', hold_id: undefined }, before(-9.9))
  const late = decide(called, lost, before(-10))
  for (const { state, commands } of [poor, late]) {
    deepEqual([state.state, state.session_id, state.kept_units], ['cancelled', null, 0n])
    deepEqual(commands, [{ type: 'announce', news: 'cancelled' }])
  }
})

test('a side that pressed and is not there any more must press again', () => {
  const waits = decide(reminded, press('girl'), before(0)).state
  const { state, commands } = decide(waits, press('guy', false), before(-1))
  deepEqual([state.girl_pressed_at, types(commands)], [null, ['announce', 'call_in']])
  // She does not come back, so she has missed the date.
  equal(decide(state, { type: 'time_came' }, before(-10)).state.state, 'she_missed')
  equal(decide(state, press('girl'), before(-2)).state.state, 'started')
})

/** The sides that pressed, and the end after ten minutes. */
const MISSED: readonly [string, readonly Role[], VirtualDateRecord['state'], bigint, bigint][] = [
  ['only she came', ['girl'], 'he_missed', 270_000n, 37_500_000_000n],
  ['only he came', ['guy'], 'she_missed', 0n, 0n],
  ['neither came', [], 'she_missed', 0n, 0n],
]

for (const [name, sides, expected, kept, earned] of MISSED)
  test(`after ten minutes: ${name}`, () => {
    let date: VirtualDateRecord = reminded
    for (const side of sides) date = decide(date, press(side), before(-1)).state
    const { state, commands } = decide(date, { type: 'time_came' }, before(-10))
    deepEqual([state.state, state.kept_units, state.earned_units], [expected, kept, earned])
    deepEqual(types(commands), [kept > 0n ? 'keep_part' : 'release_hold', 'announce'])
  })

test('a server that began within the ten minutes charges no side when they end', () => {
  const waits = decide(reminded, press('girl'), before(0)).state
  const rules = { ...RULES, up_since: before(-9) }
  const { state, commands } = decideDate(waits, { type: 'time_came' }, before(-10), rules)
  deepEqual(
    [state.state, state.cancelled_by, state.kept_units, types(commands)],
    ['cancelled', null, 0n, ['release_hold', 'announce']],
  )
})

test('a server that was down at the end of the ten minutes charges no side', () => {
  const waits = decide(reminded, press('girl'), before(0)).state
  const { state, commands } = decide(waits, { type: 'server_started' }, before(-11))
  deepEqual(
    [state.state, state.cancelled_by, state.kept_units, types(commands)],
    ['cancelled', null, 0n, ['release_hold', 'announce']],
  )
  equal(decide(waits, { type: 'server_started' }, before(-9)).state.state, 'accepted')
})

test('each reminder comes once, and not if the answer came after its time', () => {
  const woken: [string, string][] = []
  let date = accepted
  while (date.reminders < 2) {
    const at = date.wake_at!
    const { state, commands } = decide(date, { type: 'time_came' }, at)
    for (const command of commands)
      if (command.type === 'remind') woken.push([at.toString(), command.before])
    date = state
  }
  deepEqual(woken, [
    [before(1440).toString(), 'day'],
    [before(10).toString(), 'soon'],
  ])
  const late = decide(requested, { type: 'accepted' }, before(100)).state
  deepEqual([late.reminders, late.wake_at!.toString()], [1, before(10).toString()])
  const stopped = decide(accepted, { type: 'server_started' }, before(5))
  deepEqual(stopped.commands, [{ type: 'remind', before: 'soon' }])
})

test('a block before the call costs as a cancellation by its side, and changes nothing after it', () => {
  for (const [date, side, minutes, settled] of [
    [requested, 'guy', 30, 'release_hold'],
    [accepted, 'guy', 61, 'release_hold'],
    [accepted, 'guy', 30, 'keep_part'],
    [accepted, 'girl', 30, 'release_hold'],
    [accepted, null, 30, 'release_hold'],
  ] as const) {
    const { state, commands } = decide(date, { type: 'separated', side }, before(minutes))
    equal(state.state, 'cancelled')
    ok(types(commands).includes(settled))
  }
  const started = decide(
    decide(reminded, press('guy'), before(0)).state,
    press('girl'),
    before(0),
  ).state
  deepEqual(decide(started, { type: 'separated', side: 'guy' }, before(0)).commands, [])
})

test('a free date that he missed earns her nothing', () => {
  const free = { ...reminded, hold_id: null, hold_units: 0n, price: 0n }
  const waits = decide(free, press('girl'), before(0)).state
  const { state } = decide(waits, { type: 'time_came' }, before(-10))
  deepEqual([state.state, state.kept_units, state.earned_units], ['he_missed', 0n, 0n])
})

test('in 20,000 random histories the hold of a date is settled once, by one way', () => {
  const random = randomFrom(22)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  for (let history = 0; history < 20_000; history += 1) {
    let date = requested
    let settled = 0
    let minutes = 2880
    for (let step = 0; step < 10; step += 1) {
      minutes -= pick([0, 1, 5, 9, 60, 1000, 1430])
      const side = pick(['guy', 'girl'] as const)
      const event = pick<DateEvent>([
        { type: 'accepted' },
        { type: 'declined' },
        { type: 'cancelled', side },
        press(side, random() < 0.8),
        press(side, random() < 0.8),
        { type: 'separated', side },
        { type: 'call_closed', is_lost: false },
        { type: 'time_came' },
        { type: 'server_started' },
      ])
      const { state, commands } = decide(date, event, before(minutes))
      const ways = types(commands).filter((type) =>
        ['release_hold', 'keep_part', 'open_call'].includes(type),
      )
      settled += ways.length
      if (date.closed_at !== null) deepEqual([state, ways], [date, []])
      ok(state.kept_units <= state.hold_units)
      const isOpen = ['requested', 'accepted', 'started'].includes(state.state)
      equal(isOpen, state.closed_at === null)
      equal(settled, state.state === 'requested' || state.state === 'accepted' ? 0 : 1)
      date = state
    }
  }
})
