import { assert } from '../../../lib/assert.ts'
import { isQuiet } from './pairing-rules.ts'
import type { Searcher } from './pairing-rules.ts'
import { AgeLists, WishClasses, grown } from './age-lists.ts'

export const NONE = -1
export const CLASSES = 32
const RESTING = -1
const FIRST_ROWS = 1024

/** Everybody of one side who waits: rows in typed arrays, each in one queue (rank, wish) and in the line of all. */
export class QueueRows {
  readonly queues: AgeLists
  readonly line: AgeLists
  readonly filled: Int32Array
  readonly wishes = new WishClasses()
  readonly searchers: (Searcher | undefined)[] = []
  readonly ranks: number
  since = new Float64Array(FIRST_ROWS)
  arrival = new Float64Array(FIRST_ROWS)
  queueOf = new Int32Array(FIRST_ROWS)
  maskOf = new Int32Array(FIRST_ROWS)
  readonly #resting = new Set<number>()
  #wakes_ms = Infinity
  #freed: number[] = []
  #arrivals = 0
  /** Where the sweep goes on; moved when that row leaves. */
  next_swept = NONE
  size = 0

  constructor(ranks: number) {
    this.ranks = ranks
    this.queues = new AgeLists(ranks * CLASSES, FIRST_ROWS)
    this.line = new AgeLists(1, FIRST_ROWS)
    this.filled = new Int32Array(ranks)
  }

  add(searcher: Searcher, mask: number, now_ms: number): number {
    const row = this.#freed.pop() ?? this.searchers.length
    if (row >= this.since.length) this.#grow()
    this.searchers[row] = searcher
    this.since[row] = searcher.waiting_since_ms
    this.arrival[row] = this.#arrivals++
    this.maskOf[row] = mask
    this.size++
    if (isQuiet(searcher, now_ms)) this.#rest(row)
    else this.#enqueue(row)
    return row
  }

  remove(row: number): Searcher {
    const searcher = this.searchers[row]
    assert(searcher, 'nobody waits in this row')
    if (this.queueOf[row] === RESTING) this.#resting.delete(row)
    else this.#dequeue(row)
    this.searchers[row] = undefined
    this.#freed.push(row)
    this.size--
    return searcher
  }

  /** Quiet hours began: out of the queues, so that nobody steps over her, until `wake`. */
  putToRest(row: number): void {
    this.#dequeue(row)
    this.#rest(row)
  }

  /** Puts back whose quiet hours are over; costs nothing before the first of them ends. */
  wake(now_ms: number): void {
    if (now_ms < this.#wakes_ms) return
    const resting = [...this.#resting]
    this.#resting.clear()
    this.#wakes_ms = Infinity
    for (const row of resting) {
      if (isQuiet(this.searchers[row]!, now_ms)) this.#rest(row)
      else this.#enqueue(row)
    }
  }

  #rest(row: number): void {
    this.queueOf[row] = RESTING
    this.#resting.add(row)
    this.#wakes_ms = Math.min(this.#wakes_ms, this.searchers[row]!.quiet?.until_ms ?? Infinity)
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
    if (this.next_swept === row) this.next_swept = this.line.next[row]!
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
