import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { NO_RECENT, EMPTY_IDS } from './pairing-rules.ts'
import type { Searcher } from './pairing-rules.ts'
import { MemoryMatchQueue } from './match-queue.ts'
import type { MatchedPair } from './match-queue.ts'
import { recordMatch, replayMatch } from './match-record.ts'
import {
  NaiveMatchQueue,
  forbidden,
  NAIVE_RULES as rules,
  shareLanguage,
} from '@duet/testkit/calls/naive-match-queue.ts'

const START = 1_000_000

function person(side: 'guy' | 'girl', user_id: number, over: Partial<Searcher> = {}): Searcher {
  const rank = side === 'girl' ? 4 : 1
  const plain = {
    user_id,
    side,
    rank,
    locales: ['en'],
    premium: false,
    excluded: EMPTY_IDS,
    recent: NO_RECENT,
  }
  return { ...plain, waiting_since_ms: START, ...over }
}
const guy = (user_id: number, over: Partial<Searcher> = {}) => person('guy', user_id, over)
const girl = (user_id: number, over: Partial<Searcher> = {}) => person('girl', user_id, over)
const createQueue = (options: { scan_limit?: number; sweep_limit?: number } = {}) =>
  new MemoryMatchQueue({ rules: () => rules, ...options })
const ids = (pair: MatchedPair | undefined) => pair && [pair.guy.user_id, pair.girl.user_id]

// Random histories of a queue: few users and few moments, so that every rule and every tie occurs often.

const USERS_MAX = 14
const someIds = fc.uniqueArray(fc.integer({ min: 1, max: USERS_MAX }), { maxLength: 3 })
const arrival = fc.record({
  user_id: fc.integer({ min: 1, max: USERS_MAX }),
  rank: fc.integer({ min: 0, max: 6 }),
  locales: fc.uniqueArray(fc.constantFrom('en', 'de', 'fr'), { maxLength: 2 }),
  country: fc.constantFrom(undefined, 'DE', 'FR'),
  excluded: fc.oneof({ weight: 4, arbitrary: fc.constant<number[]>([]) }, someIds),
  met: fc.oneof({ weight: 2, arbitrary: fc.constant<number[]>([]) }, someIds),
  met_for: fc.integer({ min: 0, max: 60 }),
  waited: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 24 })),
  only_premium: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
  hides: fc.oneof({ weight: 5, arbitrary: fc.constant<string[]>([]) }, fc.constant(['DE'])),
  quiet: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    fc.integer({ min: -4, max: 6 }),
  ),
})
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('arrive' as const), arrival }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('leave' as const),
      user_id: fc.integer({ min: 1, max: USERS_MAX }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('wait' as const),
      // The jump is longer than every time of the rules.
      seconds: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
        { weight: 1, arbitrary: fc.constant(21) },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('sweep' as const) }) },
)
const history = fc.array(step, { minLength: 5, maxLength: 60 })

type Arrival = typeof arrival extends fc.Arbitrary<infer T> ? T : never

function getSearcher(t: Arrival, now: number): Searcher {
  const side = t.user_id % 2 === 0 ? 'girl' : 'guy'
  const premium = side === 'guy' && t.rank % 2 === 0
  const recent = new Map(t.met.map((id, i) => [id, now + (t.met_for + i) * 1000]))
  const shared = {
    user_id: t.user_id,
    side,
    locales: t.locales,
    premium,
    excluded: new Set(t.excluded),
    recent,
  } as const
  const lastPartner = t.met.at(-1)
  const waitingSinceMs = now - t.waited * 1000
  if (side === 'guy') {
    return {
      ...shared,
      rank: premium ? 0 : 1,
      country: t.country,
      last_partner: lastPartner,
      waiting_since_ms: waitingSinceMs,
    }
  }
  const quiet =
    t.quiet === undefined
      ? undefined
      : { from_ms: now + t.quiet * 1000, until_ms: now + t.quiet * 1000 + 5000 }
  const wishes = { only_premium: t.only_premium, hides_countries: new Set(t.hides), quiet }
  return {
    ...shared,
    ...wishes,
    rank: t.rank,
    last_partner: lastPartner,
    waiting_since_ms: waitingSinceMs,
  }
}

