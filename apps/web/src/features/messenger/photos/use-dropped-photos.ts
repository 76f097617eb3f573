import { useState, type ClipboardEvent, type DragEvent } from 'react'
import { t } from '../../../shared/i18n.ts'
import { useNoStrayDrops } from '../../../shared/media/stray-drops.ts'
import { showToast } from '../../../shared/toasts.ts'
import { useSendPhotos, type PhotoTarget } from './photo-button.tsx'

/** Where a file that is over the dialog can be dropped. */
export interface DropState {
  readonly text: string
  /** Whether a drop is refused. The text states why. */
  readonly is_refused: boolean
  readonly end: () => void
}

/**
 * Asks before photos are sent that the user dropped on a dialog or pasted into it. Programs that copy text add a
 * picture of the text, so a pasted picture may be unintended.
 * @param refusal why nothing can be written into the dialog
 */
export function useDroppedPhotos(target: PhotoTarget, refusal: string | undefined) {
  const { sendPhotos, needed } = useSendPhotos(target)
  const [isOver, setOver] = useState(false)
  useNoStrayDrops()
  const reason = refusal ?? (needed && t(`messenger.photo.${needed}`))
  const follow = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  const handlers = {
    onDragEnter: follow,
    onDragOver: follow,
    onDrop: (event: DragEvent) => {
      setOver(false)
      const files = [...event.dataTransfer.files]
      if (files.length === 0) return
      event.preventDefault()
      if (reason === undefined) void sendPhotos(files)
      else showToast({ title: reason })
    },
    onPaste: (event: ClipboardEvent) => {
      const files = [...event.clipboardData.files]
      const hasText = event.clipboardData.types.includes('text/plain')
      if (refusal !== undefined || files.length === 0 || hasText) return
      event.preventDefault()
      void sendPhotos(files)
    },
  }
  const text = reason ?? t('messenger.photo.drop', { nick: target.nick })
  const over: DropState = { text, is_refused: reason !== undefined, end: () => setOver(false) }
  return { handlers, over: isOver ? over : undefined }
}
