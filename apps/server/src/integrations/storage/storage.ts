import type { Readable } from 'node:stream'

/** Stores files as bytes by a key that the server created; names given by users never become paths. */
export interface Storage {
  /** Stores all bytes or nothing. A key is written once. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** The file, or a part of it with both ends included. Undefined without a file. */
  get(key: string, part?: FilePart): Promise<Buffer | undefined>
  /** The whole file as it is read, so that a large file is never in memory. Undefined without a file. */
  stream(key: string): Promise<Readable | undefined>
  /** In bytes. Undefined without a file. */
  size(key: string): Promise<number | undefined>
  /** Does nothing without a file. */
  delete(key: string): Promise<void>
  /** Throws when files cannot be stored now. */
  check(): Promise<void>
}

const KEY_FORM = /^[a-z0-9][a-z0-9-]{0,99}(\/[a-z0-9][a-z0-9-]{0,99}){0,5}(\.[a-z0-9]{1,8})?$/

/** Lower-case words, digits and dashes between slashes, one extension: `avatar/3f2a…/400.webp`. */
export function isStorageKey(key: string): boolean {
  return KEY_FORM.test(key)
}

/** The bytes from `start` to `end`, both included; the end may be behind the end of the file. */
export interface FilePart {
  readonly start: number
  readonly end: number
}
