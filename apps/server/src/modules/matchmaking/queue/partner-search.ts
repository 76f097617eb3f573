import { GIRL_RANKS, isQuiet, mayMeet } from './pairing-rules.ts'
import type { PairingRules, Searcher } from './pairing-rules.ts'
import { CLASSES, MIXED, NONE } from './age-lists.ts'
import type { QueueRows } from './queue-rows.ts'

export interface Seek {
  seeker: Searcher
  /** The seeker's languages as bits. */
  mask: number
  now_ms: number
  rules: PairingRules
  /** Each of the two passes (with and without a shared language) examines at most this many rows. */
  steps: number
}

/**
 * The languages of the partners in a pass. `any`: any language. `shared`: a shared language. `waited`: no
 * shared language, but the partner has waited so long that no shared language is required.
 */
type LanguagePass = 'any' | 'shared' | 'waited'

/**
 * Finds the best partner: collects the heads of the queues that may contain a partner, and takes the best
 * allowed head. Each search reuses the arrays, so that a search allocates nothing.
 */
export class PartnerSearch {
  readonly #queue = new Int32Array(GIRL_RANKS * CLASSES)
  readonly #row = new Int32Array(GIRL_RANKS * CLASSES)
  readonly #since = new Float64Array(GIRL_RANKS * CLASSES)
  readonly #lifted = new Int32Array(GIRL_RANKS * CLASSES)
  #length = 0
  /** How many rows this object has examined since it was made. */
  examined = 0

  /** The row of the best partner among `rows`, or NONE. */
  find(rows: QueueRows, seek: Seek): number {
    const { seeker, now_ms, rules } = seek
    if (rows.size === 0 || isQuiet(seeker, now_ms)) return NONE
    let wishes = ~0
    if (seeker.side === 'guy' && !seeker.premium)
      wishes = ~(rows.wishes.premiumOnly & ~(1 << MIXED))
    if (now_ms - seeker.waiting_since_ms >= rules.language_first_ms)
      return this.#findIn(rows, seek, wishes, 'any')
    const sharing = rows.wishes.sharing(seek.mask)
    const found = this.#findIn(rows, seek, wishes & (sharing | (1 << MIXED)), 'shared')
    return found === NONE ? this.#findIn(rows, seek, wishes & ~sharing, 'waited') : found
  }

  #findIn(rows: QueueRows, seek: Seek, wishes: number, languages: LanguagePass): number {
    const { seeker, mask, now_ms, rules } = seek
    let steps = seek.steps
    for (
      let at = this.#collectHeads(rows, wishes, seek);
      this.#length > 0 && steps > 0;
      at = this.#best(rows)
    ) {
      const row = this.#row[at]!
      if (languages === 'waited' && now_ms - this.#since[at]! < rules.language_first_ms) {
        this.#drop(at)
        continue
      }
      steps--
      this.examined++
      const isLanguageRight =
        languages === 'any' || ((rows.maskOf[row]! & mask) !== 0) === (languages === 'shared')
      const person = rows.searchers[row]!
      if (isLanguageRight && mayMeet(seeker, person, now_ms, rules)) return row
      this.#advance(rows, at, seek)
      if (isQuiet(person, now_ms)) rows.putToRest(row)
    }
    return NONE
  }

  /** Returns the place of the best head, which is usually the partner: then no second comparison is needed. */
  #collectHeads(rows: QueueRows, wishes: number, { seeker, now_ms, rules }: Seek): number {
    this.#length = 0
    let best = 0
    const ranks = seeker.side === 'girl' && seeker.only_premium === true ? 1 : rows.ranks
    for (let rank = 0; rank < ranks; rank++) {
      // `bits & -bits` is the lowest bit that is set, `bits & (bits - 1)` removes it.
      for (let bits = rows.filled[rank]! & wishes; bits !== 0; bits &= bits - 1) {
        const queue = rank * CLASSES + 31 - Math.clz32(bits & -bits)
        const at = this.#length++
        this.#queue[at] = queue
        this.#row[at] = rows.queues.head[queue]!
        const since = rows.queues.headSince[queue]!
        this.#since[at] = since
        this.#lifted[at] = lifted(rank, now_ms - since, rules)
        if (this.#isBetter(rows, at, best)) best = at
      }
    }
    return best
  }

  #best(rows: QueueRows): number {
    let best = 0
    for (let at = 1; at < this.#length; at++) if (this.#isBetter(rows, at, best)) best = at
    return best
  }

  /** Best lifted rank, then longest wait, then first arrival. No row of a queue is better than its head. */
  #isBetter(rows: QueueRows, one: number, other: number): boolean {
    const lift = this.#lifted[one]! - this.#lifted[other]!
    if (lift !== 0) return lift < 0
    const wait = this.#since[one]! - this.#since[other]!
    if (wait !== 0) return wait < 0
    return rows.arrival[this.#row[one]!]! < rows.arrival[this.#row[other]!]!
  }

  #advance(rows: QueueRows, at: number, { now_ms, rules }: Seek): void {
    const next = rows.queues.next(this.#row[at]!)
    if (next === NONE) return this.#drop(at)
    this.#row[at] = next
    const since = rows.since[next]!
    this.#since[at] = since
    this.#lifted[at] = lifted(Math.floor(this.#queue[at]! / CLASSES), now_ms - since, rules)
  }

  #drop(at: number): void {
    const last = --this.#length
    this.#queue[at] = this.#queue[last]!
    this.#row[at] = this.#row[last]!
    this.#since[at] = this.#since[last]!
    this.#lifted[at] = this.#lifted[last]!
  }
}

// The same as `liftedRank` without its calls in the usual case: this runs for each queue of each match.
function lifted(rank: number, waitedMs: number, rules: PairingRules): number {
  if (waitedMs < rules.rank_lift_ms) return rank
  return Math.max(0, rank - Math.floor(waitedMs / rules.rank_lift_ms))
}
