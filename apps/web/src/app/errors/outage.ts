import type { ConnectionProblem } from '@duet/client'
import { t, withTexts } from '../../shared/i18n.ts'
import { createStore, useStore } from '../../shared/observable-store.ts'
import { showToast } from '../../shared/toasts.ts'
import { callPresent } from '../../shared/video/call-present.ts'

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

/** Blocks the page. While there is a call, a notice says the same, and nothing covers the button that ends the call. */
export function showOutage(next: Outage): void {
  if (callPresent.getSnapshot())
    withTexts(() =>
      showToast({ kind: 'error', title: t(`system.${next}`), text: t(`system.${next}_text`) }),
    )
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

/** The reason that blocks the page now. */
export function useOutage(): Outage | undefined {
  const hasCall = useStore(callPresent)
  const current = useStore(outage)
  return hasCall ? undefined : current
}
