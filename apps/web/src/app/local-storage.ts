import { memoryStore, type KeyValueStore } from '@duet/client'

/** localStorage, or memory where the browser refuses even to be asked. */
export function browserStorage(): KeyValueStore {
  try {
    return globalThis.localStorage ?? memoryStore()
  } catch {
    return memoryStore()
  }
}
