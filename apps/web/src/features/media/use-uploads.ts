import { useCallback, useEffect, useRef, useState } from 'react'
import { useAppServices } from '../../shared/app-services.tsx'
import { useGalleryChanges } from './gallery-query.ts'
import { uploadError } from './upload-errors.ts'

/** A file on its way. A failed one stays with its file until it is sent again or taken off the list. */
export interface PendingUpload {
  readonly key: number
  readonly file: File
  readonly src: string
  readonly progress: number
  readonly error?: string
}

let lastKey = 0

/** Sends files to a gallery, one after the other. */
export function useUploads(kind: 'photo' | 'video') {
  const { connection } = useAppServices()
  const { add } = useGalleryChanges()
  const [uploads, setUploads] = useState<readonly PendingUpload[]>([])
  const queue = useRef(Promise.resolve())
  const current = useRef(uploads)
  useEffect(() => {
    current.current = uploads
  })
  useEffect(() => () => current.current.forEach(({ src }) => URL.revokeObjectURL(src)), [])

  const change = useCallback((key: number, of: (upload: PendingUpload) => PendingUpload[]) => {
    setUploads((list) => list.flatMap((one) => (one.key === key ? of(one) : [one])))
  }, [])

  async function send({ key, file, src }: PendingUpload): Promise<void> {
    const onProgress = (progress: number) => change(key, (upload) => [{ ...upload, progress }])
    try {
      const { media } = await connection.http.post(
        'gallery/media',
        {},
        { files: { media: file }, onProgress },
      )
      add(media)
      change(key, () => [])
      URL.revokeObjectURL(src)
    } catch (error) {
      change(key, (upload) => [{ ...upload, progress: 0, error: uploadError(error, kind) }])
    }
  }

  const enqueue = (upload: PendingUpload) => {
    queue.current = queue.current.then(() => send(upload))
  }
  return {
    uploads,
    addFiles(files: readonly File[]) {
      const added = files.map((file) => {
        lastKey += 1
        return { key: lastKey, file, src: URL.createObjectURL(file), progress: 0 }
      })
      setUploads((list) => [...list, ...added])
      added.forEach(enqueue)
    },
    retry(upload: PendingUpload) {
      const { error: _, ...again } = upload
      change(upload.key, () => [again])
      enqueue(again)
    },
    discard(upload: PendingUpload) {
      URL.revokeObjectURL(upload.src)
      change(upload.key, () => [])
    },
  }
}
