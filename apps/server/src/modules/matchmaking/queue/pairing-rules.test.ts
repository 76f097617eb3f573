import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  girlRank,
  guyRank,
  languageAllows,
  liftedRank,
  mayMeet,
  NO_RECENT,
  EMPTY_IDS,
  pairingRules,
  shareLanguage,
} from './pairing-rules.ts'
import type { Searcher } from './pairing-rules.ts'

const rules = pairingRules({
  language_first: 3,
  rank_lift: 5,
  rematch_minutes: 30,
  rematch_last_only: 8,
  rematch_anyone: 20,
})
const NOW_MS = 1_000_000_000

function guy(over: Partial<Searcher> = {}): Searcher {
  const plain = {
    user_id: 1,
    side: 'guy',
    rank: 1,
    locales: ['en'],
    country: 'DE',
    premium: false,
  } as const
  return { ...plain, waiting_since_ms: NOW_MS, excluded: EMPTY_IDS, recent: NO_RECENT, ...over }
}

function girl(over: Partial<Searcher> = {}): Searcher {
  const plain = { user_id: 2, side: 'girl', rank: 4, locales: ['en'], premium: false } as const
  return { ...plain, waiting_since_ms: NOW_MS, excluded: EMPTY_IDS, recent: NO_RECENT, ...over }
}

test('ranks TOP first, then the Camscore from excellent to terrible', () => {
  const order = ['excellent', 'good', 'new', 'none', 'bad', 'terrible'] as const
  deepEqual(
    order.map((camscore) => girlRank({ is_top: false, camscore })),
    [1, 2, 3, 4, 5, 6],
  )
  equal(girlRank({ is_top: true, camscore: 'excellent' }), 0)
})

test('ranks guys with premium before the others', () => equal(guyRank(true) < guyRank(false), true))

test('each lift time of waiting improves the rank by one, up to the best', () => {
  const waits = [0, 4999, 5000, 9999, 10_000, 29_999, 30_000, 600_000, -5]
  deepEqual(
    waits.map((waitedMs) => liftedRank(6, waitedMs, rules)),
    [6, 6, 5, 5, 4, 1, 0, 0, 6],
  )
})

const recentUntil = (user_id: number, untilMs: number) => new Map([[user_id, untilMs]])
const pairs: [string, boolean, Searcher, Searcher][] = [
  ['a guy and a girl', true, guy(), girl()],
  ['two guys', false, guy(), guy({ user_id: 3 })],
  ['two girls', false, girl(), girl({ user_id: 3 })],
  ['the same user', false, guy({ user_id: 2 }), girl()],
  ['a girl he excludes', false, guy({ excluded: new Set([2]) }), girl()],
  ['a girl who excludes him', false, guy(), girl({ excluded: new Set([1]) })],
  ['a girl who hides from his country', false, guy(), girl({ hides_countries: new Set(['DE']) })],
  [
    'a girl who hides from another country',
    true,
    guy(),
    girl({ hides_countries: new Set(['FR']) }),
  ],
  [
    'a girl who hides from any country, and a guy whose country is unknown',
    false,
    guy({ country: undefined }),
    girl({ hides_countries: new Set(['FR']) }),
  ],
  [
    'a girl who hides from no country, and a guy whose country is unknown',
    true,
    guy({ country: undefined }),
    girl({ hides_countries: new Set() }),
  ],
  ['premium only and a guy without premium', false, guy(), girl({ only_premium: true })],
  [
    'premium only and a premium guy',
    true,
    guy({ premium: true, rank: 0 }),
    girl({ only_premium: true }),
  ],
  ['quiet hours', false, guy(), girl({ quiet: { from_ms: NOW_MS, until_ms: NOW_MS + 1 } })],
  [
    'quiet hours just over',
    true,
    guy(),
    girl({ quiet: { from_ms: NOW_MS - 9, until_ms: NOW_MS } }),
  ],
  [
    'quiet hours that begin later',
    true,
    guy(),
    girl({ quiet: { from_ms: NOW_MS + 1, until_ms: NOW_MS + 9 } }),
  ],
  ['met lately, known on his side', false, guy({ recent: recentUntil(2, NOW_MS + 1) }), girl()],
  ['met lately, known on her side', false, guy(), girl({ recent: recentUntil(1, NOW_MS + 1) })],
  ['met long ago', true, guy({ recent: recentUntil(2, NOW_MS), last_partner: 2 }), girl()],
]
for (const [name, allowed, one, other] of pairs) {
  test(`${allowed ? 'may meet' : 'may not meet'}: ${name}`, () => {
    equal(mayMeet(one, other, NOW_MS, rules), allowed)
    equal(mayMeet(other, one, NOW_MS, rules), allowed)
  })
}

