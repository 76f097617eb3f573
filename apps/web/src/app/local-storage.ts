import { memoryStore, type KeyValueStore } from '@duet/client'

/** localStorage, or memory where access to it throws. */
export function browserStorage(): KeyValueStore {
  return orMemory(() => globalThis.localStorage)
}

/** sessionStorage, whose values live as long as the tab, or memory where access to it throws. */
export function tabStorage(): KeyValueStore {
  return orMemory(() => globalThis.sessionStorage)
}

function orMemory(storage: () => KeyValueStore | undefined): KeyValueStore {
  try {
    return storage() ?? memoryStore()
  } catch {
    return memoryStore()
  }
}
