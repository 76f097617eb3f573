import type { KeyValueStore } from './storage.ts'

const KEY = 'duet.tab_id'
/** A duplicated tab runs no call, although its storage says so. */
const OF_THE_FORMER_TAB = 'duet.call_here'

/**
 * The page's own id. sessionStorage keeps the id over a reload. A duplicated tab copies sessionStorage, so a lock
 * claims the id: the copy finds the id claimed and draws a new id.
 */
export async function claimTabId(
  store: KeyValueStore,
  locks: LockManager | undefined = globalThis.navigator?.locks,
): Promise<string> {
  const stored = store.getItem(KEY)
  if (stored && (await claim(stored, locks))) return stored
  store.removeItem(OF_THE_FORMER_TAB)
  const drawn = crypto.randomUUID()
  store.setItem(KEY, drawn)
  await claim(drawn, locks)
  return drawn
}

/** Resolves with false when another tab holds the id. */
function claim(tabId: string, locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    void locks
      .request(`duet.tab.${tabId}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        // The lock is held until the page is closed.
        return lock ? new Promise<never>(() => {}) : undefined
      })
      .catch(() => resolve(true))
  })
}
