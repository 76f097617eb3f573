import type { DataMode, Media } from '@duet/protocol'
import type { AnsweredRefusal } from './call-errors.ts'
import type { Gender } from '@duet/protocol/kernel/roles.ts'

/** An own message of the messenger that the server has not stored yet. */
export interface UnsentMessage {
  /** The same at every attempt: the server stores the message once. */
  readonly random_id: string
  readonly user_id: number
  readonly dialog_id: number
  readonly text: string
  readonly media?: Media | undefined
  readonly written_at: string
  /** Why the server refused the message. Absent while the message is being sent or waits for the connection. */
  readonly refusal?: AnsweredRefusal | undefined
}

/** Texts and choices of a user: a log-out removes them (`login/logins.ts`). */
export interface OwnTexts {
  /** Messages that are not stored yet, in the order in which they were written. */
  unsent_messages: readonly UnsentMessage[]
  /** The dialogs whose messages this user reads translated, the newest last. */
  translated_dialogs: readonly { readonly user_id: number; readonly dialog_id: number }[]
  /** Unfinished messages, the newest last. */
  drafts: readonly { readonly user_id: number; readonly dialog_id: number; readonly text: string }[]
}

/** The values that outlive the page. In a browser that forbids storage they live as long as the page. */
export interface Persisted extends OwnTexts {
  token: string
  age_accepted: boolean
  default_payment: string
  sex: Gender
  /** The user turned the microphone off. */
  muted: boolean
  /** The user turned the camera off. Belongs to the tab: stored in the `persistence` of sessionStorage. */
  camera_off: boolean
  /** The call that runs in this tab; stored in sessionStorage like `camera_off`. A reload goes on with it. */
  call_here: number
  /** The call that the user left, until the server has closed it: no page of this browser enters it again. */
  left_call: { readonly session_id: number; readonly how: 'next' | 'end' | 'break' }
  /** The panic key of a call, until the server has answered: every AUTH repeats it. */
  panic: { readonly session_id: number; readonly nick: string }
  sound_off: boolean
  video_device: string
  audio_device: string
  chat_count: number
  fingerprint_hash: string
  locale: string
  theme: 'system' | 'dark' | 'light'
  chat_panel_open: boolean
  /** Choices of this device for all calls. */
  call_choices: {
    readonly data_mode: DataMode
    readonly mirrored: boolean
    readonly keys: boolean
    readonly captions: boolean
  }
  /** A member is logged in here: the landing page is not painted before the application is loaded. */
  member: boolean
  /** The user who asked for push messages in this browser. */
  push_user_id: number
  /** The code of the user who invited this visitor, until the visitor registers. */
  ref_code: string
  /** Whether services of statistics may count this user's calls. Absent: the user has not chosen. */
  statistics: boolean
  /** The screen that an entry link asks for, until it was shown. */
  to_screen: 'verify'
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

const PREFIX = 'duet.'

export function persistence(store: KeyValueStore = memoryStore()): Persistence {
  const fallback = memoryStore()
  return {
    get(key) {
      const text = fallback.getItem(PREFIX + key) ?? attempt(() => store.getItem(PREFIX + key))
      if (text === null) return undefined
      return attempt(() => JSON.parse(text)) ?? undefined
    },
    set(key, value) {
      fallback.removeItem(PREFIX + key)
      if (value === undefined) {
        attempt(() => store.removeItem(PREFIX + key))
        return
      }
      const text = JSON.stringify(value)
      if (attempt(() => (store.setItem(PREFIX + key, text), true)) === true) return
      // A full store still has the former value. The next load of the page must not read a dead token instead of the
      // rotated token.
      attempt(() => store.removeItem(PREFIX + key))
      fallback.setItem(PREFIX + key, text)
    },
  }
}

export function memoryStore(): KeyValueStore {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  }
}

/** Storage throws where the browser forbids it, and a value of another program may be no JSON: both are no value. */
function attempt<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
