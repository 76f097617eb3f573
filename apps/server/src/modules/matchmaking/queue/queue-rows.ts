import { assert } from '../../../lib/assert.ts'
import { isQuiet } from './pairing-rules.ts'
import type { Searcher } from './pairing-rules.ts'
import { AgeLists, CLASSES, grown, NONE, WishClasses } from './age-lists.ts'

/** In `queueOf`: the row is in no queue, because the girl is in her quiet hours. */
const RESTING = -1
const FIRST_ROWS = 1024

/**
 * The waiting users of one side. A user has a row, a small number that indexes the typed arrays, so that ids above 2^31
 * cost nothing. A row is in two lists: in the queue of its rank and wish class, and
 * in `line`, which has all rows of the side. `filled` has, for each rank, the queues that are not empty as bits:
 *
 *                 class 0   class 1   ...   class 31 (MIXED)
 *     rank 0       [3, 8]      []              [5]              filled[0] = 1000 … 0001
 *     rank 1         []       [1, 2]           []               filled[1] = 0000 … 0010
 */
export class QueueRows {
  readonly queues: AgeLists
  readonly line: AgeLists
  readonly filled: Int32Array
  readonly wishes = new WishClasses()
  readonly searchers: (Searcher | undefined)[] = []
  readonly #getRow = new Map<number, number>()
  readonly ranks: number
  since = new Float64Array(FIRST_ROWS)
  arrival = new Float64Array(FIRST_ROWS)
  queueOf = new Int32Array(FIRST_ROWS)
  maskOf = new Int32Array(FIRST_ROWS)
  readonly #resting = new Set<number>()
  #wakesMs = Infinity
  #freeRows: number[] = []
  #arrivals = 0
  /** The row with which the next sweep continues; moved when that row leaves. */
  next_swept = NONE
  size = 0

  constructor(ranks: number) {
    this.ranks = ranks
    this.queues = new AgeLists(ranks * CLASSES, FIRST_ROWS)
    this.line = new AgeLists(1, FIRST_ROWS)
    this.filled = new Int32Array(ranks)
  }

  /** The row of a waiting user, or NONE. */
  getRow(user_id: number): number {
    return this.#getRow.get(user_id) ?? NONE
  }

  add(searcher: Searcher, mask: number, nowMs: number): void {
    const row = this.#freeRows.pop() ?? this.searchers.length
    if (row >= this.since.length) this.#grow()
    this.searchers[row] = searcher
    this.#getRow.set(searcher.user_id, row)
    this.since[row] = searcher.waiting_since_ms
    this.arrival[row] = this.#arrivals++
    this.maskOf[row] = mask
    this.size++
    if (isQuiet(searcher, nowMs)) this.#rest(row)
    else this.#enqueue(row)
  }

  remove(row: number): Searcher {
    const searcher = this.searchers[row]
    assert(searcher, 'no user waits in this row')
    if (this.queueOf[row] === RESTING) this.#resting.delete(row)
    else this.#dequeue(row)
    this.searchers[row] = undefined
    this.#getRow.delete(searcher.user_id)
    this.#freeRows.push(row)
    this.size--
    return searcher
  }

  /** The users who have waited longest, at most `limit` of them, without those in their quiet hours. */
  oldest(limit: number): Searcher[] {
    const found: Searcher[] = []
    for (
      let row = this.line.head[0]!;
      row !== NONE && found.length < limit;
      row = this.line.next(row)
    )
      found.push(this.searchers[row]!)
    return found
  }

  /** Quiet hours began: takes the girl out of the queues until `wake`, so that no search steps over her. */
  putToRest(row: number): void {
    this.#dequeue(row)
    this.#rest(row)
  }

  /** Enqueues the girls whose quiet hours are over; costs nothing before the first of them ends. */
  wake(nowMs: number): void {
    if (nowMs < this.#wakesMs) return
    const resting = [...this.#resting]
    this.#resting.clear()
    this.#wakesMs = Infinity
    for (const row of resting) {
      if (isQuiet(this.searchers[row]!, nowMs)) this.#rest(row)
      else this.#enqueue(row)
    }
  }

  #rest(row: number): void {
    this.queueOf[row] = RESTING
    this.#resting.add(row)
    this.#wakesMs = Math.min(this.#wakesMs, this.searchers[row]!.quiet?.until_ms ?? Infinity)
  }

  #enqueue(row: number): void {
    const searcher = this.searchers[row]!
    const wish = this.wishes.join(this.maskOf[row]!, searcher.only_premium === true)
    const queue = searcher.rank * CLASSES + wish
    this.queueOf[row] = queue
    this.queues.link(queue, row, this.since, this.arrival)
    this.line.link(0, row, this.since, this.arrival)
    this.filled[searcher.rank] = this.filled[searcher.rank]! | (1 << wish)
  }

  #dequeue(row: number): void {
    const queue = this.queueOf[row]!
    if (this.next_swept === row) this.next_swept = this.line.next(row)
    this.queues.unlink(queue, row, this.since)
    this.line.unlink(0, row, this.since)
    this.wishes.leave(queue % CLASSES)
    if (this.queues.head[queue] !== NONE) return
    const rank = Math.floor(queue / CLASSES)
    this.filled[rank] = this.filled[rank]! & ~(1 << (queue % CLASSES))
  }

  #grow(): void {
    const capacity = this.since.length * 2
    this.since = grown(this.since, new Float64Array(capacity))
    this.arrival = grown(this.arrival, new Float64Array(capacity))
    this.queueOf = grown(this.queueOf, new Int32Array(capacity))
    this.maskOf = grown(this.maskOf, new Int32Array(capacity))
    this.queues.grow(capacity)
    this.line.grow(capacity)
  }
}