function replay(
  steps: typeof history extends fc.Arbitrary<infer S> ? S : never,
  scanLimit: number,
) {
  const fast = createQueue({ scan_limit: scanLimit })
  const naive = new NaiveMatchQueue()
  let now = START
  return steps.map((s) => {
    if (s.does === 'wait') now += s.seconds * 1000
    const who = s.does === 'arrive' ? getSearcher(s.arrival, now) : undefined
    const before = naive.waiting.map((w) => w.who)
    const run = (one: {
      enqueue: NaiveMatchQueue['enqueue']
      remove: NaiveMatchQueue['remove']
      sweep: NaiveMatchQueue['sweep']
    }): MatchedPair[] => {
      if (s.does === 'sweep') return one.sweep(now)
      if (s.does === 'leave') one.remove(s.user_id)
      const pair = who && one.enqueue(who, now)
      return pair ? [pair] : []
    }
    return {
      does: s.does,
      now,
      who,
      before,
      fast: run(fast),
      naive: run(naive),
      reference: naive,
    }
  })
}

test('matches exactly the pairs that a full scan of the rules matches', () => {
  fc.assert(
    fc.property(history, (steps) => {
      for (const moment of replay(steps, Infinity))
        deepEqual(moment.fast.map(ids), moment.naive.map(ids))
    }),
    { numRuns: 3000, seed: testSeed() },
  )
})

test('matches no forbidden pair and no user twice, and loses no user', () => {
  fc.assert(
    fc.property(history, fc.integer({ min: 1, max: 3 }), (steps, scanLimit) => {
      const fast = createQueue({ scan_limit: scanLimit })
      const present = new Set<number>()
      let now = START
      for (const s of steps) {
        if (s.does === 'wait') now += s.seconds * 1000
        let pairs: MatchedPair[] = []
        if (s.does === 'arrive') {
          const pair = fast.enqueue(getSearcher(s.arrival, now), now)
          present.add(s.arrival.user_id)
          pairs = pair ? [pair] : []
        }
        if (s.does === 'leave') equal(fast.remove(s.user_id), present.delete(s.user_id))
        if (s.does === 'sweep') pairs = fast.sweep(now)
        for (const { guy: he, girl: she } of pairs) {
          ok(!forbidden(he, she, now))
          const insisting =
            now - Math.min(he.waiting_since_ms, she.waiting_since_ms) < rules.language_first_ms
          ok(shareLanguage(he, she) || !insisting)
          const record = recordMatch({ guy: he, girl: she }, now, rules)
          ok(replayMatch(JSON.parse(JSON.stringify(record)) as typeof record).allowed)
          ok(present.delete(he.user_id) && present.delete(she.user_id))
        }
        const { guys, girls } = fast.size()
        equal(guys + girls, present.size)
        for (const id of present) equal(fast.find(id)?.user_id, id)
      }
    }),
    { numRuns: 2000, seed: testSeed() },
  )
})

test('after a sweep no two users who may meet are left, even when an arrival examines one partner', () => {
  fc.assert(
    fc.property(history, (steps) => {
      const fast = createQueue({ scan_limit: 1 })
      const people = new Map<number, Searcher>()
      let now = START
      for (const s of steps) {
        if (s.does === 'wait') now += s.seconds * 1000
        if (s.does === 'leave') fast.remove(s.user_id)
        if (s.does === 'arrive') fast.enqueue(getSearcher(s.arrival, now), now)
        if (s.does !== 'sweep') continue
        fast.sweep(now)
        people.clear()
        for (let id = 1; id <= USERS_MAX; id++) {
          const who = fast.find(id)
          if (who) people.set(id, who)
        }
        const naive = new NaiveMatchQueue()
        naive.waiting = [...people.values()].map((who, arrived) => ({ who, arrived }))
        deepEqual(
          [...people.values()].filter((who) => naive.find(who, now)).map((who) => who.user_id),
          [],
        )
      }
    }),
    { numRuns: 2000, seed: testSeed() },
  )
})

