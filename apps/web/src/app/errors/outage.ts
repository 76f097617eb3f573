import { createStore, useStore } from '../../shared/observable-store.ts'

/** The reasons why the page as a whole is unusable. */
export type Outage = 'no_network' | 'new_version' | 'chunk_failure'

const outage = createStore<Outage | undefined>(undefined)

/** Blocks the page. `no_network` clears by itself; the others clear only by reloading, so nothing replaces them. */
export function showOutage(next: Outage): void {
  outage.update((current) => (current === undefined || current === 'no_network' ? next : current))
}

export function clearOutage(ended: Outage): void {
  outage.update((current) => (current === ended ? undefined : current))
}

export function useOutage(): Outage | undefined {
  return useStore(outage)
}
