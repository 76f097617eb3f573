import { memoryStore, type KeyValueStore } from '@duet/client'

/** localStorage, or memory where access to it throws. */
export function browserStorage(): KeyValueStore {
  try {
    return globalThis.localStorage ?? memoryStore()
  } catch {
    return memoryStore()
  }
}

/** sessionStorage, whose values live as long as the tab, or memory where access to it throws. */
export function tabStorage(): KeyValueStore {
  try {
    return globalThis.sessionStorage ?? memoryStore()
  } catch {
    return memoryStore()
  }
}