test('a sweep that reached its limit continues where it stopped, and reaches every user', () => {
  const fast = createQueue({ sweep_limit: 1 })
  for (let i = 1; i <= 20; i++) fast.enqueue(girl(i, { locales: ['en'] }), START)
  for (let i = 101; i <= 120; i++) fast.enqueue(guy(i, { locales: ['de'] }), START)
  let met = 0
  for (let sweep = 0; sweep < 20; sweep++) met += fast.sweep(START + 3000).length
  equal(met, 20)
  deepEqual(fast.size(), { guys: 0, girls: 0 })
})

test('matches TOP before excellent, and a girl who has waited long enough before both', () => {
  const fast = createQueue()
  fast.enqueue(girl(2, { rank: 1 }), START)
  fast.enqueue(girl(4, { rank: 0 }), START)
  fast.enqueue(girl(6, { rank: 3, waiting_since_ms: START - 15_000 }), START)
  const met = [11, 12, 13].map((id) => ids(fast.enqueue(guy(id), START)))
  deepEqual(met, [
    [11, 6],
    [12, 4],
    [13, 2],
  ])
})

test('matches two users without a shared language when one has waited three seconds', () => {
  const fast = createQueue()
  fast.enqueue(girl(2, { locales: ['fr'] }), START)
  equal(
    fast.enqueue(guy(1, { locales: ['de'], waiting_since_ms: START + 2000 }), START + 2000),
    undefined,
  )
  deepEqual(fast.sweep(START + 2999), [])
  deepEqual(fast.sweep(START + 3000).map(ids), [[1, 2]])
})

test('prefers a shared language to a better rank in the first seconds of a wait, and not later', () => {
  const girls = [girl(2, { rank: 0, locales: ['fr'] }), girl(4, { rank: 6, locales: ['de'] })]
  for (const [waited, meets] of [
    [0, 4],
    [3000, 2],
  ] as const) {
    const fast = createQueue()
    for (const who of girls)
      fast.enqueue({ ...who, waiting_since_ms: START + 9000 - 4000 }, START + 9000)
    const he = guy(1, { locales: ['de'], waiting_since_ms: START + 9000 - waited })
    deepEqual(ids(fast.enqueue(he, START + 9000)), [1, meets])
  }
})

test('a preview shows a girl and leaves her in the queue', () => {
  const fast = createQueue()
  fast.enqueue(girl(2), START)
  equal(fast.findPartner(guy(1), START)?.user_id, 2)
  equal(fast.findPartner(guy(1, { excluded: new Set([2]) }), START), undefined)
  deepEqual(fast.size(), { guys: 0, girls: 1 })
  deepEqual(ids(fast.enqueue(guy(3), START)), [3, 2])
})

test('a preview finds an allowed girl behind any number of girls who hide, and counts what it examined', () => {
  const fast = createQueue({ scan_limit: 24 })
  const hiding = { hides_countries: new Set(['FR']) }
  for (let id = 100; id < 1100; id++) fast.enqueue(girl(id, hiding), START)
  fast.enqueue(girl(2, { waiting_since_ms: START + 1 }), START + 1)
  const budget = { rows: 1500 }
  equal(fast.findPartner(guy(1, { country: 'FR' }), START + 1, budget)?.user_id, 2)
  equal(budget.rows, 1500 - 1002)
  equal(fast.findPartner(guy(1, { country: 'FR' }), START + 1), undefined, 'without a budget')
  equal(fast.findPartner(guy(1, { country: 'DE' }), START + 1)?.user_id, 100)
})

test('a block while both users wait prevents their match', () => {
  const fast = createQueue()
  fast.enqueue(girl(2, { locales: ['fr'] }), START)
  fast.enqueue(guy(1, { locales: ['de'] }), START)
  fast.exclude(1, 2)
  deepEqual(fast.sweep(START + 60_000), [])
})

test('a user who is enqueued again keeps the longer wait and gets the new wishes', () => {
  const fast = createQueue()
  fast.enqueue(guy(1), START)
  fast.enqueue(guy(1, { locales: ['de'], waiting_since_ms: START + 5000 }), START + 5000)
  deepEqual(fast.size(), { guys: 1, girls: 0 })
  equal(fast.find(1)?.waiting_since_ms, START)
  deepEqual(fast.find(1)?.locales, ['de'])
})

