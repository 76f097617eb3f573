import { assert } from '../../../lib/assert.ts'
import { girlRanks, guyRank, guyRanks, isQuiet } from './pairing-rules.ts'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { PairingRules, Searcher } from './pairing-rules.ts'
import { NONE, QueueRows } from './queue-rows.ts'
import { PartnerSearch } from './partner-search.ts'

type Awaitable<T> = T | Promise<T>

export type MatchedPair = { guy: Searcher; girl: Searcher }

/** The port: a memory form here, a Redis form may follow. Callers always await. Nothing of it outlives the server. */
export type MatchQueue = {
  /** Somebody begins to wait, or meets at once. Arriving again replaces what was known and keeps the longer wait. */
  enqueue(searcher: Searcher, now_ms: number): Awaitable<MatchedPair | undefined>
  /** Takes somebody out; whether they were waiting. */
  remove(user_id: number): Awaitable<boolean>
  /** Pairs that time alone made possible: languages no longer insisted on, old partners allowed again, quiet hours over. */
  sweep(now_ms: number): Awaitable<MatchedPair[]>
  /** Whom this visitor could meet: nobody is reserved or learns of it. */
  findPartner(seeker: Searcher, now_ms: number): Awaitable<Searcher | undefined>
  /** From now on these two never meet (a block while one of them waits). */
  exclude(user_id: number, other_id: number): Awaitable<void>
  /** The searcher as known here, while waiting. */
  find(user_id: number): Awaitable<Searcher | undefined>
  size(): Awaitable<{ guys: number; girls: number }>
}

/** `rules` is read at each call, so a changed setting counts at once. */
export type MatchQueueOptions = {
  rules: () => PairingRules
  /** How many forbidden partners an arrival steps over; the sweep finds what lies behind. */
  scan_limit?: number
  /** Steps of one sweep, after which the next one goes on where this one stopped. */
  sweep_limit?: number
  waiting_limit?: number
}

const LOCALES = 30
const ANY_LOCALE = 2 ** LOCALES - 1

/** The waiting room of one process. Every method answers at once; see `WaitingRoom` for what each promises. */
export class MemoryMatchQueue implements MatchQueue {
  readonly #guys = new QueueRows(guyRanks)
  readonly #girls = new QueueRows(girlRanks)
  readonly #rows = new Map<number, number>()
  readonly #localeBits = new Map<string, number>()
  readonly #search = new PartnerSearch()
  readonly #rules: () => PairingRules
  readonly #scan_limit: number
  readonly #sweep_limit: number
  readonly #waiting_limit: number

  constructor({
    rules,
    scan_limit = 24,
    sweep_limit = 200_000,
    waiting_limit = 4_000_000,
  }: MatchQueueOptions) {
    this.#rules = rules
    this.#scan_limit = scan_limit
    this.#sweep_limit = sweep_limit
    this.#waiting_limit = waiting_limit
  }

  enqueue(searcher: Searcher, now_ms: number): MatchedPair | undefined {
    assert(
      searcher.rank >= 0 && searcher.rank < this.#own(searcher.side).ranks,
      'a rank that no queue has',
    )
    assert(
      searcher.side === 'girl' || searcher.rank === guyRank(searcher.premium),
      'his rank is his premium',
    )
    const known = this.find(searcher.user_id)
    if (known !== undefined) {
      this.remove(searcher.user_id)
      if (known.waiting_since_ms < searcher.waiting_since_ms) {
        searcher = { ...searcher, waiting_since_ms: known.waiting_since_ms }
      }
    }
    const mask = this.#maskOf(searcher.locales)
    this.#girls.wake(now_ms)
    const others = this.#other(searcher.side)
    const seek = { seeker: searcher, mask, now_ms, rules: this.#rules(), steps: this.#scan_limit }
    const found = this.#search.find(others, seek)
    if (found !== NONE) return pairOf(searcher, this.#take(others, found))
    assert(
      this.#rows.size < this.#waiting_limit,
      'more people wait than the waiting room has places',
    )
    const row = this.#own(searcher.side).add(searcher, mask, now_ms)
    this.#rows.set(searcher.user_id, searcher.side === 'girl' ? -row - 1 : row)
    return undefined
  }

  remove(user_id: number): boolean {
    const at = this.#rows.get(user_id)
    if (at === undefined) return false
    if (at < 0) this.#take(this.#girls, -at - 1)
    else this.#take(this.#guys, at)
    return true
  }

  sweep(now_ms: number): MatchedPair[] {
    const rules = this.#rules()
    this.#girls.wake(now_ms)
    const few = this.#girls.size <= this.#guys.size ? this.#girls : this.#guys
    const many = few === this.#girls ? this.#guys : this.#girls
    const pairs: MatchedPair[] = []
    let steps = this.#sweep_limit
    let row = few.next_swept === NONE ? few.line.head[0]! : few.next_swept
    while (row !== NONE && steps > 0) {
      const next = few.line.next[row]!
      const seeker = few.searchers[row]!
      const looked = this.#search.looked
      // A search once begun looks at everybody: only so does the sweep promise that nobody starves.
      const found = this.#search.find(many, {
        seeker,
        mask: few.maskOf[row]!,
        now_ms,
        rules,
        steps: Infinity,
      })
      steps -= 1 + this.#search.looked - looked
      if (isQuiet(seeker, now_ms)) few.putToRest(row)
      else if (found !== NONE) {
        this.#take(few, row)
        pairs.push(pairOf(seeker, this.#take(many, found)))
      }
      row = next
    }
    few.next_swept = row
    return pairs
  }

  findPartner(seeker: Searcher, now_ms: number): Searcher | undefined {
    this.#girls.wake(now_ms)
    const others = this.#other(seeker.side)
    const mask = this.#maskOf(seeker.locales)
    const found = this.#search.find(others, {
      seeker,
      mask,
      now_ms,
      rules: this.#rules(),
      steps: this.#scan_limit,
    })
    return found === NONE ? undefined : others.searchers[found]
  }

  exclude(user_id: number, other_id: number): void {
    for (const [own_id, id] of [
      [user_id, other_id],
      [other_id, user_id],
    ] as const) {
      const at = this.#rows.get(own_id)
      if (at === undefined) continue
      const rows = at < 0 ? this.#girls : this.#guys
      const row = at < 0 ? -at - 1 : at
      const known = rows.searchers[row]!
      rows.searchers[row] = { ...known, excluded: new Set([...known.excluded, id]) }
    }
  }

  find(user_id: number): Searcher | undefined {
    const at = this.#rows.get(user_id)
    if (at === undefined) return undefined
    return at < 0 ? this.#girls.searchers[-at - 1] : this.#guys.searchers[at]
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

  #take(rows: QueueRows, row: number): Searcher {
    const searcher = rows.remove(row)
    this.#rows.delete(searcher.user_id)
    return searcher
  }

  #maskOf(locales: readonly string[]): number {
    if (locales.length === 0) return ANY_LOCALE
    let mask = 0
    for (const locale of locales) {
      let bit = this.#localeBits.get(locale)
      if (bit === undefined) {
        bit = this.#localeBits.size
        assert(bit < LOCALES, 'more languages than the product has')
        this.#localeBits.set(locale, bit)
      }
      mask |= 1 << bit
    }
    return mask
  }
}

function pairOf(one: Searcher, other: Searcher): MatchedPair {
  return one.side === 'girl' ? { girl: one, guy: other } : { guy: one, girl: other }
}
