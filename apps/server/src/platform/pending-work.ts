/** Counts the running work of one app: a graceful stop waits for it, and so does a test that moved its clock. */
export interface PendingWork {
  readonly count: number
  /** Counts until the promise settles, and passes it on. */
  track<T>(work: Promise<T>): Promise<T>
  /** Resolves when no work is running, including work that began while waiting. */
  settled(): Promise<void>
}

export function createPendingWork(): PendingWork {
  let count = 0
  let waiting: (() => void)[] = []
  const done = () => {
    count -= 1
    if (count > 0) return
    const resolvers = waiting
    waiting = []
    for (const resolve of resolvers) resolve()
  }
  return {
    get count() {
      return count
    },
    track(work) {
      count += 1
      void work.then(done, done)
      return work
    },
    async settled() {
      while (count > 0) await new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
}
