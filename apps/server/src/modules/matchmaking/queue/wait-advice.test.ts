import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { NAIVE_RULES as rules } from '@duet/testkit/calls/naive-match-queue.ts'
import { EMPTY_IDS, NO_RECENT, type Searcher } from './pairing-rules.ts'
import { findAdvice } from './wait-advice.ts'

const NOW = 1_000_000

function searcher(side: 'guy' | 'girl', user_id: number, over: Partial<Searcher> = {}): Searcher {
  const plain = { locales: [], premium: false, excluded: EMPTY_IDS, recent: NO_RECENT }
  return { ...plain, user_id, side, rank: 1, waiting_since_ms: NOW, ...over }
}

const guys = [
  searcher('guy', 1, { country: 'DE' }),
  searcher('guy', 2, { country: 'FR' }),
  searcher('guy', 3, { country: 'FR', premium: true, rank: 0 }),
]

test('counts for each limit of a girl the guys that only this limit keeps away', () => {
  const her = { only_premium: true, hides_countries: new Set(['DE']) }
  deepEqual(findAdvice(searcher('girl', 9, her), guys, NOW, rules), [
    { kind: 'premium_only', count: 1 },
  ])
  deepEqual(
    findAdvice(searcher('girl', 9, { hides_countries: new Set(['FR']) }), guys, NOW, rules),
    [{ kind: 'countries', count: 2 }],
  )
  const quiet = { from_ms: NOW - 1, until_ms: NOW + 1 }
  deepEqual(findAdvice(searcher('girl', 9, { quiet }), guys, NOW, rules), [
    { kind: 'quiet_hours', count: 3 },
  ])
})

test('names Premium to a guy only if a girl who waits takes premium guys only', () => {
  const girls = [searcher('girl', 8, { only_premium: true }), searcher('girl', 7)]
  deepEqual(findAdvice(searcher('guy', 1), girls, NOW, rules), [{ kind: 'premium', count: 1 }])
  deepEqual(findAdvice(searcher('guy', 1), [searcher('girl', 7)], NOW, rules), [])
})

test('a block is no limit that a user is advised to change', () => {
  const blocked = searcher('girl', 9, { only_premium: true, excluded: new Set([1, 2]) })
  deepEqual(findAdvice(blocked, guys, NOW, rules), [])
})
