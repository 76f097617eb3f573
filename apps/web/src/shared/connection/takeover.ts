import { createStore } from '../observable-store.ts'

/** How many times another tab has taken over from this page. */
const takeovers = createStore(0)

/**
 * Runs the callback when another tab becomes the active one, before the dialog about it is shown: camera and microphone are
 * released here. Returns the unsubscribe function.
 */
export function onTakeover(release: () => void): () => void {
  return takeovers.subscribe(release)
}

/** Another tab is the active one now. */
export function otherTabTookOver(): void {
  takeovers.update((count) => count + 1)
}
