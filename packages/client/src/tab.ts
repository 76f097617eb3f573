import type { KeyValueStore } from './storage.ts'

const key = 'duet.tab_id'

/**
 * The page's own id. It survives a reload in sessionStorage and is claimed by a lock, because a duplicated tab copies
 * sessionStorage: the copy finds the id taken and draws a new one.
 */
export async function claimTabId(
  store: KeyValueStore,
  locks: LockManager | undefined = globalThis.navigator?.locks,
): Promise<string> {
  const kept = store.getItem(key)
  if (kept && (await claimed(kept, locks))) return kept
  const drawn = crypto.randomUUID()
  store.setItem(key, drawn)
  await claimed(drawn, locks)
  return drawn
}

function claimed(tab_id: string, locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return Promise.resolve(true)
  return new Promise((resolve) => {
    void locks
      .request(`duet.tab.${tab_id}`, { ifAvailable: true }, (lock) => {
        resolve(lock !== null)
        // Held until the page goes: that is what "claimed" means.
        return lock ? new Promise<never>(() => {}) : undefined
      })
      .catch(() => resolve(true))
  })
}
