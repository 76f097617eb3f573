import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { type CheckEvent, decideCheck, type IdentityCheck, isOpen } from './check-rules.ts'

const START = Temporal.Instant.from('2026-11-20T09:00:00Z')
const RULES = { warn_days: [30, 7, 1] }
const waiting: IdentityCheck = {
  check_id: 1,
  user_id: 7,
  provider: 'staff',
  state: 'checking',
  reason: null,
  asked_again: false,
  comment: null,
  request: null,
  opened_at: START,
  decided_at: null,
  decided_by: null,
  expires_at: null,
  warnings: 0,
  wake_at: null,
  closed_at: null,
}
const days = (count: number) => START.add({ hours: 24 * count })
const decide = (check: IdentityCheck, event: CheckEvent, now = START) =>
  decideCheck(check, event, now, RULES)
const approved = (expires_at: Temporal.Instant | null, check = waiting) =>
  decide(check, { type: 'approved', by: 'olga', expires_at }).state
const getTypes = (commands: readonly { type: string }[]) => commands.map(({ type }) => type)

test('an approved check verifies the user and wakes for its first warning', () => {
  const { state, commands } = decide(waiting, {
    type: 'approved',
    by: 'olga',
    expires_at: days(400),
  })
  deepEqual(getTypes(commands), ['verify_user', 'announce'])
  deepEqual(
    [state.state, state.decided_by, state.warnings, String(state.wake_at)],
    ['verified', 'olga', 0, String(days(370))],
  )
})

test('a document without a known end never wakes', () => {
  equal(approved(null).wake_at, null)
  deepEqual(decide(approved(null), { type: 'wake_up' }, days(10_000)).commands, [])
})

test('warnings are given once each, and the expiry ends the verification', () => {
  let check = approved(days(400))
  const given: [string, number?][] = []
  for (let guard = 0; isOpen(check) && guard < 20; guard += 1) {
    const { state, commands } = decide(check, { type: 'wake_up' }, check.wake_at!)
    for (const command of commands)
      given.push(command.type === 'warn' ? ['warn', command.days] : [command.type])
    check = state
  }
  deepEqual(given, [['warn', 30], ['warn', 7], ['warn', 1], ['unverify_user'], ['announce']])
  deepEqual(
    [check.state, check.reason, check.wake_at, String(check.closed_at)],
    ['ended', 'expired', null, String(days(400))],
  )
})

test('after a long stop one warning names the days that remain, or the expiry follows at once', () => {
  const late = decide(approved(days(400)), { type: 'server_started' }, days(395))
  deepEqual(late.commands, [{ type: 'warn', days: 5 }])
  equal(late.state.warnings, 2)
  equal(decide(approved(days(400)), { type: 'server_started' }, days(500)).state.reason, 'expired')
})

test('a document that expires soon is approved without an immediate warning', () => {
  const { warnings, wake_at } = approved(days(5))
  deepEqual([warnings, String(wake_at)], [2, String(days(4))])
})

test('a declined check changes nothing about the user, and a decided one is not decided again', () => {
  const { state, commands } = decide(waiting, {
    type: 'declined',
    by: 'olga',
    reason: 'unreadable',
  })
  deepEqual(
    [state.state, state.reason, getTypes(commands)],
    ['declined', 'unreadable', ['announce']],
  )
  for (const event of [
    { type: 'approved', by: 'x', expires_at: null },
    { type: 'declined', by: 'x', reason: 'other' },
    { type: 'revoked', by: 'x', reason: 'other' },
    { type: 'wake_up' },
  ] as const)
    equal(decide(state, event).state, state)
})

test('a check that another one replaces ends silently', () => {
  const { state, commands } = decide(approved(days(10)), {
    type: 'revoked',
    by: 'check 2',
    reason: 'replaced',
  })
  deepEqual([state.state, commands], ['ended', []])
})

test('in 20,000 random histories a user is verified exactly while a check is, and a closed check stays closed', () => {
  const random = randomFrom(8)
  const events: readonly ((now: Temporal.Instant) => CheckEvent)[] = [
    (now) => ({
      type: 'approved',
      by: 'olga',
      expires_at: random() < 0.2 ? null : now.add({ hours: Math.floor(random() * 24 * 90) }),
    }),
    () => ({ type: 'declined', by: 'olga', reason: 'other' }),
    () => ({ type: 'revoked', by: 'olga', reason: random() < 0.3 ? 'replaced' : 'revoked' }),
    () => ({ type: 'wake_up' }),
    () => ({ type: 'server_started' }),
  ]
  for (let history = 0; history < 20_000; history += 1) {
    let check = waiting
    let verified = false
    let now = START
    for (let step = 0; step < 8; step += 1) {
      now = now.add({ hours: Math.floor(random() * 24 * 20) })
      const event = events[Math.floor(random() * events.length)]!(now)
      const { state, commands } = decide(check, event, now)
      for (const { type } of commands) {
        if (type === 'verify_user') verified = true
        if (type === 'unverify_user') verified = false
      }
      if (state.reason === 'replaced') verified = false
      if (!isOpen(check)) equal(state, check)
      equal(verified, state.state === 'verified')
      equal(state.closed_at === null, isOpen(state))
      ok(state.state !== 'verified' || !state.expires_at || state.wake_at)
      check = state
    }
  }
})
