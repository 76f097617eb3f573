import { createHash } from 'node:crypto'
import { openBytes, sealBytes } from '../../lib/cipher.ts'

/** A data key of a document as it is stored: encrypted by the key with this id. */
export interface WrappedKey {
  readonly key_id: string
  readonly wrapped_key: Buffer
}

/**
 * The keys that wrap the keys of documents. They are outside the database and the file store. A copy of
 * database and file store is unreadable without these keys.
 */
export interface DocumentKeys {
  /** The id of the key that wraps new documents. */
  currentId(): string
  /** `place` is the document: the wrapped key cannot be used for another document. */
  wrap(dataKey: Uint8Array, place: string): WrappedKey
  /** Undefined when the key is not here any more, or the wrapped key was changed. */
  unwrap(wrapped: WrappedKey, place: string): Buffer | undefined
  /**
   * Makes a new key the current key. The former keys still unwrap. If the operator gives the keys by the
   * environment, their first key is current already, and this changes nothing.
   */
  rotate(): void
  /**
   * Removes every former key. Call it when no document needs a former key. False if the operator has to
   * remove them.
   */
  dropFormer(): boolean
}

/** A name for a key that reveals nothing about it. */
export function computeKeyId(key: Uint8Array): string {
  return createHash('sha256').update('duet document key').update(key).digest('hex').slice(0, 16)
}

/** The wrapping itself; `keys` has the current key first. */
export function wrapBy(
  keys: () => readonly Buffer[],
): Pick<DocumentKeys, 'currentId' | 'wrap' | 'unwrap'> {
  return {
    currentId: () => computeKeyId(keys()[0]!),
    wrap(dataKey, place) {
      const key = keys()[0]!
      return { key_id: computeKeyId(key), wrapped_key: sealBytes(key, dataKey, place) }
    },
    unwrap({ key_id, wrapped_key }, place) {
      const key = keys().find((one) => computeKeyId(one) === key_id)
      return key && openBytes(key, wrapped_key, place)
    },
  }
}
