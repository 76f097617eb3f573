import type { Watchable } from './ports.ts'

export interface Watched<Snapshot extends object> extends Watchable<Snapshot> {
  /** Merges a change; when nothing differs the snapshot stays the same object and nobody is told. */
  change(part: Partial<Snapshot>): void
}

export function watched<Snapshot extends object>(first: Snapshot): Watched<Snapshot> {
  let snapshot = Object.freeze({ ...first })
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
      for (const listener of [...listeners]) listener()
    },
  }
}
