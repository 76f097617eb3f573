import { useSyncExternalStore } from 'react'

/** What makes the page as a whole unusable. */
export type Outage = 'no_network' | 'new_version' | 'chunk_failure'

let present: Outage | undefined
const listeners = new Set<() => void>()

function become(next: Outage | undefined): void {
  present = next
  for (const listener of listeners) listener()
}

/** Blocks the page with what happened; a missing network clears by itself, everything else by loading anew. */
export function raise(outage: Outage): void {
  if (present === undefined || present === 'no_network') become(outage)
}

export function clearOutage(outage: Outage): void {
  if (present === outage) become(undefined)
}

export function useOutage(): Outage | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => present,
    () => undefined,
  )
}
