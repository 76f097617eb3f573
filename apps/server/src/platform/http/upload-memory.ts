import { refuse } from '../../lib/refusal.ts'

/** Files of requests are in memory until they are answered: this many bytes at a time, of all requests together. */
export const UPLOAD_MEMORY_BYTES_MAX = 512 * 1024 * 1024
const RETRY_SECONDS = 5

export interface UploadMemory {
  /** Takes the bytes that a request may need; returns how to give them back. Refuses too_many while others have them. */
  reserve(bytes: number): () => void
}

export function createUploadMemory(bytesMax: number = UPLOAD_MEMORY_BYTES_MAX): UploadMemory {
  let reserved = 0
  return {
    reserve(bytes) {
      if (reserved + bytes > bytesMax) refuse('too_many', { retry_after: RETRY_SECONDS })
      reserved += bytes
      let isHeld = true
      return () => {
        if (isHeld) reserved -= bytes
        isHeld = false
      }
    },
  }
}
