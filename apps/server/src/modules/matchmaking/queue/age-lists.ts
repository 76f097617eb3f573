import { assert } from '../../../lib/assert.ts'

const NONE = -1

/**
 * Intrusive lists over typed arrays, each ordered by the start of the wait, equal ones by arrival. Linking walks from
 * both ends at once: somebody new belongs to the tail, somebody put back was taken near the head, so either is a few steps.
 */
export class AgeLists {
  readonly head: Int32Array
  readonly tail: Int32Array
  /** Start of the head's wait, beside the heads so that comparing queues touches no row. */
  readonly headSince: Float64Array
  next: Int32Array
  prev: Int32Array

  constructor(lists: number, capacity: number) {
    this.head = new Int32Array(lists).fill(NONE)
    this.tail = new Int32Array(lists).fill(NONE)
    this.headSince = new Float64Array(lists).fill(Infinity)
    this.next = new Int32Array(capacity).fill(NONE)
    this.prev = new Int32Array(capacity).fill(NONE)
  }

  grow(capacity: number): void {
    this.next = grown(this.next, new Int32Array(capacity).fill(NONE))
    this.prev = grown(this.prev, new Int32Array(capacity).fill(NONE))
  }

  /** Puts a row into a list behind everybody whose wait began before or with its own. */
  link(list: number, row: number, since: Float64Array, arrival: Float64Array): void {
    const after = this.#placeBehind(list, row, since, arrival)
    const before = after === NONE ? this.head[list]! : this.next[after]!
    this.prev[row] = after
    this.next[row] = before
    if (after === NONE) {
      this.head[list] = row
      this.headSince[list] = since[row]!
    } else this.next[after] = row
    if (before === NONE) this.tail[list] = row
    else this.prev[before] = row
  }

  unlink(list: number, row: number, since: Float64Array): void {
    const after = this.prev[row]!
    const before = this.next[row]!
    if (after === NONE) {
      this.head[list] = before
      this.headSince[list] = before === NONE ? Infinity : since[before]!
    } else this.next[after] = before
    if (before === NONE) this.tail[list] = after
    else this.prev[before] = after
    this.next[row] = NONE
    this.prev[row] = NONE
  }

  #placeBehind(list: number, row: number, since: Float64Array, arrival: Float64Array): number {
    const began = since[row]!
    const came = arrival[row]!
    const isBefore = (other: number) =>
      since[other]! < began || (since[other]! === began && arrival[other]! < came)
    let last = this.tail[list]!
    let first = this.head[list]!
    while (last !== NONE) {
      if (isBefore(last)) return last
      if (!isBefore(first)) return this.prev[first]!
      last = this.prev[last]!
      first = this.next[first]!
    }
    return NONE
  }
}

/** The larger array with the smaller one's contents at its start. */
export function grown<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from)
  return to
}

const CLASSES = 32
/** Where those go whose wish found no class of its own; their languages are looked at one by one. */
export const MIXED = CLASSES - 1

/**
 * Wishes in use on one side (languages, premium only), each a bit, so that one mask names all queues a seeker may draw
 * from. A class is freed with its last member: inventing combinations only ever fills the mixed class.
 */
export class WishClasses {
  readonly #ids = new Map<number, number>()
  readonly #keys = new Float64Array(CLASSES)
  readonly #masks = new Int32Array(CLASSES)
  readonly #members = new Int32Array(CLASSES)
  #premiumOnly = 0
  #highest = 0

  join(mask: number, only_premium: boolean): number {
    const key = mask + (only_premium ? 2 ** 32 : 0)
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = this.#members.indexOf(0)
      if (id === NONE || id === MIXED) return MIXED
      this.#ids.set(key, id)
      this.#keys[id] = key
      this.#masks[id] = mask
      this.#premiumOnly = only_premium
        ? this.#premiumOnly | (1 << id)
        : this.#premiumOnly & ~(1 << id)
      this.#highest = Math.max(this.#highest, id + 1)
    }
    this.#members[id] = this.#members[id]! + 1
    return id
  }

  leave(id: number): void {
    if (id === MIXED) return
    const left = this.#members[id]! - 1
    assert(left >= 0, 'a wish left more often than joined')
    this.#members[id] = left
    if (left === 0) this.#ids.delete(this.#keys[id]!)
  }

  /** Classes that share a language with this wish; never the mixed one. */
  sharing(mask: number): number {
    let bits = 0
    for (let id = 0; id < this.#highest; id++) if ((this.#masks[id]! & mask) !== 0) bits |= 1 << id
    return bits
  }

  /** Classes of girls who meet premium guys only. */
  get premiumOnly(): number {
    return this.#premiumOnly
  }
}
