import type { EngineTimer } from './engine-events.ts'
import type { EngineClock } from './ports.ts'

export interface EngineTimers {
  /** Starts a timer, again if it runs. */
  start(timer: EngineTimer, delayMs: number): void
  cancel(timer: EngineTimer): void
}

export function createTimers(
  clock: EngineClock,
  onFired: (timer: EngineTimer) => void,
): EngineTimers {
  const running = new Map<EngineTimer, () => void>()

  function cancel(timer: EngineTimer) {
    running.get(timer)?.()
    running.delete(timer)
  }

  return {
    cancel,
    start(timer, delayMs) {
      cancel(timer)
      const forget = clock.after(delayMs, () => {
        running.delete(timer)
        onFired(timer)
      })
      running.set(timer, forget)
    },
  }
}
