import { createSerialRunner } from '@duet/state-machine/serial-queue.ts'
import type { Media } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { NoAnswerError } from '@duet/client'
import { RefusedError, type AppServices } from '../../../shared/app-services.tsx'
import { followConnection } from '../../../shared/connection/follow-connection.ts'
import { isPassing, pauseBefore } from '../../../shared/connection/repetition.ts'
import { hasText, t, type TextId } from '../../../shared/i18n.ts'
import {
  createFileUpload,
  createUploadList,
  type FileUpload,
  type UploadList,
  type UploadRequest,
} from '../../../shared/media/upload-list.ts'
import { preparePhoto } from '../../../shared/media/prepare-picture.ts'
import type { Observable } from '../../../shared/observable-store.ts'

const MEGABYTE = 1024 * 1024

/** The files are in the memory of the page: more wait only until these have arrived or are discarded. */
const WAITING_MAX = 20

/**
 * Later texts wait for the photo, and repetitions load a weak connection. After this number of repetitions the user
 * decides whether to send the photo again.
 */
const REPETITIONS_MAX = 3

/** A photo on its way to the server. It becomes an unsent message, under the same key, when it has arrived. */
export interface PhotoUpload extends FileUpload {
  readonly dialog_id: number
  readonly written_at: string
  /** It is sent again by itself at the next connection, or when the device is in a network again. */
  readonly is_repeated?: boolean
}

export interface PhotoUploads {
  readonly uploads: Observable<readonly PhotoUpload[]>
  /** Whether as many photos more may wait. */
  hasPlaceFor(count: number): boolean
  /**
   * Sends photos into a dialog, one after the other. If too many photos wait already, adds no photo and returns false.
   */
  sendPhotos(dialog_id: number, files: readonly File[]): boolean
  retryPhoto(upload: PhotoUpload): void
  /** Ends an upload, or removes a failed upload from the list. */
  endPhoto(key: string): void
}

/** Takes the photos that arrived or failed. */
export interface PhotoTaker {
  /** Puts an uploaded photo among the unsent messages. False if too many messages wait already. */
  readonly send: (upload: PhotoUpload, media: Media) => boolean
  /** Called when a photo no longer waits. Texts that were written after the photo wait for it. */
  readonly settled: () => void
}

export function createPhotoUploads(
  { connection }: Pick<AppServices, 'connection'>,
  { send, settled }: PhotoTaker,
): PhotoUploads {
  const list = createUploadList<PhotoUpload>('messenger photos')
  const { uploads, isPending, patch } = list
  const transfer = createTransfer(connection, list)
  const deliverInOrder = createSerialRunner()
  transfer.onReachable(() => {
    for (const one of uploads.getSnapshot()) if (one.is_repeated) restart(one)
  })

  const hasPlaceFor = (count: number) => uploads.getSnapshot().length + count <= WAITING_MAX

  function drop(key: string): void {
    transfer.end(key)
    if (list.remove(key)) settled()
  }

  function enqueue(upload: PhotoUpload): void {
    void deliverInOrder(() => deliver(upload))
  }

  async function deliver(upload: PhotoUpload): Promise<void> {
    const { key } = upload
    try {
      const media = await transfer.post(upload)
      // It may have been taken off the list meanwhile.
      if (media === undefined || !isPending(key)) return
      if (send(upload, media)) drop(key)
      else fail(key, t('messenger.too_many_waiting'))
    } catch (error) {
      fail(key, photoError(error), transfer.isRepeatedLater(key, error))
    }
  }

  function fail(key: string, error: string, isRepeated = false): void {
    patch(key, (now) => ({ ...now, progress: 0, error, is_repeated: isRepeated }))
    settled()
  }

  /** The photo gets a new place among the messages, because later texts may have been sent meanwhile. */
  function restart({ error: _, is_repeated: __, ...failed }: PhotoUpload): void {
    const upload = { ...failed, written_at: new Date().toISOString() }
    patch(upload.key, () => upload)
    enqueue(upload)
  }

  return {
    uploads,
    hasPlaceFor,
    sendPhotos(dialog_id, files) {
      if (!hasPlaceFor(files.length)) return false
      const added = files.map((file) => getUpload(dialog_id, file))
      list.add(added)
      for (const upload of added) enqueue(upload)
      return true
    },
    retryPhoto(upload) {
      transfer.end(upload.key)
      restart(upload)
    },
    endPhoto: drop,
  }
}

