/** The part of a clock that timers need. `at` calls `run` once (at once for a past instant) and returns a function that cancels it. */
export interface WakeClock {
  at(when: Temporal.Instant, run: () => void): () => void
}

/** At most one pending wake-up for each key. */
export interface WakeTimers<Key> {
  /** Replaces the wake-up of this key; null removes it. Setting the same instant again changes nothing. */
  set(key: Key, when: Temporal.Instant | null): void
  /** Removes every wake-up. */
  clear(): void
}

export function createWakeTimers<Key>(
  clock: WakeClock,
  onWake: (key: Key) => void,
): WakeTimers<Key> {
  const timers = new Map<Key, { at_ms: number; cancel: () => void }>()
  return {
    set(key, when) {
      const known = timers.get(key)
      if (when !== null && known?.at_ms === when.epochMilliseconds) return
      known?.cancel()
      timers.delete(key)
      if (when === null) return
      const timer = {
        at_ms: when.epochMilliseconds,
        cancel: clock.at(when, () => {
          if (timers.get(key) === timer) timers.delete(key)
          onWake(key)
        }),
      }
      timers.set(key, timer)
    },
    clear() {
      for (const { cancel } of timers.values()) cancel()
      timers.clear()
    },
  }
}