test('matches a girl whose quiet hours began while she waited when they are over', () => {
  const fast = createQueue()
  fast.enqueue(girl(2, { quiet: { from_ms: START + 1000, until_ms: START + 5000 } }), START)
  equal(fast.enqueue(guy(1, { waiting_since_ms: START + 2000 }), START + 2000), undefined)
  deepEqual(fast.sweep(START + 4999), [])
  deepEqual(fast.sweep(START + 5000).map(ids), [[1, 2]])
})

test('finds partners with a shared language among 2,048 different language wishes', () => {
  const names = Array.from({ length: 11 }, (_, i) => `l${i}`)
  const fast = createQueue({ scan_limit: Infinity })
  for (let i = 0; i < 2048; i++) {
    fast.enqueue(girl(i + 1, { locales: names.filter((_, bit) => i & (1 << bit)) }), START)
  }
  fast.remove(1)
  for (let i = 1; i < 2048; i++) {
    const pair = fast.enqueue(
      guy(10_000 + i, { locales: names.filter((_, bit) => i & (1 << bit)) }),
      START,
    )
    ok(pair && shareLanguage(pair.guy, pair.girl))
  }
  deepEqual(fast.size(), { guys: 0, girls: 0 })
})

test('matches all the users who are left when half of 50,000 have left the queue', () => {
  const fast = createQueue()
  for (let i = 0; i < 50_000; i++)
    fast.enqueue(girl(2 * i + 2, { rank: i % 7, locales: [`l${i % 5}`] }), START)
  for (let i = 0; i < 50_000; i += 2) fast.remove(2 * i + 2)
  const met = new Set<number>()
  for (let i = 0; i < 25_000; i++) {
    const pair = fast.enqueue(guy(2 * i + 1, { locales: [] }), START)
    if (pair) met.add(pair.girl.user_id)
  }
  equal(met.size, 25_000)
  deepEqual(fast.size(), { guys: 0, girls: 0 })
})

test('a search steps over a girl in her quiet hours only once', () => {
  const fast = createQueue({ scan_limit: 1 })
  fast.enqueue(girl(2, { quiet: { from_ms: START + 1, until_ms: START + 9_000 } }), START)
  fast.enqueue(girl(4), START)
  const now = START + 1000
  equal(fast.enqueue(guy(1, { waiting_since_ms: now }), now), undefined)
  deepEqual(ids(fast.enqueue(guy(3, { waiting_since_ms: now }), now)), [3, 4])
})

test('a sweep that stopped at a user who then left continues with the next user', () => {
  const fast = createQueue({ sweep_limit: 1 })
  for (const id of [2, 4, 6]) fast.enqueue(girl(id, { locales: ['fr'] }), START)
  for (const id of [1, 3, 5]) fast.enqueue(guy(id, { locales: ['de'] }), START)
  deepEqual(fast.sweep(START + 3000).map(ids), [[1, 2]])
  fast.remove(4)
  deepEqual(fast.sweep(START + 3000).map(ids), [[3, 6]])
})

test('a companion is matched only in a sweep, after all real users, with a user who has waited four seconds', () => {
  const queue = createQueue()
  const companion = girl(1, { is_companion: true, rank: 0 })
  equal(queue.enqueue(guy(10), START), undefined)
  equal(queue.enqueue(companion, START), undefined)
  deepEqual(queue.size(), { guys: 1, girls: 0 })
  deepEqual(queue.sweep(START + 3999), [])
  equal(queue.findPartner(guy(11), START + 9000), undefined)
  // Both guys have waited long enough, and the real girl meets the first.
  queue.enqueue(guy(12, { premium: true, rank: 0 }), START)
  deepEqual(ids(queue.enqueue(girl(2), START + 3999)), [12, 2])
  deepEqual(queue.sweep(START + 4000).map(ids), [[10, 1]])
})

test('companions of both sides never meet, and a blocked pair stays apart', () => {
  const queue = createQueue()
  queue.enqueue(girl(1, { is_companion: true }), START)
  queue.enqueue(guy(10, { is_companion: true }), START)
  queue.enqueue(guy(11), START)
  queue.exclude(1, 11)
  deepEqual(queue.sweep(START + 60_000), [])
  deepEqual(queue.find(1)?.excluded, new Set([11]))
  ok(queue.remove(1))
  equal(queue.find(1), undefined)
})
