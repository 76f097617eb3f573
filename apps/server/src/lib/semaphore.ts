/** Limits how much work runs at once and how much may wait; the rest is rejected. */
export interface Semaphore {
  /**
   * Undefined when the queue is full; the work is not started then. Owners take turns, so that many requests of one of them
   * delay the others by one request each. Work without an owner belongs to the server. A group is what owners share: a network.
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
  /** The waiting work of each owner, in the order of their turns; no owner without work. */
  const queues = new Map<number | undefined, (() => void)[]>()
  const groups = createGroupCounts()
  const runningOf = new Map<number | undefined, number>()
  let waiting = 0
  let running = 0

  function mayStart(owner: number | undefined): boolean {
    const own = owner === undefined ? 0 : (runningOf.get(owner) ?? 0)
    return running < at_once && own < at_once_owner
  }

  function count(owner: number | undefined, change: 1 | -1): void {
    running += change
    const own = (runningOf.get(owner) ?? 0) + change
    if (own > 0) runningOf.set(owner, own)
    else runningOf.delete(owner)
  }

  function wait(owner: number | undefined): Promise<void> {
    waiting += 1
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = queues.get(owner)
    if (queue) queue.push(resolve)
    else queues.set(owner, [resolve])
    return promise
  }

  /** Gives the free place to the next owner who may have it, so that nothing can overtake. */
  function startNext(): void {
    for (const [owner, queue] of queues) {
      if (!mayStart(owner)) continue
      const begin = queue.shift()!
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      waiting -= 1
      count(owner, 1)
      return begin()
    }
  }

  async function run<T>(
    work: () => Promise<T>,
    owner: number | undefined,
    group: string | undefined,
  ): Promise<T> {
    if (mayStart(owner)) count(owner, 1)
    else {
      groups.add(group, 1)
      await wait(owner)
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
    const own = owner === undefined ? 0 : (queues.get(owner)?.length ?? 0)
    return waiting >= waiting_max || own >= waiting_owner_max
  }

  return {
    run: (work, owner, group) => (isFull(owner, group) ? undefined : run(work, owner, group)),
  }
}

/** How much work of each group waits; work without a group is not counted. */
function createGroupCounts() {
  const counts = new Map<string, number>()
  return {
    of: (group: string | undefined) => (group === undefined ? 0 : (counts.get(group) ?? 0)),
    add(group: string | undefined, change: 1 | -1): void {
      if (group === undefined) return
      const count = (counts.get(group) ?? 0) + change
      if (count > 0) counts.set(group, count)
      else counts.delete(group)
    },
  }
}
