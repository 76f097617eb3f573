import type { Gender } from '@duet/protocol/kernel/roles.ts'

/**
 * The values that outlive the page (`spec.md` section 9). A browser that refuses storage keeps them for as long as the page lives.
 */
export interface Persisted {
  token: string
  age_accepted: boolean
  default_payment: string
  sex: Gender
  muted: boolean
  sound_off: boolean
  video_device: string
  audio_device: string
  chat_count: number
  fingerprint_hash: string
  locale: string
  theme: 'system' | 'dark' | 'light'
  chat_panel_open: boolean
  /** Somebody is signed in here: the landing page is not painted before the application is there. */
  member: boolean
  /** Who sent this visitor, until he registers. */
  ref_code: string
}

export interface KeyValueStore {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

export interface Persistence {
  get<K extends keyof Persisted>(key: K): Persisted[K] | undefined
  set<K extends keyof Persisted>(key: K, value: Persisted[K] | undefined): void
}

const prefix = 'duet.'

export function persistence(store: KeyValueStore = memoryStore()): Persistence {
  const fallback = memoryStore()
  return {
    get(key) {
      const text = attempt(() => store.getItem(prefix + key)) ?? fallback.getItem(prefix + key)
      if (text === null) return undefined
      return attempt(() => JSON.parse(text)) ?? undefined
    },
    set(key, value) {
      if (value === undefined) {
        attempt(() => store.removeItem(prefix + key))
        fallback.removeItem(prefix + key)
        return
      }
      const text = JSON.stringify(value)
      if (attempt(() => (store.setItem(prefix + key, text), true)) !== true)
        fallback.setItem(prefix + key, text)
    },
  }
}

export function memoryStore(): KeyValueStore {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

/** Storage throws where the browser forbids it, and a foreign value may be no JSON: both mean "nothing kept". */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
