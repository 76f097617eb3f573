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
  /** Of the work of one owner. The server itself is not limited to it. */
  waiting_owner_max?: number
  /** Of the work of one group. */
  waiting_group_max?: number
}

export function createSemaphore({
  at_once,
  waiting_max,
  waiting_owner_max = waiting_max,
  waiting_group_max = waiting_max,
}: SemaphoreLimits): Semaphore {
  /** The waiting work of each owner, in the order of their turns; no owner without work. */
  const queues = new Map<number | undefined, (() => void)[]>()
  const groups = createGroupCounts()
  let waiting = 0
  let running = 0

  function wait(owner: number | undefined): Promise<void> {
    waiting += 1
    const { promise, resolve } = Promise.withResolvers<void>()
    const queue = queues.get(owner)
    if (queue) queue.push(resolve)
    else queues.set(owner, [resolve])
    return promise
  }

  function next(): (() => void) | undefined {
    for (const [owner, queue] of queues) {
      const first = queue.shift()
      queues.delete(owner)
      if (queue.length > 0) queues.set(owner, queue)
      waiting -= 1
      return first
    }
    return undefined
  }

  async function run<T>(
    work: () => Promise<T>,
    owner: number | undefined,
    group: string | undefined,
  ): Promise<T> {
    // Finished work hands its place to the next in the queue, so nothing can overtake.
    if (running < at_once) running += 1
    else {
      groups.add(group, 1)
      await wait(owner)
      groups.add(group, -1)
    }
    try {
      return await work()
    } finally {
      const begin = next()
      if (begin) begin()
      else running -= 1
    }
  }

  function isFull(owner: number | undefined, group: string | undefined): boolean {
    if (running < at_once) return false
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
