import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { NAIVE_RULES as rules } from '@duet/testkit/calls/naive-match-queue.ts'
import { recordMatch, replayMatch } from './match-record.ts'
import { EMPTY_IDS, NO_RECENT, type Searcher } from './pairing-rules.ts'

const NOW = 1_000_000
const plain = { premium: false, excluded: EMPTY_IDS, recent: NO_RECENT, waiting_since_ms: NOW }
const guy: Searcher = { ...plain, user_id: 71, side: 'guy', rank: 1, locales: ['de'] }
const girl: Searcher = { ...plain, user_id: 72, side: 'girl', rank: 4, locales: ['en'] }

test('tells the waits, the ranks that decided and whether the two share a language', () => {
  const waiting = { ...girl, waiting_since_ms: NOW - 2 * rules.rank_lift_ms }
  const {
    allowed,
    language,
    girl: hers,
  } = replayMatch(recordMatch({ guy, girl: waiting }, NOW, rules))
  deepEqual([allowed, language], [true, 'waited'])
  deepEqual(hers, { waited_seconds: (2 * rules.rank_lift_ms) / 1000, rank: 4, lifted_rank: 2 })
})

test('a record holds no id of a user', () => {
  const met = { ...guy, recent: new Map([[72, NOW - 1]]), last_partner: 72 }
  const text = JSON.stringify(recordMatch({ guy: met, girl }, NOW, rules))
  deepEqual(/\b7[12]\b/.test(text), false)
})

test('a match that the rules of today forbid is not allowed again', () => {
  const record = recordMatch({ guy, girl }, NOW, rules)
  equal(replayMatch({ ...record, girl: { ...record.girl, only_premium: true } }).allowed, false)
  const met = { ...record.guy, recent_until_ms: NOW + 1000 }
  equal(replayMatch({ ...record, guy: met }).allowed, false)
})
