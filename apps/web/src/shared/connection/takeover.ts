import { createStore } from '../observable-store.ts'

/** How many times another tab has taken over from this page. */
const takeovers = createStore(0)

/**
 * Runs the callback when another tab becomes active, before the dialog about the other tab opens. The callback releases
 * camera and microphone. Returns the unsubscribe function.
 */
export function onTakeover(release: () => void): () => void {
  return takeovers.subscribe(release)
}

/** Another tab is now the active tab. */
export function otherTabTookOver(): void {
  takeovers.update((count) => count + 1)
}
