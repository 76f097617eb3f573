import { limits } from '@duet/protocol/kernel/limits.ts'
import { refuse } from '../../lib/refusal.ts'

/** Files of requests are in memory until they are answered: this many bytes at a time, of all requests together. */
export const UPLOAD_MEMORY_BYTES_MAX = 512 * 1024 * 1024
/** No sender may take all: two of the largest files at a time. */
const USER_BYTES_MAX = 2 * limits.video_bytes
/** Several people may share one address; together they leave the larger part to others. */
const NETWORK_BYTES_MAX = 4 * limits.video_bytes
/** The rest is for documents: senders of pictures and videos must not keep everybody from proving an identity. */
const MEDIA_SHARE = 3 / 4
/** Videos take this part of all at most. What stays between the two shares is for pictures. */
const VIDEO_SHARE = 5 / 8
/** One form of documents: the senders of a network leave documents of others their memory. */
const NETWORK_DOCUMENT_BYTES_MAX = 3 * limits.image_bytes
/**
 * Memory is taken in steps as bytes arrive: a length that is declared and never sent takes one step, from others nothing.
 */
export const STEP_BYTES = 1024 * 1024
/** A page sends a photo, a video, a picture of a dialog and an avatar at once. A sender of nothing costs a connection and a step. */
const USER_UPLOADS_MAX = 4
const RETRY_SECONDS = 5

/** The sender of an upload. */
export interface UploadSender {
  /** Names the user, also where one uses several networks. */
  readonly user: string
  readonly network: string
  /** The networks that one customer may have; undefined in IPv4. */
  readonly site: string | undefined
  /** The route takes documents of identity, and nothing else. */
  readonly is_document: boolean
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
    const isNear = (other: OpenUpload) =>
      other.network === network || (site !== undefined && other.site === site)
    const isFull =
      taken(() => true) > bytesMax ||
      taken((other) => other.user === user) > USER_BYTES_MAX ||
      taken(isNear) > NETWORK_BYTES_MAX ||
      (upload.is_document
        ? taken((other) => other.is_document && isNear(other)) > NETWORK_DOCUMENT_BYTES_MAX
        : taken((other) => !other.is_document) > bytesMax * MEDIA_SHARE ||
          (isVideo({ ...upload, bytes }) && taken(isVideo) > bytesMax * VIDEO_SHARE))
    if (isFull) refuse('too_many', { retry_after: RETRY_SECONDS })
    upload.bytes = bytes
  }

  return {
    open(sender) {
      const { user, is_document } = sender
      const own = [...uploads].filter((one) => one.user === user && one.is_document === is_document)
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
function isVideo({ bytes, is_document }: OpenUpload): boolean {
  return !is_document && bytes > limits.image_bytes
}

function total(uploads: readonly OpenUpload[]): number {
  return uploads.reduce((sum, { bytes }) => sum + bytes, 0)
}
