/** Runs work one at a time for each key, in the order in which it was asked for. Different keys run side by side. */
export interface SerialQueue<Key> {
  /**
   * Runs `work` after everything that was queued for this key before. The promise is that of `work`; when it rejects,
   * the next work of the key runs all the same. Waiting for the own key inside `work` never ends.
   */
  runExclusive<T>(key: Key, work: () => Promise<T>): Promise<T>
  /** Keys with work that runs or waits. */
  readonly size: number
  /** Resolves when nothing runs or waits, also nothing that was queued meanwhile. */
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
