import type { ClipboardEvent, DragEvent } from 'react'
import { useNoStrayDrops } from '../../../shared/media/stray-drops.ts'
import { useSendPhotos } from './photo-button.tsx'

/** Photos that are dropped on a dialog or pasted into it are sent. */
export function useDroppedPhotos(dialog_id: number, isPermitted: boolean) {
  const { sendPhotos } = useSendPhotos(dialog_id)
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
      sendPhotos(files)
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      if (files.length === 0) return
      event.preventDefault()
      sendPhotos(files)
    },
  }
}
