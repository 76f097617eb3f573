import { limits } from '@duet/protocol/kernel/limits.ts'
import { refuse } from '../../lib/refusal.ts'

/** Files of requests are in memory until they are answered: this many bytes at a time, of all requests together. */
export const UPLOAD_MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** A form declares its bytes long before it sends them, so no sender may take all: two of the largest files at a time. */
const USER_BYTES_MAX = 2 * limits.video_bytes
/** Several people may share one address; together they leave the larger part to others. */
const NETWORK_BYTES_MAX = 4 * limits.video_bytes
/** The rest is for pictures and documents: a few senders of slow videos must not keep everybody from proving an identity. */
const VIDEO_SHARE = 3 / 4
const RETRY_SECONDS = 5

export interface OpenUpload {
  /** The most that its files may take. */
  readonly bytes: number
  /** Names the user, also where one uses several networks. */
  readonly user: string
  readonly network: string
  /** The networks that one customer may have; undefined in IPv4. */
  readonly site: string | undefined
  readonly is_video: boolean
}

export interface UploadMemory {
  /** Takes the bytes that a request may need; returns how to give them back. Refuses too_many while others have them. */
  reserve(upload: OpenUpload): () => void
}

export function createUploadMemory(bytesMax: number = UPLOAD_MEMORY_BYTES_MAX): UploadMemory {
  const open = new Set<OpenUpload>()
  return {
    reserve(upload) {
      const { user, network, site, is_video, bytes } = upload
      const uploads = [...open]
      const isFull =
        total(uploads) + bytes > bytesMax ||
        (is_video &&
          total(uploads.filter((other) => other.is_video)) + bytes > bytesMax * VIDEO_SHARE) ||
        total(uploads.filter((other) => other.user === user)) + bytes > USER_BYTES_MAX ||
        total(uploads.filter((other) => other.network === network)) + bytes > NETWORK_BYTES_MAX ||
        (site !== undefined &&
          total(uploads.filter((other) => other.site === site)) + bytes > NETWORK_BYTES_MAX)
      if (isFull) refuse('too_many', { retry_after: RETRY_SECONDS })
      const held = { ...upload }
      open.add(held)
      return () => void open.delete(held)
    },
  }
}

function total(uploads: readonly OpenUpload[]): number {
  return uploads.reduce((sum, { bytes }) => sum + bytes, 0)
}
