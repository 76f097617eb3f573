import { useEffect, useRef, useState } from 'react'
import { ImageSquareIcon } from '@phosphor-icons/react/dist/csr/ImageSquare'
import { Button, cx, Dialog, ProgressLine } from '@duet/ui'
import type { Crop } from '@duet/protocol'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { FileInput } from '../../shared/controls/file-input.tsx'
import { t } from '../../shared/i18n.ts'
import { useNoStrayDrops } from '../../shared/media/stray-drops.ts'
import { usePress } from '../../shared/controls/use-press.ts'
import { showToast } from '../../shared/toasts.ts'
import { AvatarSamples } from './avatar-samples.tsx'
import { CropArea, CroppedPicture } from './crop-area.tsx'
import { firstCrop, wholePixels, type PictureSize } from './crop-math.ts'
import { sendAvatar } from './send-avatar.ts'
import { uploadError } from './upload-errors.ts'

interface ChosenPicture {
  readonly file: File
  readonly src: string
  readonly size: PictureSize
}

const TYPES: readonly string[] = ['image/jpeg', 'image/png']

/** Adds or changes the avatar: choose or drop a picture, cut it, send it. A failed upload keeps picture and cut. */
export function AvatarDialog({ open, close }: OpenDialogProps<'avatar'>) {
  const services = useAppServices()
  const user = useOwnUser()
  const [chosen, setChosen] = useState<ChosenPicture>()
  const [crop, setCrop] = useState<Crop>()
  const [wrongFile, setWrongFile] = useState<string>()
  const [progress, setProgress] = useState(0)
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])
  useNoStrayDrops()
  useEffect(() => () => URL.revokeObjectURL(chosen?.src ?? ''), [chosen])

  async function choose(file: File | undefined): Promise<void> {
    if (!file) return
    setWrongFile(undefined)
    sending.clear()
    if (!TYPES.includes(file.type)) {
      setWrongFile(t('media.avatar.wrong_type'))
      return
    }
    const picture = await findPicture(file)
    if (!picture) {
      setWrongFile(t('media.avatar.unreadable'))
      return
    }
    setChosen(picture)
    setCrop(firstCrop(picture.size))
  }

  const sending = usePress(
    async () => {
      if (!chosen || !crop) return
      setWrongFile(undefined)
      setProgress(0)
      const upload = { file: chosen.file, crop: wholePixels(crop), onProgress: setProgress }
      if (await sendAvatar(services, upload)) close(true)
    },
    (failure) => {
      const text = uploadError(failure, 'avatar')
      if (isShown.current) return text
      showToast({ id: 'avatar', kind: 'error', title: t('media.avatar.failed'), text })
      return true
    },
  )
  const error = wrongFile ?? sending.sentence
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('media.avatar.title')}
      description={t(user?.role === 'girl' ? 'media.avatar.text_girl' : 'media.avatar.text_guy')}
      actions={
        <>
          <PickButton
            label={t(chosen ? 'media.avatar.other' : 'media.avatar.choose')}
            isFirst={!chosen}
            disabled={sending.busy}
            onPick={choose}
          />
          {chosen ? (
            <Button variant="primary" busy={sending.busy} onClick={() => void sending.press()}>
              {t(error ? 'action.retry' : 'media.avatar.use')}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {chosen && crop ? (
          <div className="flex flex-col items-center gap-5 md:flex-row md:items-start">
            <div className="w-full min-w-0 flex-1">
              <CropArea
                src={chosen.src}
                picture={chosen.size}
                crop={crop}
                onChange={(next) => setCrop((current) => current && next(current))}
              />
            </div>
            <Previews chosen={chosen} crop={crop} />
          </div>
        ) : (
          <DropArea onDrop={choose} />
        )}
        {sending.busy ? (
          <ProgressLine
            tone="ember"
            value={progress}
            label={t('media.upload.progress', { percent: Math.round(progress * 100) })}
          />
        ) : null}
        <p role="alert" className="note text-danger empty:hidden">
          {error}
        </p>
        {chosen ? null : (
          <>
            <AvatarSamples />
            <p className="note text-center text-text-2">{t('media.avatar.guide_private')}</p>
          </>
        )}
      </div>
    </Dialog>
  )
}

/** How others see it: round in lists, a petal where two people meet. */
function Previews({ chosen, crop }: { chosen: ChosenPicture; crop: Crop }) {
  const shape = 'relative overflow-hidden bg-surface-3'
  const picture = <CroppedPicture src={chosen.src} picture={chosen.size} crop={crop} />
  return (
    <div aria-hidden dir="ltr" className="flex shrink-0 items-center gap-4 md:flex-col">
      <div className={cx(shape, 'size-16 rounded-full')}>{picture}</div>
      <div className="petal-box size-24">
        <div className={cx(shape, 'petal petal-hers')}>{picture}</div>
      </div>
    </div>
  )
}

function DropArea({ onDrop }: { onDrop: (file: File | undefined) => Promise<void> }) {
  const [isOver, setOver] = useState(false)
  return (
    <div
      className={cx(
        'flex min-h-40 flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed p-5 text-center',
        isOver ? 'border-ember-hi bg-ember-lo' : 'border-line-strong',
      )}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        void onDrop(event.dataTransfer.files[0])
      }}
    >
      <ImageSquareIcon size={40} weight="duotone" className="text-ember-hi" />
      <p className="body text-text-2 max-md:hidden">{t('media.avatar.drop')}</p>
      <p className="note text-text-3">{t('media.avatar.limits')}</p>
    </div>
  )
}

interface PickButtonProps {
  readonly label: string
  readonly isFirst: boolean
  /** While a photo is being sent, another photo must not take its place. */
  readonly disabled: boolean
  readonly onPick: (file: File | undefined) => Promise<void>
}

function PickButton({ label, isFirst, disabled, onPick }: PickButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput
        ref={input}
        accept={TYPES.join(',')}
        aria-label={label}
        onFiles={([file]) => onPick(file)}
      />
      <Button
        variant={isFirst ? 'primary' : 'secondary'}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

/** Undefined when the browser cannot decode it. */
async function findPicture(file: File): Promise<ChosenPicture | undefined> {
  const src = URL.createObjectURL(file)
  const image = new Image()
  image.src = src
  try {
    await image.decode()
  } catch {
    URL.revokeObjectURL(src)
    return undefined
  }
  return { file, src, size: { width: image.naturalWidth, height: image.naturalHeight } }
}
