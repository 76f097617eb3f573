import type { QueryClient } from '@tanstack/react-query'
import type { AppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { markUnsent } from '../../shared/navigation/unsent.ts'
import { createStore } from '../../shared/observable-store.ts'
import { showToast } from '../../shared/toasts.ts'
import { galleryChanges } from './gallery-query.ts'
import { uploadError } from './upload-errors.ts'

type Kind = 'photo' | 'video'
type Connection = AppServices['connection']

/** A file on its way. A failed one stays with its file until it is sent again or taken off the list. */
export interface PendingUpload {
  readonly key: number
  /** The same for every try: a file that arrived although its answer was lost is not added again. */
  readonly idempotency_key: string
  readonly kind: Kind
  readonly file: File
  readonly src: string
  readonly progress: number
  readonly error?: string
}

interface Uploads {
  readonly pending: readonly PendingUpload[]
  /** The files that arrived since the page was opened. */
  readonly arrived: Readonly<Record<Kind, number>>
}

interface Sender {
  readonly connection: Connection
  readonly queries: QueryClient
}

const NOTHING: Uploads = { pending: [], arrived: { photo: 0, video: 0 } }

/** The uploads of the page. They go on while the user looks at another section or page. */
export const uploads = createStore<Uploads>(NOTHING)
uploads.subscribe(() => markUnsent('uploads', uploads.getSnapshot().pending.length > 0))

const requests = new Map<number, AbortController>()
const queues: Record<Kind, Promise<void>> = { photo: Promise.resolve(), video: Promise.resolve() }
const followed = new WeakSet<Connection>()
/** The galleries on the screen; the end of an upload to another one is told by a notice. */
const shownGalleries: Record<Kind, number> = { photo: 0, video: 0 }
let lastKey = 0

/** Adds files to a gallery, one after the other. */
export function addFiles(sender: Sender, kind: Kind, files: readonly File[]): void {
  if (files.length === 0) return
  followLogin(sender.connection)
  const added = files.map((file): PendingUpload => {
    lastKey += 1
    return {
      key: lastKey,
      kind,
      file,
      progress: 0,
      idempotency_key: crypto.randomUUID(),
      src: URL.createObjectURL(file),
    }
  })
  uploads.update((now) => ({ ...now, pending: [...now.pending, ...added] }))
  for (const upload of added) enqueue(sender, upload)
}

export function retryUpload(sender: Sender, upload: PendingUpload): void {
  const { error: _, ...again } = upload
  change(upload.key, () => [again])
  enqueue(sender, again)
}

/** Ends an upload, or takes a failed one off the list. What arrived nevertheless is fetched. */
export function endUpload({ queries }: Sender, { key, error }: PendingUpload): void {
  drop(key)
  if (error === undefined) void galleryChanges(queries).reload()
}

/** Says that a gallery is on the screen, until the returned function is called. */
export function showsGallery(kind: Kind): () => void {
  shownGalleries[kind] += 1
  return () => {
    shownGalleries[kind] -= 1
  }
}

function enqueue(sender: Sender, upload: PendingUpload): void {
  queues[upload.kind] = queues[upload.kind].then(() => send(sender, upload))
}

async function send({ connection, queries }: Sender, upload: PendingUpload): Promise<void> {
  const { key, kind, file, idempotency_key } = upload
  // It was taken off the list while it waited.
  if (!isPending(key)) return
  const request = new AbortController()
  requests.set(key, request)
  const onProgress = (progress: number) => change(key, (now) => [{ ...now, progress }])
  try {
    const { media } = await connection.http.post(
      'gallery/media',
      {},
      { files: { media: file }, onProgress, signal: request.signal, idempotency_key },
    )
    if (!isPending(key)) return
    galleryChanges(queries).add(media)
    drop(key)
    uploads.update(({ pending, arrived }) => ({
      pending,
      arrived: { ...arrived, [kind]: arrived[kind] + 1 },
    }))
  } catch (failure) {
    if (isPending(key)) fail(upload, uploadError(failure, kind))
  } finally {
    requests.delete(key)
  }
}

function fail({ key, kind }: PendingUpload, error: string): void {
  change(key, (now) => [{ ...now, progress: 0, error }])
  if (shownGalleries[kind] > 0) return
  showToast({ id: 'upload', kind: 'error', title: t(`media.upload.failed_${kind}`), text: error })
}

function isPending(key: number): boolean {
  return uploads.getSnapshot().pending.some((one) => one.key === key)
}

function drop(key: number): void {
  requests.get(key)?.abort()
  change(key, ({ src }) => {
    URL.revokeObjectURL(src)
    return []
  })
}

function change(key: number, of: (upload: PendingUpload) => readonly PendingUpload[]): void {
  uploads.update((now) => ({
    ...now,
    pending: now.pending.flatMap((one) => (one.key === key ? of(one) : [one])),
  }))
}

/** Files of one account are not sent to the next. */
function followLogin(connection: Connection): void {
  if (followed.has(connection)) return
  followed.add(connection)
  connection.on('identity', () => {
    for (const { key } of uploads.getSnapshot().pending) drop(key)
    uploads.set(NOTHING)
  })
}
