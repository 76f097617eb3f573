import { markUnsent } from '../navigation/unsent.ts'
import { createAccountStore } from '../account/account-store.ts'
import type { Observable } from '../observable-store.ts'

/**
 * A file on its way to the server. A failed upload keeps its file until the user sends the file again or removes the
 * upload.
 */
export interface FileUpload {
  /** Also the name of the upload on the server: a file that arrived although its answer was lost is not stored again. */
  readonly key: string
  readonly file: File
  /** An address of the file in this page. */
  readonly src: string
  /** The part that has been sent, from 0 to 1. */
  readonly progress: number
  readonly error?: string
}

/** The fields that a request takes which sends a file of a list. */
export interface UploadRequest {
  readonly onProgress: (progress: number) => void
  readonly signal: AbortSignal
  readonly idempotency_key: string
}

/**
 * The page's uploads to one place; they continue when the screen changes. The next account never sends the files of
 * this account.
 */
export interface UploadList<Upload extends FileUpload> {
  readonly uploads: Observable<readonly Upload[]>
  add(added: readonly Upload[]): void
  isPending(key: string): boolean
  patch(key: string, change: (upload: Upload) => Upload): void
  /** Runs a request that sends a file, so that its progress is shown and `abort` ends it. */
  transfer<Answer>(key: string, post: (request: UploadRequest) => Promise<Answer>): Promise<Answer>
  abort(key: string): void
  /** Ends the request of a file and removes the file from the list. False if the list does not contain the file. */
  remove(key: string): boolean
}

export function createFileUpload(file: File): FileUpload {
  return { key: crypto.randomUUID(), file, src: URL.createObjectURL(file), progress: 0 }
}

/** @param part names the list among the work that would be lost with the page */
export function createUploadList<Upload extends FileUpload>(part: string): UploadList<Upload> {
  const uploads = createAccountStore<readonly Upload[]>([], () => {
    for (const { key } of uploads.getSnapshot()) remove(key)
  })
  const requests = new Map<string, AbortController>()
  // The files are in the memory of the page alone.
  uploads.subscribe(() => markUnsent(part, uploads.getSnapshot().length > 0))

  function patch(key: string, change: (upload: Upload) => Upload): void {
    uploads.update((now) => now.map((one) => (one.key === key ? change(one) : one)))
  }

  const abort = (key: string) => requests.get(key)?.abort()

  function remove(key: string): boolean {
    abort(key)
    const removed = uploads.getSnapshot().find((one) => one.key === key)
    if (!removed) return false
    uploads.update((now) => now.filter((one) => one.key !== key))
    URL.revokeObjectURL(removed.src)
    return true
  }

  return {
    uploads,
    patch,
    abort,
    add: (added) => uploads.update((now) => [...now, ...added]),
    isPending: (key) => uploads.getSnapshot().some((one) => one.key === key),
    async transfer(key, post) {
      const request = new AbortController()
      requests.set(key, request)
      const onProgress = (progress: number) => patch(key, (now) => ({ ...now, progress }))
      try {
        return await post({ onProgress, signal: request.signal, idempotency_key: key })
      } finally {
        if (requests.get(key) === request) requests.delete(key)
      }
    },
    remove,
  }
}
