import { useNow, usePassed } from '../../shared/controls/use-time.ts'
import { createAccountStore } from '../../shared/account/account-store.ts'
import { useStore } from '../../shared/observable-store.ts'

/** By how many milliseconds the server's clock is ahead of this device's, as the last list of dates showed. */
const leadMs = createAccountStore(0)

/** Follows the clock of an answer that has just arrived. Differences of a second come from the network. */
export function followServerClock(now: string): void {
  const measuredMs = Date.parse(now) - Date.now()
  if (Math.abs(measuredMs - leadMs.getSnapshot()) > 1000) leadMs.set(measuredMs)
}

/** The server's time, which decides when a date may start. */
export function useServerNow(everyMs: number, runs = true): number {
  return useNow(everyMs, runs) + useStore(leadMs)
}

/** Whether a moment of the server's time has come. Renders again exactly then. */
export function useServerPassed(atMs: number): boolean {
  return usePassed(atMs - useStore(leadMs), 0)
}

export function serverNow(): number {
  return Date.now() + leadMs.getSnapshot()
}
