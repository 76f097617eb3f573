import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  girlRank,
  guyRank,
  languageAllows,
  liftedRank,
  mayMeet,
  noRecent,
  nobody,
  pairingRules,
  shareLanguage,
} from './pairing-rules.ts'
import type { Searcher } from './pairing-rules.ts'

const rules = pairingRules({
  language_first: 3,
  rank_lift: 5,
  rematch_minutes: 30,
  rematch_last_only: 8,
})
const now_ms = 1_000_000_000

function guy(over: Partial<Searcher> = {}): Searcher {
  const plain = {
    user_id: 1,
    side: 'guy',
    rank: 1,
    locales: ['en'],
    country: 'DE',
    premium: false,
  } as const
  return { ...plain, waiting_since_ms: now_ms, excluded: nobody, recent: noRecent, ...over }
}

function girl(over: Partial<Searcher> = {}): Searcher {
  const plain = { user_id: 2, side: 'girl', rank: 4, locales: ['en'], premium: false } as const
  return { ...plain, waiting_since_ms: now_ms, excluded: nobody, recent: noRecent, ...over }
}

test('TOP comes first, then the Camscore from excellent to terrible', () => {
  const order = ['excellent', 'good', 'new', 'none', 'bad', 'terrible'] as const
  deepEqual(
    order.map((camscore) => girlRank({ is_top: false, camscore })),
    [1, 2, 3, 4, 5, 6],
  )
  equal(girlRank({ is_top: true, camscore: 'excellent' }), 0)
})

test('premium guys come before the rest', () => equal(guyRank(true) < guyRank(false), true))

test('each stretch of waiting lifts by one rank, up to the best', () => {
  const waits = [0, 4999, 5000, 9999, 10_000, 29_999, 30_000, 600_000, -5]
  deepEqual(
    waits.map((waited_ms) => liftedRank(6, waited_ms, rules)),
    [6, 6, 5, 5, 4, 1, 0, 0, 6],
  )
})

const recentUntil = (user_id: number, until_ms: number) => new Map([[user_id, until_ms]])
const pairs: [string, boolean, Searcher, Searcher][] = [
  ['a guy and a girl', true, guy(), girl()],
  ['two guys', false, guy(), guy({ user_id: 3 })],
  ['two girls', false, girl(), girl({ user_id: 3 })],
  ['oneself', false, guy({ user_id: 2 }), girl()],
  ['somebody he excludes', false, guy({ excluded: new Set([2]) }), girl()],
  ['somebody who excludes him', false, guy(), girl({ excluded: new Set([1]) })],
  ['somebody who hides from his country', false, guy(), girl({ hides_countries: new Set(['DE']) })],
  [
    'somebody who hides from another country',
    true,
    guy(),
    girl({ hides_countries: new Set(['FR']) }),
  ],
  [
    'no known country',
    true,
    guy({ country: undefined }),
    girl({ hides_countries: new Set(['DE']) }),
  ],
  ['premium only and a free guy', false, guy(), girl({ only_premium: true })],
  [
    'premium only and a premium guy',
    true,
    guy({ premium: true, rank: 0 }),
    girl({ only_premium: true }),
  ],
  ['quiet hours', false, guy(), girl({ quiet: { from_ms: now_ms, until_ms: now_ms + 1 } })],
  [
    'quiet hours just over',
    true,
    guy(),
    girl({ quiet: { from_ms: now_ms - 9, until_ms: now_ms } }),
  ],
  [
    'quiet hours to come',
    true,
    guy(),
    girl({ quiet: { from_ms: now_ms + 1, until_ms: now_ms + 9 } }),
  ],
  ['met lately, in his memory', false, guy({ recent: recentUntil(2, now_ms + 1) }), girl()],
  ['met lately, in her memory', false, guy(), girl({ recent: recentUntil(1, now_ms + 1) })],
  ['met long ago', true, guy({ recent: recentUntil(2, now_ms), last_partner: 2 }), girl()],
]
for (const [name, allowed, one, other] of pairs) {
  test(`${allowed ? 'may meet' : 'never meet'}: ${name}`, () => {
    equal(mayMeet(one, other, now_ms, rules), allowed)
    equal(mayMeet(other, one, now_ms, rules), allowed)
  })
}

test('after a long wait only the last partner stays excluded', () => {
  const recent = new Map([
    [2, now_ms + 60_000],
    [5, now_ms + 90_000],
  ])
  const waited = (ms: number, last_partner: number) =>
    guy({ recent, last_partner, waiting_since_ms: now_ms - ms })
  equal(mayMeet(waited(8000, 5), girl(), now_ms, rules), false)
  equal(mayMeet(waited(8001, 5), girl(), now_ms, rules), true)
  equal(mayMeet(waited(8001, 2), girl(), now_ms, rules), false)
  equal(mayMeet(waited(0, 5), girl({ waiting_since_ms: now_ms - 8001 }), now_ms, rules), true)
  equal(
    mayMeet(
      waited(8001, 5),
      girl({ last_partner: 1, recent: recentUntil(1, now_ms + 1) }),
      now_ms,
      rules,
    ),
    false,
  )
})

test('a shared language is insisted on for the first seconds of a wait, by both', () => {
  const german = guy({ locales: ['de'] })
  equal(languageAllows(german, girl(), now_ms, rules), false)
  equal(languageAllows(german, girl({ waiting_since_ms: now_ms - 2999 }), now_ms, rules), false)
  equal(languageAllows(german, girl({ waiting_since_ms: now_ms - 3000 }), now_ms, rules), true)
  equal(languageAllows(guy({ locales: ['de', 'en'] }), girl(), now_ms, rules), true)
  equal(shareLanguage([], ['de']), true)
})
