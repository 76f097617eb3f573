import type { SearchAdvice } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import { assert } from '../../../lib/assert.ts'
import { GIRL_RANKS, guyRank, GUY_RANKS, isQuiet } from './pairing-rules.ts'
import type { PairingRules, Searcher } from './pairing-rules.ts'
import { NONE } from './age-lists.ts'
import { findAdvice } from './wait-advice.ts'
import { PartnerSearch } from './partner-search.ts'
import { QueueRows } from './queue-rows.ts'

type Awaitable<T> = T | Promise<T>

export interface MatchedPair {
  guy: Searcher
  girl: Searcher
}

/**
 * The users who wait for a partner. This form is in memory and ends with the server process. Callers always
 * await, because another form may be in Redis.
 */
export interface MatchQueue {
  /** Matches the user at once, or lets them wait. A second call for the same user replaces the data and keeps the longer wait. */
  enqueue(searcher: Searcher, nowMs: number): Awaitable<MatchedPair | undefined>
  /** Removes the user; returns whether they were waiting. */
  remove(user_id: number): Awaitable<boolean>
  /**
   * Matches that time alone made possible: any language is accepted now, former partners are allowed again, quiet hours
   * are over. A companion is matched here only, after all real users.
   */
  sweep(nowMs: number): Awaitable<MatchedPair[]>
  /**
   * A real partner for a visitor's preview, or for a user whose offer is with a companion. The partner stays in the queue
   * and is not notified. Without a budget only the first partners are examined, as for an arrival. With a budget all partners are examined, and
   * their number is taken from the budget.
   */
  findPartner(
    seeker: Searcher,
    nowMs: number,
    budget?: SearchBudget,
  ): Awaitable<Searcher | undefined>
  /** The two are not matched any more (a block while one of them waits). */
  exclude(user_id: number, otherId: number): Awaitable<void>
  /** The user as the queue has them, while they wait. */
  find(user_id: number): Awaitable<Searcher | undefined>
  /** The changes by which this user would wait less, from the users who wait now. Examines a bounded number of them. */
  advise(user_id: number, nowMs: number): Awaitable<SearchAdvice[]>
  size(): Awaitable<{ guys: number; girls: number }>
}

/** The rows that several searches may examine together. The last of them may exceed it, because it is not cut off. */
export interface SearchBudget {
  rows: number
}

/** `rules` is read at each call, so that a changed setting is used at once. */
export interface MatchQueueOptions {
  rules: () => PairingRules
  /** An arrival examines at most this many partners; the sweep examines those behind. */
  scan_limit?: number
  /** A sweep examines about this many rows; the next sweep continues where it stopped. */
  sweep_limit?: number
  waiting_limit?: number
}

/** The users that an advice looks at. On a larger site the figure is a lower bound. */
const ADVICE_ROWS_MAX = 500
/** Languages are bits of a 32-bit number. */
const LOCALES_MAX = 30
const ANY_LOCALE = 2 ** LOCALES_MAX - 1

/** The match queue in the memory of one process: every method returns at once. */
export class MemoryMatchQueue implements MatchQueue {
  readonly #guys = new QueueRows(GUY_RANKS)
  readonly #girls = new QueueRows(GIRL_RANKS)
  /** Outside of both sides, so that no search of a user and no preview finds a companion. The demo starts few of them. */
  readonly #companions = new Map<number, Searcher>()
  readonly #localeBits = new Map<string, number>()
  readonly #search = new PartnerSearch()
  readonly #rules: () => PairingRules
  readonly #scanLimit: number
  readonly #sweepLimit: number
  readonly #waitingLimit: number

  constructor({
    rules,
    scan_limit = 24,
    sweep_limit = 200_000,
    waiting_limit = 4_000_000,
  }: MatchQueueOptions) {
    this.#rules = rules
    this.#scanLimit = scan_limit
    this.#sweepLimit = sweep_limit
    this.#waitingLimit = waiting_limit
  }

  enqueue(searcher: Searcher, nowMs: number): MatchedPair | undefined {
    if (searcher.is_companion === true) {
      this.#companions.set(searcher.user_id, searcher)
      return undefined
    }
    const own = this.#own(searcher.side)
    assert(searcher.rank >= 0 && searcher.rank < own.ranks, 'the rank has no queue')
    assert(
      searcher.side === 'girl' || searcher.rank === guyRank(searcher.premium),
      'the rank of a guy is his premium',
    )
    const knownRow = own.getRow(searcher.user_id)
    if (knownRow !== NONE) {
      const known = own.remove(knownRow)
      if (known.waiting_since_ms < searcher.waiting_since_ms) {
        searcher = { ...searcher, waiting_since_ms: known.waiting_since_ms }
      }
    }
    const mask = this.#getMask(searcher.locales)
    this.#girls.wake(nowMs)
    const others = this.#other(searcher.side)
    const seek = {
      seeker: searcher,
      mask,
      now_ms: nowMs,
      rules: this.#rules(),
      steps: this.#scanLimit,
    }
    const found = this.#search.find(others, seek)
    if (found !== NONE) return getPair(searcher, others.remove(found))
    assert(
      this.#guys.size + this.#girls.size < this.#waitingLimit,
      'more users wait than the match queue may have',
    )
    own.add(searcher, mask, nowMs)
    return undefined
  }

