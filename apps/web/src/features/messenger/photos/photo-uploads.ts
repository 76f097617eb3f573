import type { Media } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { RefusedError, type AppServices } from '../../../shared/app-services.tsx'
import { hasText, t, type TextId } from '../../../shared/i18n.ts'
import { markUnsent } from '../../../shared/navigation/unsent.ts'
import { createStore, type Observable } from '../../../shared/observable-store.ts'

const MEGABYTE = 1024 * 1024

/** A photo on its way to the server. It becomes an unsent message when it has arrived; a failed one stays with its file. */
export interface PhotoUpload {
  /** Also the idempotency key of every try: a photo that arrived although its answer was lost is stored once. */
  readonly key: string
  readonly dialog_id: number
  readonly file: File
  readonly src: string
  readonly progress: number
  readonly error?: string
}

export interface PhotoUploads {
  readonly uploads: Observable<readonly PhotoUpload[]>
  /** Sends photos into a dialog, one after the other. */
  sendPhotos(dialog_id: number, files: readonly File[]): void
  retryPhoto(upload: PhotoUpload): void
  /** Ends an upload, or takes a failed one off the list. */
  endPhoto(key: string): void
}

/** `send` puts an uploaded photo among the unsent messages; false: too many wait already. */
export function createPhotoUploads(
  { connection }: Pick<AppServices, 'connection'>,
  send: (dialog_id: number, media: Media) => boolean,
): PhotoUploads {
  const uploads = createStore<readonly PhotoUpload[]>([])
  const requests = new Map<string, AbortController>()
  let queue = Promise.resolve()
  // The file is in the memory of the page alone.
  uploads.subscribe(() => markUnsent('messenger photos', uploads.getSnapshot().length > 0))
  // Photos of one account are not sent by the next.
  connection.on('identity', () => {
    for (const { key } of uploads.getSnapshot()) drop(key)
  })

  const isPending = (key: string) => uploads.getSnapshot().some((one) => one.key === key)

  function patch(key: string, change: (upload: PhotoUpload) => PhotoUpload): void {
    uploads.update((now) => now.map((one) => (one.key === key ? change(one) : one)))
  }

  function drop(key: string): void {
    requests.get(key)?.abort()
    const dropped = uploads.getSnapshot().find((one) => one.key === key)
    if (!dropped) return
    uploads.update((now) => now.filter((one) => one.key !== key))
    URL.revokeObjectURL(dropped.src)
  }

  function enqueue(upload: PhotoUpload): void {
    queue = queue.then(() => transfer(upload))
  }

  async function transfer({ key, dialog_id, file }: PhotoUpload): Promise<void> {
    // It was taken off the list while it waited.
    if (!isPending(key)) return
    const request = new AbortController()
    requests.set(key, request)
    const onProgress = (progress: number) => patch(key, (now) => ({ ...now, progress }))
    try {
      const extra = { onProgress, signal: request.signal, idempotency_key: key }
      const media = await postPhoto(connection, file, extra)
      if (!isPending(key)) return
      if (send(dialog_id, media)) drop(key)
      else fail(key, t('messenger.too_many_waiting'))
    } catch (error) {
      fail(key, photoError(error))
    } finally {
      requests.delete(key)
    }
  }

  function fail(key: string, error: string): void {
    patch(key, (now) => ({ ...now, progress: 0, error }))
  }

  return {
    uploads,
    sendPhotos(dialog_id, files) {
      const added = files.map((file) => uploadOf(dialog_id, file))
      uploads.update((now) => [...now, ...added])
      for (const upload of added) enqueue(upload)
    },
    retryPhoto({ error: _, ...upload }) {
      patch(upload.key, () => upload)
      enqueue(upload)
    },
    endPhoto: drop,
  }
}

async function postPhoto(
  { http }: AppServices['connection'],
  file: File,
  extra: {
    readonly onProgress: (share: number) => void
    readonly signal: AbortSignal
    readonly idempotency_key: string
  },
): Promise<Media> {
  if (file.size > limits.image_bytes) throw new TooLarge()
  const files = { media: file }
  return (await http.post('v2/gallery/media/messenger', {}, { files, ...extra })).media
}

function uploadOf(dialog_id: number, file: File): PhotoUpload {
  const src = URL.createObjectURL(file)
  return { key: crypto.randomUUID(), dialog_id, file, src, progress: 0 }
}

/** Told before the file is sent. */
class TooLarge extends Error {}

function photoError(error: unknown): string {
  const megabytes = limits.image_bytes / MEGABYTE
  if (error instanceof TooLarge) return t('messenger.photo.too_large', { megabytes })
  if (!(error instanceof RefusedError)) return t('messenger.photo.unanswered')
  const { refusal, additional } = error
  if (refusal === 'too_large' && typeof additional.limit === 'string')
    return t('messenger.photo.no_space')
  if (refusal === 'too_large') return t('messenger.photo.too_large', { megabytes })
  if (refusal === 'wrong_type') return t('messenger.photo.wrong_type')
  const id = `error.${refusal}`
  return hasText(id) ? t(id as TextId) : t('messenger.refused.other')
}
