import type { QueryClient } from '@tanstack/react-query'
import type { AppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import {
  createFileUpload,
  createUploadList,
  type FileUpload,
} from '../../shared/media/upload-list.ts'
import { preparePhoto } from '../../shared/media/prepare-picture.ts'
import { createAccountStore } from '../../shared/account/account-store.ts'
import { showToast } from '../../shared/toasts.ts'
import { galleryChanges } from './gallery-query.ts'
import { uploadError } from './upload-errors.ts'

type Kind = 'photo' | 'video'

export interface PendingUpload extends FileUpload {
  readonly kind: Kind
  /** The owner agreed that the adult gallery shows it. */
  readonly isAdult: boolean
}

interface Sender {
  readonly connection: AppServices['connection']
  readonly queries: QueryClient
}

const NONE: Readonly<Record<Kind, number>> = { photo: 0, video: 0 }

/** The uploads of the page. They continue while the user looks at another section or page. */
const list = createUploadList<PendingUpload>('uploads')
export const { uploads } = list
/** The files that arrived since the page was opened. */
export const arrivedFiles = createAccountStore(NONE)

const queues: Record<Kind, Promise<void>> = { photo: Promise.resolve(), video: Promise.resolve() }
/** The galleries on the screen. A notice reports the end of an upload to another gallery. */
const shownGalleries: Record<Kind, number> = { photo: 0, video: 0 }

/** Adds files to a gallery, one after the other. */
export function addFiles(
  sender: Sender,
  { kind, isAdult }: Pick<PendingUpload, 'kind' | 'isAdult'>,
  files: readonly File[],
): void {
  if (files.length === 0) return
  const added = files.map((file): PendingUpload => ({ ...createFileUpload(file), kind, isAdult }))
  list.add(added)
  for (const upload of added) enqueue(sender, upload)
}

export function retryUpload(sender: Sender, upload: PendingUpload): void {
  const { error: _, ...again } = upload
  list.patch(upload.key, () => again)
  enqueue(sender, again)
}

/** Ends an upload, or removes a failed upload from the list. An item that arrived nevertheless is fetched. */
export function endUpload({ queries }: Sender, { key, error }: PendingUpload): void {
  list.remove(key)
  if (error === undefined) void galleryChanges(queries).reload()
}

/** Marks a gallery as shown, until the caller calls the returned function. */
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
  const { key, kind, file, isAdult } = upload
  // It was taken off the list while it waited.
  if (!list.isPending(key)) return
  try {
    const sent = kind === 'photo' ? await preparePhoto(file) : file
    if (!list.isPending(key)) return
    const { media } = await list.transfer(key, (request) =>
      connection.http.post('gallery/media', isAdult ? { adult: true, consent: true } : {}, {
        files: { media: sent },
        ...request,
      }),
    )
    if (!list.isPending(key)) return
    galleryChanges(queries).add(media)
    list.remove(key)
    arrivedFiles.update((now) => ({ ...now, [kind]: now[kind] + 1 }))
  } catch (failure) {
    if (list.isPending(key)) fail(upload, uploadError(failure, kind))
  }
}

function fail({ key, kind }: PendingUpload, error: string): void {
  list.patch(key, (now) => ({ ...now, progress: 0, error }))
  if (shownGalleries[kind] > 0) return
  showToast({ id: 'upload', kind: 'error', title: t(`media.upload.failed_${kind}`), text: error })
}
