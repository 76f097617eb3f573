/** Work that takes turns: so many at a time, so many in line, the rest is turned away. */
export interface Semaphore {
  /** Undefined: the line is full, and the work was not begun. */
  run<T>(work: () => Promise<T>): Promise<T> | undefined
}

export function createSemaphore({
  at_once,
  waiting_max,
}: {
  at_once: number
  waiting_max: number
}): Semaphore {
  const line: (() => void)[] = []
  let running = 0

  async function run<T>(work: () => Promise<T>): Promise<T> {
    // Whoever leaves hands his place on, so nobody can slip in between.
    if (running < at_once) running += 1
    else await new Promise<void>((go) => line.push(go))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }

  return {
    run: (work) => (running >= at_once && line.length >= waiting_max ? undefined : run(work)),
  }
}
