import { assert } from '../../../lib/assert.ts'

/** No row. */
export const NONE = -1

/**
 * Doubly linked lists of row numbers in typed arrays, each ordered by the start of the wait, equal ones by arrival:
 *
 *     head[list]                               tail[list]
 *         7       <->          2       <->         9
 *     since 10:00:01       since 10:00:04      since 10:00:09
 *
 * A row is in at most one list of an instance. Linking walks from both ends at the same time: a new user belongs near the
 * tail, and a user who is enqueued again was near the head, so both need few steps.
 */
export class AgeLists {
  readonly head: Int32Array
  readonly tail: Int32Array
  /** Start of the head's wait, a copy beside `head`, so that comparing lists reads no row. */
  readonly headSince: Float64Array
  /** The next and the previous row of each row, side by side: a million rows are not in the processor's cache. */
  #links: Int32Array

  constructor(lists: number, capacity: number) {
    this.head = new Int32Array(lists).fill(NONE)
    this.tail = new Int32Array(lists).fill(NONE)
    this.headSince = new Float64Array(lists).fill(Infinity)
    this.#links = new Int32Array(2 * capacity).fill(NONE)
  }

  grow(capacity: number): void {
    this.#links = grown(this.#links, new Int32Array(2 * capacity).fill(NONE))
  }

  /** The row behind this row in its list, or NONE. */
  next(row: number): number {
    return this.#links[2 * row]!
  }

  /** Inserts a row behind all rows of the list whose wait began earlier or at the same time. */
  link(list: number, row: number, since: Float64Array, arrival: Float64Array): void {
    const after = this.#placeBehind(list, row, since, arrival)
    const before = after === NONE ? this.head[list]! : this.next(after)
    this.#links[2 * row] = before
    this.#links[2 * row + 1] = after
    if (after === NONE) {
      this.head[list] = row
      this.headSince[list] = since[row]!
    } else this.#links[2 * after] = row
    if (before === NONE) this.tail[list] = row
    else this.#links[2 * before + 1] = row
  }

  unlink(list: number, row: number, since: Float64Array): void {
    const before = this.#links[2 * row]!
    const after = this.#links[2 * row + 1]!
    if (after === NONE) {
      this.head[list] = before
      this.headSince[list] = before === NONE ? Infinity : since[before]!
    } else this.#links[2 * after] = before
    if (before === NONE) this.tail[list] = after
    else this.#links[2 * before + 1] = after
    this.#links[2 * row] = NONE
    this.#links[2 * row + 1] = NONE
  }

  #placeBehind(list: number, row: number, since: Float64Array, arrival: Float64Array): number {
    const began = since[row]!
    const arrived = arrival[row]!
    const isBefore = (other: number) =>
      since[other]! < began || (since[other]! === began && arrival[other]! < arrived)
    let last = this.tail[list]!
    let first = this.head[list]!
    while (last !== NONE) {
      if (isBefore(last)) return last
      if (!isBefore(first)) return this.#links[2 * first + 1]!
      last = this.#links[2 * last + 1]!
      first = this.next(first)
    }
    return NONE
  }
}

/** Copies `from` to the start of the larger array `to` and returns `to`. */
export function grown<A extends Int32Array | Float64Array>(from: A, to: A): A {
  to.set(from)
  return to
}

/** A 32-bit number is a set of wish classes. */
export const CLASSES = 32
/** The class of the users whose wish has no class of its own: the search compares the languages of each of them. */
export const MIXED = CLASSES - 1

/**
 * The wishes in use on one side (the languages, and "premium only"). Each different wish has a class 0 to 30 while a
 * waiting user has it, and class 31 (MIXED) takes all wishes that come when the other classes are in use:
 *
 *     class   wish                     bit in a set of classes
 *       0     en                       0000 … 0001
 *       1     de, fr                   0000 … 0010
 *       2     de, premium only         0000 … 0100
 *      ...
 *      31     MIXED, any wish          1000 … 0000
 *
 * So one 32-bit number names all the queues in which a seeker may find a partner: for a guy who speaks German,
 * `sharing` returns 0000 … 0110, the classes 1 and 2. A class becomes free with its last member, so a client that invents
 * combinations of languages only fills MIXED.
 */
export class WishClasses {
  readonly #ids = new Map<number, number>()
  readonly #keys = new Float64Array(CLASSES)
  readonly #masks = new Int32Array(CLASSES)
  readonly #members = new Int32Array(CLASSES)
  #premiumOnly = 0
  /** All classes from this class on were never used. */
  #firstUnused = 0

  /** Counts a member of the class of this wish and returns the class. `mask`: the languages as bits. */
  join(mask: number, onlyPremium: boolean): number {
    const key = mask + (onlyPremium ? 2 ** 32 : 0)
    let id = this.#ids.get(key)
    if (id === undefined) {
      id = this.#members.indexOf(0)
      if (id === NONE || id === MIXED) return MIXED
      this.#ids.set(key, id)
      this.#keys[id] = key
      this.#masks[id] = mask
      this.#premiumOnly = onlyPremium
        ? this.#premiumOnly | (1 << id)
        : this.#premiumOnly & ~(1 << id)
      this.#firstUnused = Math.max(this.#firstUnused, id + 1)
    }
    this.#members[id] = this.#members[id]! + 1
    return id
  }

  leave(id: number): void {
    if (id === MIXED) return
    const left = this.#members[id]! - 1
    assert(left >= 0, 'a wish class has fewer members than users who leave it')
    this.#members[id] = left
    if (left === 0) this.#ids.delete(this.#keys[id]!)
  }

  /** The classes that share a language with `mask`, as bits; never MIXED. */
  sharing(mask: number): number {
    let bits = 0
    for (let id = 0; id < this.#firstUnused; id++)
      if ((this.#masks[id]! & mask) !== 0) bits |= 1 << id
    return bits
  }

  /** The classes of girls who meet premium guys only, as bits. */
  get premiumOnly(): number {
    return this.#premiumOnly
  }
}
