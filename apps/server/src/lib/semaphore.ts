/** Limits how much work runs at once and how much may wait; the rest is rejected. */
export interface Semaphore {
  /** Undefined when the queue is full; the work is not started then. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined
}

export function createSemaphore({
  at_once,
  waiting_max,
}: {
  at_once: number
  waiting_max: number
}): Semaphore {
  const queue: (() => void)[] = []
  let running = 0

  async function run<T>(work: () => Promise<T>): Promise<T> {
    // Finished work hands its place to the next in the queue, so nothing can overtake.
    if (running < at_once) running += 1
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    run: (work) => (running >= at_once && queue.length >= waiting_max ? undefined : run(work)),
  }
}
