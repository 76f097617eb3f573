import { useId, useRef, useState, type DragEvent, type ReactNode } from 'react'
import { CameraIcon } from '@phosphor-icons/react/dist/csr/Camera'
import { Button, cx, useMobile } from '@duet/ui'
import { FileInput } from '../../shared/controls/file-input.tsx'
import { t } from '../../shared/i18n.ts'
import { preparePicture } from '../../shared/media/prepare-picture.ts'
import { useObjectUrl } from '../../shared/media/use-object-url.ts'

export interface PictureSlotProps {
  readonly label: string
  /** A drawing of the right picture. */
  readonly sample: ReactNode
  readonly picture: Blob | null
  readonly error: string | undefined
  /** The camera of a phone that opens first. */
  readonly camera: 'environment' | 'user'
  readonly onPicture: (picture: Blob) => void
}

/** A place for a picture. On a phone the camera comes first, elsewhere a file or a drop. */
export function PictureSlot({
  label,
  sample,
  picture,
  error,
  camera,
  onPicture,
}: PictureSlotProps) {
  const id = useId()
  const isPhone = useMobile()
  const address = useObjectUrl(picture)
  const [isOver, setOver] = useState(false)
  const take = (file: File | null | undefined) => {
    if (file) void preparePicture(file).then(onPicture)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files[0])
  }
  return (
    <div
      className={cx(
        'flex flex-col gap-3 rounded-row bg-surface-2 p-4',
        error && 'shadow-[inset_0_0_0_2px_var(--danger)]',
        isOver && 'shadow-[inset_0_0_0_2px_var(--ember-hi)]',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p className="ui text-text">{label}</p>
      <div className="flex aspect-[8/5] items-center justify-center overflow-hidden rounded-field bg-surface-3 text-text-3">
        {address ? (
          <img
            src={address}
            alt={t('verification.preview', { label })}
            className="size-full object-contain"
          />
        ) : (
          sample
        )}
      </div>
      {error ? (
        <p id={`${id}-error`} role="alert" className="note text-danger">
          {error}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        {isPhone ? (
          <FileButton
            camera={camera}
            described={error ? `${id}-error` : undefined}
            onFile={take}
            main={!picture}
          >
            {t(picture ? 'verification.take_again' : 'verification.take')}
          </FileButton>
        ) : null}
        <FileButton
          described={error ? `${id}-error` : undefined}
          onFile={take}
          main={!isPhone && !picture}
        >
          {t(picture && !isPhone ? 'verification.choose_again' : 'verification.choose')}
        </FileButton>
      </div>
    </div>
  )
}

function FileButton({
  camera,
  described,
  main,
  onFile,
  children,
}: {
  camera?: 'environment' | 'user'
  described: string | undefined
  main: boolean
  onFile: (file: File | undefined) => void
  children: string
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant={main ? 'primary' : 'secondary'}
        icon={camera ? <CameraIcon size={18} weight="fill" /> : undefined}
        aria-describedby={described}
        onClick={() => input.current?.click()}
      >
        {children}
      </Button>
      <FileInput
        ref={input}
        accept="image/jpeg,image/png,image/webp"
        capture={camera}
        onFiles={([file]) => onFile(file)}
      />
    </>
  )
}
