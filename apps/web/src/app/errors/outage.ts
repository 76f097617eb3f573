import type { ConnectionProblem } from '@duet/client'
import { createStore, useStore } from '../../shared/observable-store.ts'

/** The reasons why the page as a whole is unusable. */
export type Outage = 'no_network' | 'draining' | 'refused' | 'new_version' | 'chunk_failure'

/**
 * These outages end with the next connection. Other outages end only with a reload, so no later outage replaces them.
 */
const PASSING: ReadonlySet<Outage | undefined> = new Set(['no_network', 'draining', 'refused'])

const OUTAGE_OF: Readonly<Record<ConnectionProblem['type'], Outage>> = {
  offline: 'no_network',
  refused: 'refused',
  draining: 'draining',
  too_many: 'refused',
  too_old: 'new_version',
}

const outage = createStore<Outage | undefined>(undefined)

/** Blocks the page. */
export function showOutage(next: Outage): void {
  outage.update((current) => (current === undefined || PASSING.has(current) ? next : current))
}

/** Blocks the page for the reason that the connection has. */
export function showProblem(problem: ConnectionProblem | undefined): void {
  showOutage(OUTAGE_OF[problem?.type ?? 'offline'])
}

/** The connection is back. */
export function clearPassingOutage(): void {
  outage.update((current) => (PASSING.has(current) ? undefined : current))
}

export function useOutage(): Outage | undefined {
  return useStore(outage)
}
