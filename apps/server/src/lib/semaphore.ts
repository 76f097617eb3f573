/** Limits how much work runs at once and how much may wait; the rest is rejected. */
export interface Semaphore {
  /**
   * Undefined if the queue is full: the work is not started. Owners take turns, so that many requests of
   * one owner delay every other owner by one request each. Work without an owner belongs to the server. A
   * group is what owners share: a network.
   */
  run<T>(work: () => Promise<T>, owner?: number, group?: string): Promise<T> | undefined
}

interface SemaphoreLimits {
  at_once: number
  waiting_max: number
  /** Of the work of one owner; free places are left to others. The server itself is not limited to it. */
  at_once_owner?: number
  /** Of the work of one owner. The server itself is not limited to it. */
  waiting_owner_max?: number
  /** Of the work of one group. */
  waiting_group_max?: number
}

export function createSemaphore({
  at_once,
  waiting_max,
  at_once_owner = at_once,
  waiting_owner_max = waiting_max,
  waiting_group_max = waiting_max,
}: SemaphoreLimits): Semaphore {
  const queues = createQueues()
  const groups = createCounts<string>()
  const runningOf = createCounts<number>()
  let running = 0

  const mayStart = (owner: number | undefined) =>
    running < at_once && runningOf.of(owner) < at_once_owner
  function count(owner: number | undefined, change: 1 | -1): void {
    running += change
    runningOf.add(owner, change)
  }

  /** Gives the free place to the next owner who may have it, so that nothing can overtake. */
  function startNext(): void {
    const next = queues.take(mayStart)
    if (!next) return
    count(next.owner, 1)
    next.begin()
  }

  async function run<T>(
    work: () => Promise<T>,
    owner: number | undefined,
    group: string | undefined,
  ): Promise<T> {
    if (mayStart(owner)) count(owner, 1)
    else {
      groups.add(group, 1)
      await queues.wait(owner)
      groups.add(group, -1)
    }
    try {
      return await work()
    } finally {
      count(owner, -1)
      startNext()
    }
  }

  function isFull(owner: number | undefined, group: string | undefined): boolean {
    if (mayStart(owner)) return false
    if (groups.of(group) >= waiting_group_max) return true
    const own = owner === undefined ? 0 : queues.lengthOf(owner)
    return queues.length() >= waiting_max || own >= waiting_owner_max
  }

  return {
    run: (work, owner, group) => (isFull(owner, group) ? undefined : run(work, owner, group)),
  }
}

/** The waiting work of each owner, in the order of their turns; no owner without work. */
function createQueues() {
  const queues = new Map<number | undefined, (() => void)[]>()
  let length = 0
  return {
    length: () => length,
    lengthOf: (owner: number | undefined) => queues.get(owner)?.length ?? 0,
    /** Resolves when this work is taken and begins. */
    wait(owner: number | undefined): Promise<void> {
      length += 1
      const { promise, resolve } = Promise.withResolvers<void>()
      const queue = queues.get(owner)
      if (queue) queue.push(resolve)
      else queues.set(owner, [resolve])
      return promise
    },
    /** Takes the first work of the first owner who may start; the owner's next turn is after the others. */
    take(
      mayStart: (owner: number | undefined) => boolean,
    ): { owner: number | undefined; begin: () => void } | undefined {
      for (const [owner, queue] of queues) {
        if (!mayStart(owner)) continue
        const begin = queue.shift()!
        queues.delete(owner)
        if (queue.length > 0) queues.set(owner, queue)
        length -= 1
        return { owner, begin }
      }
      return undefined
    },
  }
}

/** How much work each owner or group has. Work without an owner or group is not counted. */
function createCounts<Key>() {
  const counts = new Map<Key, number>()
  return {
    of: (key: Key | undefined) => (key === undefined ? 0 : (counts.get(key) ?? 0)),
    add(key: Key | undefined, change: 1 | -1): void {
      if (key === undefined) return
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