test('after a long wait only the last partner of each is excluded', () => {
  const recent = new Map([
    [2, NOW_MS + 60_000],
    [5, NOW_MS + 90_000],
  ])
  const waited = (ms: number, lastPartner: number) =>
    guy({ recent, last_partner: lastPartner, waiting_since_ms: NOW_MS - ms })
  equal(mayMeet(waited(8000, 5), girl(), NOW_MS, rules), false)
  equal(mayMeet(waited(8001, 5), girl(), NOW_MS, rules), true)
  equal(mayMeet(waited(8001, 2), girl(), NOW_MS, rules), false)
  equal(mayMeet(waited(0, 5), girl({ waiting_since_ms: NOW_MS - 8001 }), NOW_MS, rules), true)
  equal(
    mayMeet(
      waited(8001, 5),
      girl({ last_partner: 1, recent: recentUntil(1, NOW_MS + 1) }),
      NOW_MS,
      rules,
    ),
    false,
  )
})

test('two users who have both waited long enough meet again, also when they are each other’s last partner', () => {
  const recent = recentUntil(2, NOW_MS + 60_000)
  const he = (waitedMs: number) =>
    guy({ recent, last_partner: 2, waiting_since_ms: NOW_MS - waitedMs })
  const she = (waitedMs: number, over: Partial<Searcher> = {}) =>
    girl({ waiting_since_ms: NOW_MS - waitedMs, ...over })
  for (const [his, hers, may] of [
    [20_000, 20_001, false],
    [20_001, 20_000, false],
    [20_001, 20_001, true],
    [600_000, 0, false],
  ] as const) {
    equal(mayMeet(he(his), she(hers), NOW_MS, rules), may)
    equal(mayMeet(she(hers), he(his), NOW_MS, rules), may)
  }
  const blocked = she(60_000, { excluded: new Set([1]) })
  equal(mayMeet(he(60_000), blocked, NOW_MS, rules), false, 'a block stays a block')
})

test('with the times of the demo installation a former partner is met again after three seconds', () => {
  const demo = pairingRules({
    language_first: 3,
    rank_lift: 5,
    rematch_minutes: 30,
    rematch_last_only: 0,
    rematch_anyone: 3,
  })
  const pair = (waitedMs: number) =>
    [
      guy({
        recent: recentUntil(2, NOW_MS + 60_000),
        last_partner: 2,
        waiting_since_ms: NOW_MS - waitedMs,
      }),
      girl({ waiting_since_ms: NOW_MS - waitedMs }),
    ] as const
  equal(mayMeet(...pair(3000), NOW_MS, demo), false)
  equal(mayMeet(...pair(3001), NOW_MS, demo), true)
})

test('requires a shared language until one of the two has waited long enough', () => {
  const german = guy({ locales: ['de'] })
  equal(languageAllows(german, girl(), NOW_MS, rules), false)
  equal(languageAllows(german, girl({ waiting_since_ms: NOW_MS - 2999 }), NOW_MS, rules), false)
  equal(languageAllows(german, girl({ waiting_since_ms: NOW_MS - 3000 }), NOW_MS, rules), true)
  equal(languageAllows(guy({ locales: ['de', 'en'] }), girl(), NOW_MS, rules), true)
  equal(shareLanguage([], ['de']), true)
})
