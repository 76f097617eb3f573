/** Where files live. Bytes by a key that the server made; names of users never become paths. */
export interface Storage {
  /** Keeps the bytes whole or not at all; a key is written once. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none. */
  get(key: string): Promise<Buffer | undefined>
  /** Absent is fine. */
  delete(key: string): Promise<void>
  /** Throws when files cannot be kept now. */
  check(): Promise<void>
}

const key_form = /^[a-z0-9][a-z0-9-]{0,99}(\/[a-z0-9][a-z0-9-]{0,99}){0,5}(\.[a-z0-9]{1,8})?$/

/** Lower-case words, digits and dashes between slashes, one extension: `avatar/3f2a…/400.webp`. */
export function isStorageKey(key: string): boolean {
  return key_form.test(key)
}