  remove(user_id: number): boolean {
    if (this.#companions.delete(user_id)) return true
    const rows = this.#findSide(user_id)
    rows?.remove(rows.getRow(user_id))
    return rows !== undefined
  }

  sweep(nowMs: number): MatchedPair[] {
    const rules = this.#rules()
    this.#girls.wake(nowMs)
    const shorter = this.#girls.size <= this.#guys.size ? this.#girls : this.#guys
    const longer = shorter === this.#girls ? this.#guys : this.#girls
    const pairs: MatchedPair[] = []
    let steps = this.#sweepLimit
    let row = shorter.next_swept === NONE ? shorter.line.head[0]! : shorter.next_swept
    while (row !== NONE && steps > 0) {
      const next = shorter.line.next(row)
      const seeker = shorter.searchers[row]!
      const examined = this.#search.examined
      // A search examines all partners once it began: without that, a possible pair could wait without an end.
      const found = this.#search.find(longer, {
        seeker,
        mask: shorter.maskOf[row]!,
        now_ms: nowMs,
        rules,
        steps: Infinity,
      })
      steps -= 1 + this.#search.examined - examined
      if (isQuiet(seeker, nowMs)) shorter.putToRest(row)
      else if (found !== NONE) {
        shorter.remove(row)
        pairs.push(getPair(seeker, longer.remove(found)))
      }
      row = next
    }
    shorter.next_swept = row
    return [...pairs, ...this.#matchCompanions(nowMs)]
  }

  #matchCompanions(nowMs: number): MatchedPair[] {
    const pairs: MatchedPair[] = []
    for (const companion of this.#companions.values()) {
      const others = this.#other(companion.side)
      const found = this.#search.find(others, {
        seeker: companion,
        mask: this.#getMask(companion.locales),
        now_ms: nowMs,
        rules: this.#rules(),
        steps: Infinity,
      })
      if (found === NONE) continue
      this.#companions.delete(companion.user_id)
      pairs.push(getPair(companion, others.remove(found)))
    }
    return pairs
  }

  findPartner(seeker: Searcher, nowMs: number, budget?: SearchBudget): Searcher | undefined {
    this.#girls.wake(nowMs)
    const examined = this.#search.examined
    const others = this.#other(seeker.side)
    const mask = this.#getMask(seeker.locales)
    const found = this.#search.find(others, {
      seeker,
      mask,
      now_ms: nowMs,
      rules: this.#rules(),
      steps: budget ? Infinity : this.#scanLimit,
    })
    if (budget) budget.rows -= 1 + this.#search.examined - examined
    return found === NONE ? undefined : others.searchers[found]
  }

  exclude(user_id: number, otherId: number): void {
    for (const [own_id, id] of [
      [user_id, otherId],
      [otherId, user_id],
    ] as const) {
      const companion = this.#companions.get(own_id)
      if (companion)
        this.#companions.set(own_id, {
          ...companion,
          excluded: new Set([...companion.excluded, id]),
        })
      const rows = this.#findSide(own_id)
      if (rows === undefined) continue
      const row = rows.getRow(own_id)
      const known = rows.searchers[row]!
      rows.searchers[row] = { ...known, excluded: new Set([...known.excluded, id]) }
    }
  }

  find(user_id: number): Searcher | undefined {
    if (this.#companions.has(user_id)) return this.#companions.get(user_id)
    const rows = this.#findSide(user_id)
    return rows?.searchers[rows.getRow(user_id)]
  }

  advise(user_id: number, nowMs: number): SearchAdvice[] {
    const seeker = this.find(user_id)
    if (!seeker) return []
    const others = this.#other(seeker.side).oldest(ADVICE_ROWS_MAX)
    return findAdvice(seeker, others, nowMs, this.#rules())
  }

  size(): { guys: number; girls: number } {
    return { guys: this.#guys.size, girls: this.#girls.size }
  }

  #own(side: Role): QueueRows {
    return side === 'girl' ? this.#girls : this.#guys
  }

  #other(side: Role): QueueRows {
    return side === 'girl' ? this.#guys : this.#girls
  }

  /** The side on which the user waits. */
  #findSide(user_id: number): QueueRows | undefined {
    if (this.#girls.getRow(user_id) !== NONE) return this.#girls
    return this.#guys.getRow(user_id) === NONE ? undefined : this.#guys
  }

  #getMask(locales: readonly string[]): number {
    if (locales.length === 0) return ANY_LOCALE
    let mask = 0
    for (const locale of locales) {
      let bit = this.#localeBits.get(locale)
      if (bit === undefined) {
        bit = this.#localeBits.size
        assert(bit < LOCALES_MAX, 'more languages than the product has')
        this.#localeBits.set(locale, bit)
      }
      mask |= 1 << bit
    }
    return mask
  }
}

function getPair(one: Searcher, other: Searcher): MatchedPair {
  return one.side === 'girl' ? { girl: one, guy: other } : { guy: one, girl: other }
}