/**
 * Posts photos while there is a connection. If a lost connection or a restart of the server ends an upload, the photo
 * is posted again after a pause, with the same key.
 */
function createTransfer(
  connection: AppServices['connection'],
  { isPending, patch, transfer, abort }: UploadList<PhotoUpload>,
) {
  const repetitions = new Map<string, number>()
  let connects = 0
  followConnection(connection, { connected: () => (connects += 1) })

  /** Undefined: the photo was taken off the list while it waited. */
  async function post(upload: PhotoUpload): Promise<Media | undefined> {
    const { key, file } = upload
    await connection.ready()
    if (!isPending(key)) return undefined
    const photo = await prepareSendable(file)
    if (!isPending(key)) return undefined
    const connectsBefore = connects
    try {
      return await transfer(key, (request) => postPhoto(connection, photo, request))
    } catch (error) {
      const isLost = connection.getSnapshot().phase !== 'ready' || connects > connectsBefore
      const isRepeatable = isPassing(error) || (error instanceof NoAnswerError && isLost)
      if (!isRepeatable || !countRepetition(key)) throw error
    }
    patch(key, (now) => ({ ...now, progress: 0 }))
    await pauseBefore(repetitions.get(key) ?? 1)
    return post(upload)
  }

  function countRepetition(key: string): boolean {
    const count = (repetitions.get(key) ?? 0) + 1
    if (count > REPETITIONS_MAX) return false
    repetitions.set(key, count)
    return true
  }

  /** A photo that a restart of the server ended is sent again afterwards, however often it was refused before. */
  function isRepeatedLater(key: string, error: unknown): boolean {
    if (!isPassing(error)) return error instanceof NoAnswerError && countRepetition(key)
    repetitions.delete(key)
    return true
  }

  return {
    post,
    isRepeatedLater,
    end(key: string): void {
      abort(key)
      repetitions.delete(key)
    },
    /**
     * Runs at the next connection and when the device is in a network again. A socket can survive a short loss of the
     * network.
     */
    onReachable(run: () => void): void {
      followConnection(connection, { connected: run })
      addEventListener('online', run)
    },
  }
}

async function postPhoto(
  { http }: AppServices['connection'],
  media: Blob,
  request: UploadRequest,
): Promise<Media> {
  const files = { media }
  return (await http.post('v2/gallery/media/messenger', {}, { files, ...request })).media
}

function getUpload(dialog_id: number, file: File): PhotoUpload {
  return { ...createFileUpload(file), dialog_id, written_at: new Date().toISOString() }
}

/** Thrown before the file is sent. */
class TooLarge extends Error {}
class Unreadable extends Error {}

/** A file that was changed or removed on the device would fail like a lost connection. */
async function prepareSendable(file: File): Promise<Blob> {
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw new Unreadable()
    })
  const photo = await preparePhoto(file)
  if (photo.size > limits.image_bytes) throw new TooLarge()
  return photo
}

function photoError(error: unknown): string {
  const megabytes = limits.image_bytes / MEGABYTE
  if (error instanceof TooLarge) return t('messenger.photo.too_large', { megabytes })
  if (error instanceof Unreadable) return t('messenger.photo.unreadable')
  if (!(error instanceof RefusedError)) return t('messenger.photo.unanswered')
  const { refusal, additional } = error
  if (refusal === 'too_large' && typeof additional.limit === 'string')
    return t('messenger.photo.no_space')
  if (refusal === 'too_large') return t('messenger.photo.too_large', { megabytes })
  if (refusal === 'wrong_type') return t('messenger.photo.wrong_type')
  const id = `error.${refusal}`
  return hasText(id) ? t(id as TextId) : t('messenger.refused.other')
}
