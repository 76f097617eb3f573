import { memoryStore, type KeyValueStore } from '@duet/client'

/** localStorage, or memory where access to it throws. */
export function browserStorage(): KeyValueStore {
  try {
    return globalThis.localStorage ?? memoryStore()
  } catch {
    return memoryStore()
  }
}
