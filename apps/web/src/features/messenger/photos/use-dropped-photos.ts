import type { ClipboardEvent, DragEvent } from 'react'
import { useNoStrayDrops } from '../../../shared/media/stray-drops.ts'
import { useSendPhotos, type PhotoTarget } from './photo-button.tsx'

/** Asks whether photos that are dropped on a dialog or pasted into it are to be sent. Programs that copy text add a picture of it. */
export function useDroppedPhotos(target: PhotoTarget, isPermitted: boolean) {
  const { sendPhotos } = useSendPhotos(target)
  useNoStrayDrops()
  if (!isPermitted) return {}
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      const files = [...event.dataTransfer.files]
      if (files.length === 0) return
      event.preventDefault()
      void sendPhotos(files)
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
      event.preventDefault()
      void sendPhotos(files)
    },
  }
}
