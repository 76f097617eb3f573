import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { type CallingFacts, findCallRefusal } from './invite-rules.ts'
import {
  decideInvitation,
  type Invitation,
  type InvitationEvent,
  openInvitation,
  waitAfterUnanswered,
  waitBeforeRing,
} from './invitation-rules.ts'

const START = Temporal.Instant.from('2026-11-20T09:00:00Z')
const at = (seconds: number) => START.add({ milliseconds: seconds * 1000 })
const OPENING = {
  pair_id: 'a',
  guy_id: 1,
  girl_id: 2,
  caller: 'guy',
  random_id: null,
  free_seconds: 10,
} as const
const { state: ringing } = openInvitation(OPENING, START, { ring_ms: 30_000 })
const decide = (event: InvitationEvent, seconds = 5, state: Invitation = ringing) =>
  decideInvitation(state, event, at(seconds))

test('each end of a ring has its reason, and those without an answer are missed', () => {
  const cases: [InvitationEvent, reason: string, missed: boolean][] = [
    [{ type: 'declined' }, 'declined', false],
    [{ type: 'withdrawn' }, 'cancelled', true],
    [{ type: 'unable' }, 'unable', false],
    [{ type: 'left', side: 'guy' }, 'offline', true],
    [{ type: 'blocked' }, 'blocked', false],
    [{ type: 'taken', side: 'girl' }, 'busy', true],
    [{ type: 'taken', side: 'guy' }, 'matched_elsewhere', true],
    [{ type: 'taken', side: 'guy', is_answered: true }, 'matched_elsewhere', false],
    [{ type: 'server_started' }, 'cancelled', false],
  ]
  for (const [event, reason, missed] of cases) {
    const { state, commands } = decide(event)
    deepEqual([state.state, state.reason, state.missed], ['closed', reason, missed], event.type)
    deepEqual(
      commands.map(({ type }) => type),
      missed ? ['record_missed', 'close'] : ['close'],
    )
  }
})

test('the callee does not learn of a ring that its caller ended within five seconds, and the ring is unanswered', () => {
  const cases: [InvitationEvent, seconds: number, isRecorded: boolean][] = [
    [{ type: 'withdrawn' }, 4.9, false],
    [{ type: 'left', side: 'guy' }, 4.9, false],
    [{ type: 'taken', side: 'guy' }, 4.9, false],
    [{ type: 'taken', side: 'girl' }, 4.9, true],
    [{ type: 'withdrawn' }, 5, true],
  ]
  for (const [event, seconds, isRecorded] of cases) {
    const { state, commands } = decide(event, seconds)
    equal(state.missed, true)
    equal(commands[0]?.type === 'record_missed', isRecorded, event.type)
  }
})

test('a caller with too many unanswered rings waits until the first of these rings is a day old', () => {
  const DAY = 86_400
  const rings = [0, 100, 200].map((start) => ({ opened_at: at(start) }))
  for (const [seconds, waits] of [
    [300, DAY - 300],
    [DAY - 1, 1],
    [DAY, 0],
  ] as const)
    equal(waitAfterUnanswered(rings, at(seconds), 3), waits * 1000)
  equal(waitAfterUnanswered(rings, at(300), 4), 0)
})

test('a ring ends at its thirtieth second as missed, however late the timer comes', () => {
  equal(decide({ type: 'time_came' }, 29).state, ringing)
  const { state, commands } = decide({ type: 'time_came' }, 45)
  deepEqual(
    [state.reason, state.missed, String(state.closed_at)],
    ['expired', true, String(at(30))],
  )
  deepEqual(commands, [{ type: 'record_missed' }, { type: 'close', reason: 'expired' }])
  deepEqual(decide({ type: 'accepted', from_search: false }, 30).commands.at(-1), {
    type: 'refuse',
    name: 'pair_over',
  })
})

test('a counted acceptance may be repeated, and every other late answer is refused', () => {
  const { state } = decide({ type: 'accepted', from_search: false })
  equal(state.state, 'accepted')
  deepEqual(decide({ type: 'accepted', from_search: false }, 50, state).commands, [])
  for (const type of ['declined', 'withdrawn'] as const)
    deepEqual(decide({ type }, 6, state).commands, [{ type: 'refuse', name: 'pair_over' }])
})

test('in 20,000 random orders of events a ring ends once, with one call or none', () => {
  const random = randomFrom(7)
  const events: InvitationEvent[] = [
    { type: 'accepted', from_search: true },
    { type: 'declined' },
    { type: 'withdrawn' },
    { type: 'left', side: 'girl' },
    { type: 'blocked' },
    { type: 'taken', side: 'girl' },
    { type: 'unable' },
    { type: 'time_came' },
    { type: 'server_started' },
  ]
  for (let order = 0; order < 20_000; order += 1) {
    let state: Invitation = ringing
    let seconds = 0
    const ends: string[] = []
    for (let step = 0; step < 6; step += 1) {
      seconds += Math.floor(random() * 12)
      const decision = decide(events[Math.floor(random() * events.length)]!, seconds, state)
      for (const { type } of decision.commands)
        if (type === 'open_call' || type === 'close') ends.push(type)
      state = decision.state
    }
    equal(ends.length, state.state === 'open' ? 0 : 1)
    equal(ends[0] === 'open_call', state.state === 'accepted')
  }
})

test('the same caller waits a minute after a ring, and rings one user three times an hour', () => {
  const RULES = { again_ms: 60_000, rings_an_hour: 3 }
  const rings = (...starts: number[]) =>
    starts.map((start) => ({ opened_at: at(start), closed_at: at(start + 30) }))
  const cases: [former: number[], seconds: number, waits: number][] = [
    [[], 0, 0],
    [[0], 40, 50],
    [[0], 90, 0],
    [[0, 100], 200, 0],
    [[0, 100, 200], 290, 3310],
    [[0, 100, 200], 3600, 0],
  ]
  for (const [former, seconds, waits] of cases)
    equal(waitBeforeRing(rings(...former), at(seconds), RULES), waits * 1000, String(former))
})

test('a call is refused by the first reason that applies', () => {
  const ready: CallingFacts = {
    caller: 'guy',
    callee: 'girl',
    is_blocked: false,
    is_hidden: false,
    is_premium: true,
    premium_calls_only: true,
    takes_calls: true,
    is_in_private_call: false,
    can_pay: true,
  }
  const cases: [Partial<CallingFacts>, string | undefined][] = [
    [{}, undefined],
    [{ callee: 'guy', is_blocked: true }, 'not_found'],
    [{ callee: null }, 'not_found'],
    [{ is_blocked: true, is_hidden: true }, 'blocked'],
    [{ is_hidden: true, is_premium: false }, 'not_found'],
    [{ is_premium: false, takes_calls: false }, 'premium_only'],
    [{ is_premium: false, premium_calls_only: false }, undefined],
    [{ takes_calls: false, can_pay: false }, 'user_offline'],
    [{ is_in_private_call: true, can_pay: false }, 'in_call'],
    [{ can_pay: false }, 'no_balance'],
    [{ caller: 'girl', callee: 'guy', premium_calls_only: false, can_pay: false }, 'user_offline'],
  ]
  for (const [change, name] of cases)
    equal(findCallRefusal({ ...ready, ...change }), name, JSON.stringify(change))
})
