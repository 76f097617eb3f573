import { limits } from '@duet/protocol/kernel/limits.ts'
import { refuse } from '../../lib/refusal.ts'

/** Files of requests are in memory until they are answered: this many bytes at a time, of all requests together. */
export const UPLOAD_MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** No sender may take all: two of the largest files at a time. */
const USER_BYTES_MAX = 2 * limits.video_bytes
/** Several people may share one address; together they leave the larger part to others. */
const NETWORK_BYTES_MAX = 4 * limits.video_bytes
/** The rest is for pictures and documents: a few senders of videos must not keep everybody from proving an identity. */
const VIDEO_SHARE = 3 / 4
/**
 * Memory is taken in steps as bytes arrive: a length that is declared and never sent takes one step, from others nothing.
 */
export const STEP_BYTES = 1024 * 1024
/** A sender of nothing costs a connection and a step, so a user has this many uploads at a time. */
const USER_UPLOADS_MAX = 10
const RETRY_SECONDS = 5

/** The sender of an upload. */
export interface UploadSender {
  /** Names the user, also where one uses several networks. */
  readonly user: string
  readonly network: string
  /** The networks that one customer may have; undefined in IPv4. */
  readonly site: string | undefined
}

interface OpenUpload extends UploadSender {
  bytes: number
}

/** The memory of one upload. */
export interface UploadPart {
  /** Takes memory for bytes that have arrived. Refuses too_many when others have it. */
  add(bytes: number): void
  /** Gives all of it back, once. */
  release(): void
}

export interface UploadMemory {
  /** Begins an upload. Refuses too_many. */
  open(sender: UploadSender): UploadPart
}

export function createUploadMemory(bytesMax: number = UPLOAD_MEMORY_BYTES_MAX): UploadMemory {
  const uploads = new Set<OpenUpload>()

  function take(upload: OpenUpload, bytes: number): void {
    const { user, network, site } = upload
    const others = [...uploads].filter((other) => other !== upload)
    const taken = (of: (other: OpenUpload) => boolean) => total(others.filter(of)) + bytes
    const isFull =
      taken(() => true) > bytesMax ||
      (isVideo(bytes) && taken((other) => isVideo(other.bytes)) > bytesMax * VIDEO_SHARE) ||
      taken((other) => other.user === user) > USER_BYTES_MAX ||
      taken((other) => other.network === network) > NETWORK_BYTES_MAX ||
      (site !== undefined && taken((other) => other.site === site) > NETWORK_BYTES_MAX)
    if (isFull) refuse('too_many', { retry_after: RETRY_SECONDS })
    upload.bytes = bytes
  }

  return {
    open(sender) {
      const own = [...uploads].filter(({ user }) => user === sender.user)
      if (own.length >= USER_UPLOADS_MAX) refuse('too_many', { retry_after: RETRY_SECONDS })
      const upload = { ...sender, bytes: 0 }
      take(upload, STEP_BYTES)
      uploads.add(upload)
      let arrived = 0
      return {
        add(bytes) {
          arrived += bytes
          if (arrived > upload.bytes) take(upload, Math.ceil(arrived / STEP_BYTES) * STEP_BYTES)
        },
        release: () => void uploads.delete(upload),
      }
    },
  }
}

/** Where videos are taken, an upload that is not larger than a picture counts as one. */
function isVideo(bytes: number): boolean {
  return bytes > limits.image_bytes
}

function total(uploads: readonly OpenUpload[]): number {
  return uploads.reduce((sum, { bytes }) => sum + bytes, 0)
}
