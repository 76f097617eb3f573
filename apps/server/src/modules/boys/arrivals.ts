import type { UserId } from '../../core/ids.ts'

/** Users in the order in which they arrived. Reading a page costs the same wherever the page is. */
export interface Arrivals {
  readonly size: number
  has(id: UserId): boolean
  /** A user who is in the list stays where the user is. */
  add(id: UserId): void
  remove(id: UserId): void
  slice(from: number, to: number): readonly UserId[]
}

interface Arrival {
  readonly id: UserId
  /** Rises with each arrival. */
  readonly number: number
}

export function createArrivals(): Arrivals {
  const list: Arrival[] = []
  const numbers = new Map<UserId, number>()
  let last = 0
  /** The index of the arrival with this number: the numbers rise, so half of the rest is left out each time. */
  const findIndex = (number: number) => {
    let [low, high] = [0, list.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (list[middle]!.number < number) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    get size() {
      return list.length
    },
    has: (id) => numbers.has(id),
    add(id) {
      if (numbers.has(id)) return
      last += 1
      numbers.set(id, last)
      list.push({ id, number: last })
    },
    remove(id) {
      const number = numbers.get(id)
      if (number === undefined) return
      numbers.delete(id)
      list.splice(findIndex(number), 1)
    },
    slice: (from, to) => list.slice(from, to).map(({ id }) => id),
  }
}
