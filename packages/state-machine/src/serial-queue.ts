/** Runs one piece of work at a time for each key, in the order of the calls. Different keys run concurrently. */
export interface SerialQueue<Key> {
  /**
   * Runs `work` after all earlier work of this key. Resolves or rejects as `work` does. After a rejection
   * the next work of the key runs. If `work` awaits the same key, it waits forever.
   */
  runExclusive<T>(key: Key, work: () => Promise<T>): Promise<T>
  /** The number of keys with work that runs or waits. */
  readonly size: number
  /** Resolves when no work runs or waits, including work that was queued after the call. */
  drain(): Promise<void>
}

export function createSerialQueue<Key>(): SerialQueue<Key> {
  const tails = new Map<Key, Promise<void>>()
  return {
    runExclusive(key, work) {
      const result = (tails.get(key) ?? Promise.resolve()).then(work)
      const tail: Promise<void> = result.then(
        () => {},
        () => {},
      )
      tails.set(key, tail)
      void tail.then(() => {
        if (tails.get(key) === tail) tails.delete(key)
      })
      return result
    },
    get size() {
      return tails.size
    },
    async drain() {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}

/** The same with one key: runs `work` after all work that was given before. */
export type SerialRunner = <T>(work: () => Promise<T>) => Promise<T>

export function createSerialRunner(): SerialRunner {
  const queue = createSerialQueue<'only'>()
  return (work) => queue.runExclusive('only', work)
}
