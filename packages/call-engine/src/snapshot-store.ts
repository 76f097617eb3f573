import type { ObservableSnapshot } from './ports.ts'

export interface SnapshotStore<Snapshot extends object> extends ObservableSnapshot<Snapshot> {
  /** Merges a change. When nothing differs, the snapshot stays the same object and no listener is called. */
  change(part: Partial<Snapshot>): void
}

/** A snapshot with listeners. A listener that throws is reported and does not stop the others or the engine. */
export function createSnapshotStore<Snapshot extends object>(
  initial: Snapshot,
): SnapshotStore<Snapshot> {
  let snapshot = Object.freeze({ ...initial })
  const listeners = new Set<() => void>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getSnapshot: () => snapshot,
    change(part) {
      const keys = Object.keys(part) as (keyof Snapshot)[]
      if (keys.every((key) => Object.is(snapshot[key], part[key]))) return
      snapshot = Object.freeze({ ...snapshot, ...part })
      for (const listener of [...listeners]) {
        try {
          listener()
        } catch (error) {
          globalThis.reportError?.(error)
        }
      }
    },
  }
}
