import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAppServices } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import {
  addFiles,
  arrivedFiles,
  endUpload,
  retryUpload,
  showsGallery,
  uploads,
  type PendingUpload,
} from './uploads.ts'

/** The uploads to a gallery, and the functions that add uploads. */
export function useUploads(kind: PendingUpload['kind']) {
  const { connection } = useAppServices()
  const sender = { connection, queries: useQueryClient() }
  const pending = useStore(uploads)
  const arrived = useStore(arrivedFiles)
  useEffect(() => showsGallery(kind), [kind])
  return {
    uploads: pending.filter((upload) => upload.kind === kind),
    arrived: arrived[kind],
    addFiles: (files: readonly File[]) => addFiles(sender, kind, files),
    retry: (upload: PendingUpload) => retryUpload(sender, upload),
    end: (upload: PendingUpload) => endUpload(sender, upload),
  }
}
