import { useId, useRef, useState, type DragEvent } from 'react'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { Button, cx } from '@duet/ui'
import { FileInput } from '../../../shared/controls/file-input.tsx'
import { t } from '../../../shared/i18n.ts'
import { preparePhoto } from '../../../shared/media/prepare-picture.ts'

interface PictureChoiceProps {
  readonly picture: Blob | undefined
  readonly onChoose: (picture: Blob | undefined) => void
}

/** The picture that a report is about. The screen does not show it: the reporter may not be alone. */
export function PictureChoice({ picture, onChoose }: PictureChoiceProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const take = async (file: File | undefined) => {
    if (file) onChoose(await preparePhoto(file))
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-1.5">
      <span id={id} className="note text-text-2">
        {t('report.picture')}
      </span>
      <div
        className={cx(
          'flex items-center gap-4 rounded-row bg-surface-2 p-4',
          isOver && 'shadow-[inset_0_0_0_2px_var(--ember-hi)]',
        )}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <span className="flex size-16 shrink-0 items-center justify-center rounded-field bg-surface-3 text-text-3">
          {picture ? (
            <CheckCircleIcon size={28} weight="fill" className="text-ok" />
          ) : (
            <ImageIcon size={28} weight="duotone" />
          )}
        </span>
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
          <FileInput
            ref={input}
            accept="image/jpeg,image/png,image/webp"
            onFiles={([file]) => take(file)}
          />
          <Button size={36} onClick={() => input.current?.click()}>
            {t(picture ? 'report.picture_again' : 'report.picture_choose')}
          </Button>
          {picture ? (
            <Button size={36} variant="quiet" onClick={() => onChoose(undefined)}>
              {t('action.remove')}
            </Button>
          ) : null}
        </div>
      </div>
      <span className="meta text-text-3">{t('report.picture_help')}</span>
    </div>
  )
}
